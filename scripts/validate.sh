#!/usr/bin/env bash
# Compares Tayra with theory and literature: validate.sh [--full] [--gpu] [--gpus N] [--cases NAME,NAME...] [--missing]
# Writes validation/REPORT.md and report.html. Needs a build, and python3 with numpy, h5py and matplotlib.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
for option in "$@"; do
  if [[ $option == --gpu ]]; then preset=cuda; fi
done
python=python3
if [[ -x .venv/bin/python ]]; then python=.venv/bin/python; fi
if ! "$python" -c 'import h5py, matplotlib, numpy' 2>/dev/null; then
  echo "validate: $python lacks numpy, h5py or matplotlib: run scripts/install_dependencies.sh or install them" >&2
  exit 2
fi
[[ " $* " == *" --tayra "* ]] || set -- --tayra "build/$preset/tayra" "$@"
PYTHONPATH=$PWD/python:$PWD exec "$python" -m validation "$@"
