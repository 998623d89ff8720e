#!/usr/bin/env bash
# The widest this machine goes, in one call: full_width.sh OUTDIR [--dry-run]
# Same bits from every halo backend on all GPUs, in one process and with a rank each; every benchmark (bench_gpus.sh);
# a large Rayleigh-Taylor run with snapshots of its middle planes. Meant for eight GPUs, which nobody has tried; bits and
# benchmarks take some eight minutes on four H200 (docs/performance.md). Started again it goes on where it was stopped;
# another build compares bits anew, and benchmarks of another commit want another OUTDIR.
# --dry-run: on the CPU, with eight slabs and eight ranks, small sizes.
set -euo pipefail

dry_run=()
if [[ ${2:-} == --dry-run ]]; then dry_run=(--dry-run); fi
if (($# < 1 || $# > 2)) || [[ $1 == -* ]] || { (($# == 2)) && [[ $2 != --dry-run ]]; }; then
  echo "usage: full_width.sh OUTDIR [--dry-run]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=(mpirun --oversubscribe --bind-to none -n)

if ((${#dry_run[@]})); then
  tayra=${TAYRA_BINARY:-$root/build/release/tayra}
  width=8
  in_process=(--device cpu --slabs 8)
  a_rank=(--device cpu)
  large=(--set 'grid.cells=[36,36,72]' --set run.steps=5)
else
  tayra=${TAYRA_BINARY:-$root/build/cuda/tayra}
  width=$(nvidia-smi -L | wc -l)
  in_process=(--device cuda --gpus "$width")
  a_rank=(--device cuda)
  large=(--set "grid.cells=[1024,1024,$((256 * width))]" --set run.steps=300)
fi

# bits NAME LAUNCHER... -- OPTION...: a run of OUT/bits.yaml; prints its fingerprint. One thread a process: several runs
# start side by side, each with a process a GPU.
bits() {
  local name=$1 launcher=()
  shift
  while [[ $1 != -- ]]; do
    launcher+=("$1")
    shift
  done
  OMP_NUM_THREADS=1 "${launcher[@]}" "$tayra" run "$out/bits.yaml" --quiet --force --output "$out/bits/$name" "${@:2}" >"$out/bits/$name.log" 2>&1 || return
  rm -r "$out/bits/$name"/{snapshots,checkpoints} # OUTDIR is to travel
  sed -n 's/.*"fingerprint": "\([0-9a-f]*\)".*/\1/p' "$out/bits/$name/run.json"
}

# Thin slabs, so that edges and ghosts are most of the box; its height leaves them uneven.
same_bits() {
  local start=$SECONDS
  mkdir -p "$out/bits"
  cat >"$out/bits.yaml" <<YAML
problem: {name: rt_multi, atwood: 0.5, amplitude: 0.02, modes: [2, 4], seed: 3}
grid: {cells: [40, 36, $((6 * width + 5))], upper: [1, 1, 2]}
run: {steps: 50}
YAML
  local expected
  if ! expected=$(bits one_slab -- --device cpu) || [[ -z $expected ]]; then
    echo "bits: one slab: FAILED: $(tail -n 1 "$out/bits/one_slab.log")"
    return 1
  fi
  local halos
  halos=$("$tayra" info | sed -n '/^halo backends/,/^schemes/ s/^  \([^ ]*\) .*/\1/p')
  for halo in $(grep -v -x -e mpi -e put <<<"$halos") auto; do # those two are for ranks
    side_by_side "$expected" "$halo, one process" "${halo}_process" -- "${in_process[@]}" --halo "$halo"
  done
  if command -v mpirun >/dev/null; then
    for halo in $halos auto; do
      side_by_side "$expected" "$halo, $width ranks" "${halo}_ranks" "${mpirun[@]}" "$width" -- "${a_rank[@]}" --halo "$halo"
    done
  fi
  wait
  cat "$out"/bits/*.told
  echo "bits: $((SECONDS - start)) s"
  ! grep -q FAILED "$out"/bits/*.told
}

# Starting takes far longer than the steps do.
side_by_side() {
  while (($(jobs -rp | wc -l) >= 4)); do wait -n; done
  compare "$@" >"$out/bits/$3.told" &
}

compare() {
  local expected=$1 what=$2 found code=0
  shift 2
  found=$(bits "$@") || code=$?
  if ((code == 3)); then
    echo "bits: $what: not available here: $(grep -m 1 '^tayra: ' "$out/bits/$1.log")"
  elif [[ $code == 0 && $found == "$expected" ]]; then
    echo "bits: $what: as one slab ($found)"
  else
    echo "bits: $what: FAILED (exit code $code, $found instead of $expected)"
  fi
}

large_run() {
  local run=$out/rt_multi start=$SECONDS
  "$tayra" run "$root/configs/rt_multi.yaml" --quiet --force --output "$run" "${in_process[@]}" "${large[@]}" \
    --set numerics.scheme=roe3 --set run.time=1e9 --set output.checkpoints.keep=0 --set 'output.snapshots={every_steps: 100000, fields: [density]}' \
    --set 'output.parts={middle: {lower: [0, 0.49, -1], upper: [1, 0.51, 1], every_steps: 100}}' || return
  cp "$run/run.json" "$out/rt_multi.json" || return
  echo "rt_multi: $((SECONDS - start)) s, $(sed -n 's/.*"\(cell_steps_per_second\)": \([^,]*\).*/\1 \2/p' "$run/run.json")"
}

failed=0
build=$(sha256sum <"$tayra") # another one's bits are asked for anew
if [[ $(cat "$out/bits.done" 2>/dev/null) != "$build" ]]; then same_bits && echo "$build" >"$out/bits.done" || failed=1; fi
TAYRA_BINARY=$tayra "$root/scripts/bench_gpus.sh" "$out" "${dry_run[@]}" || failed=1
large_run || failed=1
exit "$failed"
