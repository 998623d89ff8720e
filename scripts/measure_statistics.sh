#!/usr/bin/env bash
# Tests statistics on a GPU and measures what a row of them costs there: measure_statistics.sh [BUILD, by default build/cuda]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/cuda}
"$build/tests/tayra_tests" --gtest_filter='GpuProfiles.*:GpuPlane*:GpuFields*' --gtest_brief=1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/config.yaml" <<'END'
problem: {name: rt_multi}
grid: {cells: [256, 256, 256]}
run: {steps: 400, device: cuda}
output: {diagnostics: {every_steps: 1000000}, checkpoints: {keep: 0}}
END
for precision in double single; do
  for statistics in '{}' '{every_steps: 20}' \
    '{every_steps: 20, profiles: false, spectra: {fields: [density, velocity_z, heavy_fraction], layer: 0}}' \
    '{every_steps: 20, profiles: false, spectra: {fields: [density, velocity_z, heavy_fraction], heights: [0.5]}}' \
    '{every_steps: 20, profiles: false, pdf: {fields: [heavy_fraction]}}'; do
    for time in 1 2; do # the first warms up
      "$build/tayra" run "$folder/config.yaml" --force --quiet --output "$folder/run" \
        --set "numerics.precision=$precision" --set "output.statistics=$statistics"
    done
    python3 - "$folder/run/timings.csv" "$precision, statistics $statistics" <<'END'
import csv, statistics, sys
rows = list(csv.DictReader(open(sys.argv[1])))[40:]
step = statistics.median(float(row["wall_ms"]) for row in rows)
# What was written after a step delays the next one.
after = [float(row["io_ms"]) for row in rows if int(row["step"]) % 20 == 1]
total = sum(float(row["wall_ms"]) + float(row["io_ms"]) for row in rows) / len(rows)
print(f"{sys.argv[2]}: a step {step:.3f} ms, with output {total:.3f}; a row {statistics.median(after):.3f} ms, "
      f"{5 * statistics.median(after) / step:.2f} % of 20 steps")
END
  done
done
