#!/usr/bin/env python3
"""Makes a page of all bench files of a folder: their tables and figures, as build/pages/benchmarks.md."""

import sys
from pathlib import Path

from tayra.bench_file import BenchFile, read_bench_file
from tayra.bench_tables import bench_tables
from tayra.command import exit_code, say
from tayra.drawing import save_bench_figures
from tayra.errors import TayraError
from tayra.report import as_markdown, write_text

ROOT = Path(__file__).parents[1]


def section(file: BenchFile, folder: Path) -> str:
    name = file.path.stem
    drawn = save_bench_figures(file, folder / "images" / name)
    links = [f"![{picture.stem}]({picture.relative_to(folder)})" for picture in drawn]
    head = f"## {name}\n\n{file.device_and_machine}, commit {file.commit}, `{file.command_line}`"
    return "\n\n".join([head, as_markdown(bench_tables(file)), *links])


def make_page(results: Path, folder: Path) -> Path:
    files = [read_bench_file(path) for path in sorted(results.glob("*.json"))]
    if not files:
        raise TayraError(f"{results} holds no bench files: name a folder that bench_gpus.sh has filled")
    sections = [section(file, folder) for file in files]
    return write_text(folder / "benchmarks.md", "\n\n".join(["# Benchmarks", *sections]) + "\n")


def main(words: list[str]) -> int:
    if len(words) not in (0, 2):
        print("usage: benchmark_page.py [RESULTS FOLDER]", file=sys.stderr)
        return 2
    results, folder = map(Path, words or (ROOT / "benchmarks/results", ROOT / "build/pages"))
    return exit_code("benchmark_page", lambda: say(f"page: {make_page(results, folder)}"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
