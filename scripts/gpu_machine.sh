#!/usr/bin/env bash
# Configures, builds and tests on a machine with GPUs: gpu_machine.sh [--sanitize] [--bench]
# Installs nothing. TAYRA_DEPS may name a folder that fetch_dependencies.sh made.
set -euo pipefail
cd "$(dirname "$0")/.."

sanitize=false
bench=false
for option in "$@"; do
  case $option in
    --sanitize) sanitize=true ;;
    --bench) bench=true ;;
    *)
      echo "usage: gpu_machine.sh [--sanitize] [--bench]" >&2
      exit 2
      ;;
  esac
done

options=()
if [[ -n ${TAYRA_DEPS:-} ]]; then
  options+=("-DCMAKE_PREFIX_PATH=$(cd "$TAYRA_DEPS" && pwd)/usr")
fi
export PATH=$PATH:/usr/local/cuda/bin
nvidia-smi -L
scripts/build.sh cuda all "${options[@]}"
tayra=build/cuda/tayra
"$tayra" info

# Every kernel once: all schemes, both precisions, two slabs, walls and the limiter at work, odd sizes.
sanitize_runs() {
  local scratch
  scratch=$(mktemp -d)
  # shellcheck disable=SC2064  # the name is known now and gone later
  trap "rm -rf '$scratch'" EXIT
  for tool in memcheck racecheck initcheck; do
    for scheme in upwind3 roe3 weno3 muscl; do
      for precision in double single; do
        echo "compute-sanitizer $tool: $scheme, $precision"
        compute-sanitizer --tool "$tool" --error-exitcode 1 "$tayra" run configs/quickstart.yaml --quiet --force \
          --output "$scratch" --device cuda --slabs 2 --set "numerics.scheme=$scheme" \
          --set "numerics.precision=$precision" --set 'grid.cells=[37, 21, 24]' --set run.steps=3 |
          tail -n 1
      done
    done
  done
}

if $sanitize; then sanitize_runs; fi
if $bench; then "$tayra" bench step; fi
# Two threads a test, as many tests at once as that leaves cores for.
OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 ctest --preset cuda --parallel $(($(nproc) / 2))
