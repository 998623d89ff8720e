#!/usr/bin/env bash
# One process on one GPU, or on all GPUs of a node:   sbatch [--gpus-per-node=8] one_process.sh
#SBATCH --job-name=tayra
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-node=1
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.log
set -euo pipefail

config=${CONFIG:-config.yaml}
output=${OUTPUT:-results}
device=${DEVICE:-cuda}                       # cpu: no GPU is used
tayra=${TAYRA:-tayra}
options=${OPTIONS:-}                         # of tayra run
here=${TAYRA_SLURM:-$SLURM_SUBMIT_DIR/scripts/slurm}
# module load …                              # what tayra was built with

where=(--device "$device")
export BIND_GPUS=0
if [[ $device == cuda ]]; then
  where+=(--gpus "$SLURM_GPUS_ON_NODE")
  BIND_GPUS=$SLURM_GPUS_ON_NODE
fi
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK

# shellcheck disable=SC2086 # options are words
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --gpu-bind=none "$here/bind.sh" \
  "$tayra" run "$config" --output "$output" "${where[@]}" $options
