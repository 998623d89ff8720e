#!/usr/bin/env bash
# Installs what is missing, builds Tayra and runs every test; ends with the summary of ctest.
set -euo pipefail
cd "$(dirname "$0")/.."

# A new build where no GPU could run its tests has code for one kind of GPUs: for all it takes as long again.
nvidia-smi -L >/dev/null 2>&1 || export CUDAARCHS=${CUDAARCHS:-90}

scripts/install_dependencies.sh
export PATH=$PWD/.deps/bin:$PATH # see build.sh

bin=$PWD/.venv/bin
python3 scripts/check_layers.py
find src bench tests \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 "$bin/clang-format" --dry-run --Werror
"$bin/ruff" check python scripts tests validation
"$bin/ruff" format --check python scripts tests validation

preset=$(scripts/choose_preset.sh)
scripts/build.sh "$preset"
# Tests side by side share the cores: a thread that waits must not keep one busy.
export OMP_WAIT_POLICY=passive
export TAYRA_BINARY=$PWD/build/$preset/tayra
# The cluster's tests, which mostly wait, run beside the others.
of_cluster=$(mktemp)
trap 'rm -f "$of_cluster"' EXIT
"$bin/python" -m pytest --quiet tests/cluster >"$of_cluster" 2>&1 &
cluster=$!
python_failed=0
"$bin/python" -m pytest --quiet --numprocesses "$(nproc)" --dist loadfile python validation || python_failed=1
cluster_failed=0
wait "$cluster" || cluster_failed=1
cat "$of_cluster"
((python_failed == 0 && cluster_failed == 0)) || exit 1

without_gpu=()
# Not grep -q: it leaves at the first GPU, and a list that goes on would break the pipe.
nvidia-smi -L 2>/dev/null | grep '^GPU' >/dev/null || without_gpu=(--label-exclude gpu)
ctest --preset "$preset" --parallel "$(nproc)" "${without_gpu[@]}"
