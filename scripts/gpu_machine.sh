#!/usr/bin/env bash
# Configures, builds and tests on a machine with GPUs: gpu_machine.sh [--sanitize] [--bench]
# Installs nothing. TAYRA_DEPS may name a folder that fetch_dependencies.sh made.
set -euo pipefail
dependencies=${TAYRA_DEPS:-}
if [[ -n $dependencies ]]; then dependencies=$(cd "$dependencies" && pwd); fi
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
if [[ -n $dependencies ]]; then options+=("-DCMAKE_PREFIX_PATH=$dependencies/usr"); fi
export PATH=$PATH:/usr/local/cuda/bin
nvidia-smi -L
scripts/build.sh cuda all "${options[@]}"
tayra=build/cuda/tayra
"$tayra" info
info=$("$tayra" info --json)
from_info() { python3 -c "import json, sys; info = json.load(sys.stdin); print(*($1), sep='$2')" <<<"$info"; }
mapfile -t schemes < <(from_info 's["name"] for s in info["schemes"]' '\n')
mapfile -t halos < <(from_info 'h["name"] for h in info["halo_backends"]' '\n')
fields=$(from_info 'info["fields"]' ,)
unlimited=$(from_info 's["name"] for s in info["schemes"] if not s["wants_limiter"]' '|') # no flow must make theirs act

# Violent flows: in the second every scheme's limiter acts, in the first that of some, along all axes.
violent=$(mktemp -d)
trap 'rm -rf "$violent"' EXIT
cat >"$violent/blast.yaml" <<'END'
problem: {name: blast, radius: 0.1, energy: 0.01, density: 1, pressure: 0.1}
grid: {cells: [37, 21, 24], boundary: {z: periodic}}
run: {steps: 3}
output: {directory: results/blast}
END
cat >"$violent/parting.yaml" <<'END'
problem:
  name: shock_tube
  axis: x
  left: {density: 1, velocity: -6, pressure: 0.01}
  right: {density: 1, velocity: 6, pressure: 0.01}
grid: {cells: [37, 21, 24]}
run: {steps: 3}
output: {directory: results/parting}
END

# One line a run: tool, number of ranks, configuration, then the options of `tayra run`. Every kernel once, with all
# schemes, both precisions, two slabs, walls, odd sizes, every field of a snapshot; with the limiter at work, in flat
# and in tall tiles; then every halo backend between the GPUs. The race checker does not follow graphs over several
# GPUs, so there each rank has one.
sanitizer_cases() {
  local smooth=configs/quickstart.yaml
  local every="--device cuda --set output.snapshots={\"every_steps\":1,\"fields\":[$fields]}"
  local common="--set run.steps=3 --set grid.cells=[37,21,24] $every"
  for tool in memcheck racecheck initcheck; do
    for scheme in "${schemes[@]}"; do
      for precision in double single; do
        local kernel="--set numerics.scheme=$scheme --set numerics.precision=$precision"
        echo "$tool 1 $smooth $common --slabs 2 --halo host $kernel"
        local parting=$violent/parting.yaml
        for flow in "$violent"/*.yaml; do
          echo "$tool 1 $flow --device cuda --slabs 2 --halo host $kernel"
        done
        echo "$tool 1 $parting --device cuda --slabs 2 --halo host $kernel --set grid.cells=[68,1,40] --set grid.upper=[1,0.13,1]"
        echo "$tool 1 $parting --device cuda --slabs 4 --set run.cut_y=2 --halo direct $kernel --set grid.cells=[37,101,12]"
        echo "$tool 1 $parting --device cuda --slabs 1 $kernel --set grid.cells=[256,256,6] --set grid.upper=[1,1,0.0234375]"
        # Rows of whole pieces, in tall tiles and in flat ones that stream up several planes, in single in square
        # ones; only where threads wait for each other tall ones need several, too, and then many cells.
        local grids=("[160,160,4]" "[32,8,600]")
        if [[ $tool == racecheck ]]; then grids+=("[4224,16,10]"); fi
        if [[ $precision == single ]]; then
          grids+=("[256,256,10]")
          echo "$tool 1 $parting --device cuda --slabs 1 $kernel --set grid.cells=[256,256,10] --set grid.upper=[1,1,0.0390625]"
        fi
        for cells in "${grids[@]}"; do
          echo "$tool 1 $smooth --set run.steps=1 --set grid.cells=$cells $every --slabs 1 $kernel"
        done
      done
    done
  done
  local gpus
  gpus=$(nvidia-smi -L | wc -l)
  ((gpus > 1)) || return 0
  for halo in "${halos[@]}"; do
    case $halo in
      put) echo "memcheck 2 $smooth $common --halo $halo" ;; # needs several processes
      *) echo "memcheck 1 $smooth $common --gpus 2 --halo $halo" ;;
    esac
    echo "racecheck 2 $smooth $common --halo $halo"
  done
}

sanitize_one() {
  local scratch
  scratch=$(mktemp -d)
  # shellcheck disable=SC2086  # words on purpose
  set -- $1
  local tool=$1 ranks=$2 config=$3
  shift 3
  local start=()
  if ((ranks > 1)); then start=(mpirun --oversubscribe -n "$ranks"); fi
  local log
  # NCCL and NVSHMEM ask for what a machine may lack and go on: a failed question is no error of ours.
  local quiet=()
  if [[ $tool == memcheck && $* =~ nccl|put ]]; then quiet=(--report-api-errors no); fi
  if log=$("${start[@]}" compute-sanitizer --tool "$tool" "${quiet[@]}" --error-exitcode 1 "$tayra" \
    run "$config" --quiet --force --output "$scratch/run" "$@" 2>&1); then
    echo "clean  $tool $ranks $config $* : $(tail -n 1 <<<"$log")"
    if [[ $config == */parting.yaml && ! "$* " =~ numerics.scheme=($unlimited)" " ]] &&
      ! awk -F, 'END { exit !($NF > 0) }' "$scratch/run/diagnostics.csv"; then
      echo "FAILED: no face was limited there"
      return 1
    fi
  else
    printf 'FAILED %s %s %s %s\n%s\n' "$tool" "$ranks" "$config" "$*" "$(tail -n 30 <<<"$log")"
    return 1
  fi
  rm -rf "$scratch"
}

sanitize_runs() {
  export -f sanitize_one
  export tayra unlimited OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  in_turn() { tr '\n' '\0' | xargs -0 -r -P "$1" -I CASE bash -c 'sanitize_one "$1"' _ CASE; }
  sanitizer_cases | grep '^[a-z]* 1 ' | in_turn 8
  # Ranks wait for each other on their GPUs: next to others' kernels there they would take minutes.
  sanitizer_cases | sed '/^[a-z]* 1 /d' | in_turn 1 # none on a single GPU, at which grep would fail
}

if $sanitize; then sanitize_runs; fi
if $bench; then "$tayra" bench step; fi
# Two threads a test, as many tests at once as that leaves cores for; those that share the GPUs know how many go at once.
cores=$(nproc) # which counts by OMP_NUM_THREADS where that is set
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
ctest --preset cuda --label-exclude 'gpu|validation' --parallel $(((cores + 1) / 2))
ctest --preset cuda --label-regex gpu --parallel "$cores"
