#!/usr/bin/env python3
"""Draws all bench files of benchmarks/results and sets tables and figures into docs/benchmarks.md."""

import sys
from pathlib import Path

from tayra.bench_file import BenchFile, read_bench_file
from tayra.bench_tables import bench_tables
from tayra.plot import save_bench_figures
from tayra.report import as_markdown

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
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    sections = [
        section(path, read_bench_file(path), pictures, page) for path in sorted(results.glob("*.json"))
    ]
    body = "".join(f"{part}\n\n" for part in sections)
    page.write_text(f"{before}{BEGIN}\n{body}{END}{after}", encoding="utf-8")


def main(words: list[str]) -> int:
    if len(words) not in (0, 2):
        print("usage: benchmark_page.py [RESULTS PAGE]", file=sys.stderr)
        return 2
    results, page = map(Path, words or (ROOT / "benchmarks/results", ROOT / "docs/benchmarks.md"))
    fill(page.absolute(), results.absolute(), page.absolute().parent / "images/benchmarks")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
