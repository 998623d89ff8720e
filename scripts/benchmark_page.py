#!/usr/bin/env python3
"""Draws all bench files of benchmarks/results and sets tables and figures into docs/benchmarks.md."""

import sys
from pathlib import Path

from tayra.bench_file import BenchFile, read_bench_file
from tayra.bench_tables import bench_tables
from tayra.command import exit_code
from tayra.errors import TayraError
from tayra.plot import save_bench_figures
from tayra.report import as_markdown, write_text

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- from benchmarks/results: begin -->\n", "<!-- from benchmarks/results: end -->\n"


def section(path: Path, file: BenchFile, pictures: Path, page: Path) -> str:
    drawn = save_bench_figures(file, pictures / path.stem)
    links = [f"![{picture.stem}]({picture.relative_to(page.parent)})" for picture in drawn]
    kept = ROOT / "benchmarks"
    data = f"[data](../{path.relative_to(ROOT)})" if path.is_relative_to(kept) else path.name
    head = (
        f"### {path.stem}\n\n{file.device_and_machine}, commit {file.commit}, `{file.command_line}`, {data}"
    )
    return "\n\n".join([head, as_markdown(bench_tables(file)), *links])


def fill(page: Path, results: Path, pictures: Path) -> None:
    """What stands between the marks is replaced."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise TayraError(
            f"{page} lacks the line {(END if begin else BEGIN).strip()}: put it where results go"
        )
    paths = sorted(results.glob("*.json"))
    if not paths:
        raise TayraError(f"{results} holds no bench files: name a folder that bench_gpus.sh has filled")
    sections = [section(path, read_bench_file(path), pictures, page) for path in paths]
    body = "".join(f"{part}\n\n" for part in sections)
    write_text(page, f"{before}{BEGIN}\n{body}{END}{after}")


def main(words: list[str]) -> int:
    if len(words) not in (0, 2):
        print("usage: benchmark_page.py [RESULTS PAGE]", file=sys.stderr)
        return 2
    results, page = map(Path, words or (ROOT / "benchmarks/results", ROOT / "docs/benchmarks.md"))
    page = page.absolute()
    return exit_code(
        "benchmark_page", lambda: fill(page, results.absolute(), page.parent / "images/benchmarks")
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
