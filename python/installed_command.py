#!/usr/bin/env python3
"""tayra-plot, tayra-compare and the like of an installed copy: it tells by which name it was called."""

import importlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

MODULES = {
    "plot": "plot",
    "render": "render",
    "compare": "compare",
    "report": "run_report",
    "watch": "watching",
}
NEEDED = ("numpy", "h5py", "matplotlib")


def refuse(name: str, problem: str) -> int:
    print(f"tayra {name}: {problem}", file=sys.stderr)
    return 2


def main() -> int:
    name = Path(sys.argv[0]).name.split("-")[1]
    if sys.version_info < (3, 11):  # noqa: UP036 (whatever python3 is)
        version = ".".join(map(str, sys.version_info[:2]))
        return refuse(name, f"{sys.executable} is Python {version}: put 3.11 or later first on PATH")
    missing = [package for package in NEEDED if importlib.util.find_spec(package) is None]
    if missing:
        adds = f"{sys.executable} -m pip install {' '.join(missing)}"
        lacks = f"{sys.executable} lacks {', '.join(missing)}"
        return refuse(name, f"{lacks}: {adds} (where that is refused: in a venv that is activated)")
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "share/tayra/python"))
    sys.meta_path.insert(0, importlib.machinery.PathFinder)  # an editable tayra's own finder would go first
    main_of: Callable[[], int] = importlib.import_module(f"tayra.{MODULES[name]}").main
    return main_of()


sys.exit(main())
