#!/usr/bin/env python3
"""Checks that a folder of src/ includes only those before it and that a file's first line says what it holds.

bench/ comes after all of them. Prints every offence as file:line.
"""

import re
import sys
from pathlib import Path

LAYERS = ("core", "physics", "grid", "halo", "solver", "io", "app", "bench")
SOURCES = {".hpp", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"/]+)/')


def offences(root: Path) -> list[str]:
    """Every include that looks to the right, and every file that begins without a word."""
    files = {path: path.relative_to(root / "src").parts[0] for path in (root / "src").rglob("*")}
    files |= dict.fromkeys((root / "bench").rglob("*"), "bench")
    sources = sorted(path for path in files if path.suffix in SOURCES)
    return [found for path in sources for found in offences_of(path, files[path])]


def offences_of(path: Path, folder: str) -> list[str]:
    if folder not in LAYERS:
        return [f"{path}:1: '{folder}' is no layer: {' -> '.join(LAYERS)}"]
    text = path.read_text(encoding="utf-8")
    found = [] if text.startswith("// ") else [f"{path}:1: say in a // comment what the file holds"]
    for number, line in enumerate(text.splitlines(), start=1):
        include = INCLUDE.match(line)
        if not include:
            continue
        wanted = include.group(1)
        if wanted not in LAYERS:
            found.append(f"{path}:{number}: '{wanted}' is no layer")
        elif LAYERS.index(wanted) > LAYERS.index(folder):
            found.append(f"{path}:{number}: {folder} must not include {wanted}")
    return found


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    if not (root / "src").is_dir():
        print(f"check_layers: {root} has no folder src: name that of the tree", file=sys.stderr)
        return 2
    found = offences(root)
    for offence in found:
        print(offence, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
