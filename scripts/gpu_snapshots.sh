#!/usr/bin/env bash
# What a snapshot every 100 steps at 512³ costs a run on a GPU: gpu_snapshots.sh [FOLDER [TAYRA OPTION...]]
# FOLDER (default /dev/shm, memory: a disk that keeps up) holds the results and is emptied again. Prints the share of
# wall time for each precision, with the usual memory for what waits and with less than a snapshot.
set -euo pipefail
folder=$(mktemp -d "$(realpath "${1:-/dev/shm}")/tayra-snapshots.XXXXXX")
cd "$(dirname "$0")/.."
trap 'rm -rf "$folder"' EXIT
options=("${@:2}")

run() {
  build/cuda/tayra run configs/rt_multi.yaml --quiet --force --device cuda --output "$folder/run" \
    --set numerics.scheme=roe3 --set 'grid.cells=[512,512,512]' --set run.steps=301 --set run.time=1e9 --set output.checkpoints.keep=0 \
    --set output.diagnostics.every_steps=1000 "${options[@]}" "$@"
}

# Steps 2 to 301, in which the snapshots of steps 100, 200 and 300 are taken; what the start and the end write is left
# out. A step's own time holds what it waited for copies, io_ms what output took beside.
mean_step_ms() {
  awk -F, 'NR > 2 { sum += $4 + $8 } END { printf "%.4f", sum / (NR - 2) }' "$folder/run/timings.csv"
}

for precision in double single; do
  run --set numerics.precision=$precision --set 'output.snapshots={every_steps: 1000}'
  without=$(mean_step_ms)
  echo "$precision, without snapshots: $without ms a step"
  for memory in "" 1024; do
    run --set numerics.precision=$precision ${memory:+--set output.writer_memory=$memory} \
      --set 'output.snapshots={every_steps: 100, fields: [density, velocity, pressure]}'
    with=$(mean_step_ms)
    awk -v name="$precision, ${memory:-usual} MiB may wait" -v with="$with" -v without="$without" \
      'BEGIN { printf "%s: %.4f ms a step, snapshots take %.2f %% of it\n", name, with, 100 * (with - without) / with }'
  done
done
size=$(du -sb "$folder/run/snapshots" | cut -f1)
seconds=$( { TIMEFORMAT=%R; time dd if=/dev/zero of="$folder/plain" bs=8M count=350 conv=fsync status=none; } 2>&1)
echo "dd writes 2.9 GB there in $seconds s; the run left $size bytes of snapshots"
