#!/usr/bin/env bash
# Compares Tayra with theory and literature: validate.sh [--full] [--gpu] [--gpus N] [--cases NAME,NAME...] [--missing]
# Writes validation/REPORT.md and report.html. Needs a build, and python3 with numpy, h5py and matplotlib.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..") # options may name paths as the caller sees them: no cd

preset=release
if [[ ! -x $root/build/release/tayra && -x $root/build/cuda/tayra ]]; then preset=cuda; fi # all that test.sh builds beside a CUDA toolkit
for option in "$@"; do
  if [[ $option == --gpu ]]; then preset=cuda; fi
done
export PYTHONSAFEPATH=1 # modules in the caller's folder are none of ours
python=python3
if [[ -x $root/.venv/bin/python ]]; then python=$root/.venv/bin/python; fi
if ! "$python" -c 'import h5py, matplotlib, numpy' 2>/dev/null; then
  echo "validate: $python lacks numpy, h5py or matplotlib: run scripts/install_dependencies.sh or install them" >&2
  exit 2
fi
if [[ " $* " != *" --tayra"[=\ ]* ]]; then
  if [[ ! -x $root/build/$preset/tayra ]]; then
    echo "validate: there is no build/$preset/tayra: build it with scripts/build.sh $preset, or name another program with --tayra" >&2
    exit 2
  fi
  set -- --tayra "$root/build/$preset/tayra" "$@"
fi
PYTHONPATH=$root/python:$root exec "$python" -m validation "$@"
