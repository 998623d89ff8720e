#!/usr/bin/env bash
# Measures this machine with every benchmark and leaves one JSON file each: bench_gpus.sh OUTDIR [--dry-run]
# On all GPUs present, with Open MPI; some five minutes on four H200. Started again it goes on where it was stopped.
# --dry-run: the same benchmarks on the CPU, on sizes that take no time.
set -euo pipefail

dry_run=false
if [[ ${2:-} == --dry-run ]]; then dry_run=true; fi
if (($# < 1 || $# > 2)) || [[ $1 == -* ]] || { (($# == 2)) && ! $dry_run; }; then
  echo "usage: bench_gpus.sh OUTDIR [--dry-run]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
# Open MPI would rather not run as root, wants a core a rank and binds ranks to cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=(mpirun --oversubscribe --bind-to none -n)

if $dry_run; then
  binary=${TAYRA_BINARY:-$root/build/release/tayra}
  gpus=2
  device=(--device cpu)
  slabs=(--slabs 2)
else
  binary=${TAYRA_BINARY:-$root/build/cuda/tayra}
  gpus=$(nvidia-smi -L | wc -l)
  device=(--device cuda)
  slabs=()
fi

if $dry_run; then
  transfer=(--most 4KiB --repeats 2)
  halo=(--cells 8,16 --repeats 2)
  cadence=(--interval 0.1,3 --repeats 3 --bytes 4KiB)
  overheads=(--most 4KiB --repeats 2)
  step=(--cells 8 --steps 1 --repeats 2)
  ways_between_ranks=host,mpi
  scaling_strong=(--cells 8,16 --slabs 1,2 --steps 2 --repeats 2)
  scaling_weak=(--cells-each 8 --slabs 1,2 --steps 2 --repeats 2)
  scaling_large=(--cells 24 --slabs 1,2 --halo host --steps 2 --repeats 2)
else
  transfer=(--repeats 3)
  halo=(--repeats 3)
  # Pauses of 1 s say what those of 300 ms do and take as long as all others.
  cadence=(--way host,uva,stores --seconds 1 --interval 0.01,0.03,0.1,0.3,1,3,10,30,100,300)
  overheads=(--repeats 5)
  ways_between_ranks=host,uva,p2p,stores,mpi,nccl
  step=(--cells 256 --scheme upwind3,roe3 --steps 10 --repeats 5)
  scaling_strong=(--cells 16,32,64,128,256 --halo host,uva,p2p,nccl,direct,auto,none --steps 20 --repeats 5)
  scaling_weak=(--cells-each 128,256 --halo host,uva,direct,none --steps 20 --repeats 5)
  scaling_large=(--cells 512 --halo host,uva,direct,auto --steps 10 --repeats 3)
fi

# One pair and all: on eight GPUs three pairs as well would take half as long again.
transfer+=(--pairs "1,$((gpus - 1))")

if [[ ! -x $binary || ${binary##*/} != tayra ]]; then # by its name another one might be found
  echo "bench_gpus: $binary is no program called tayra: build it with scripts/build.sh, or name one in TAYRA_BINARY" >&2
  exit 2
fi
# Files name commands: short ones, without this machine's paths.
PATH=$(cd "$(dirname "$binary")" && pwd):$PATH
mkdir -p "$1"
cd "$1"

# measure NAME BENCHMARK OPTION...: into NAME.json. A failure is told, and the others go on.
failed=0
measure() {
  local name=$1 start=$SECONDS
  shift
  local code=0
  "${launcher[@]}" tayra bench "$@" --json "$name.json" "${resume[@]}" >"$name.log" 2>&1 || code=$?
  case $code in
    0) echo "$name: $((SECONDS - start)) s" ;;
    3) echo "$name: not available here: $(grep '^tayra: ' "$name.log")" ;;
    *)
      failed=$((failed + 1))
      echo "$name: FAILED after $((SECONDS - start)) s: $(grep '^tayra: ' "$name.log" || tail -n 1 "$name.log")" >&2
      ;;
  esac
}

resume=(--resume)
launcher=()
if ((gpus > 1)); then
  measure transfer transfer "${device[@]}" "${slabs[@]}" "${transfer[@]}"
  measure halo halo "${device[@]}" "${slabs[@]}" "${halo[@]}"
  measure scaling_strong scaling "${device[@]}" "${scaling_strong[@]}"
  measure scaling_weak scaling "${device[@]}" "${scaling_weak[@]}"
  measure cadence cadence "${device[@]}" "${slabs[@]}" "${cadence[@]}"
fi
measure step step "${device[@]}" "${step[@]}"
resume=()
measure overheads overheads "${device[@]}" "${overheads[@]}"

# One rank a GPU: what MPI and puts do, and the others between processes.
if ((gpus > 1)) && command -v mpirun >/dev/null; then
  launcher=("${mpirun[@]}" "$gpus")
  resume=(--resume)
  measure transfer_ranks transfer "${device[@]}" "${transfer[@]}" --blocks 1 --way "$ways_between_ranks"
  measure halo_ranks halo "${device[@]}" "${halo[@]}" --steps-up-to 128 --halo "${ways_between_ranks/stores/direct}"
  # By itself: where its library does not start, the others are measured all the same.
  measure transfer_put transfer "${device[@]}" "${transfer[@]}" --blocks 1 --way put
  measure halo_put halo "${device[@]}" "${halo[@]}" --steps-up-to 128 --halo put
fi
resume=()
launcher=("${mpirun[@]}" 2)
if command -v mpirun >/dev/null; then measure overheads_ranks overheads --device cpu "${overheads[@]}"; fi
resume=(--resume)
# The longest last: filling such boxes takes most of the time.
launcher=()
if ((gpus > 1)); then measure scaling_large scaling "${device[@]}" "${scaling_large[@]}"; fi
exit $((failed > 0))
