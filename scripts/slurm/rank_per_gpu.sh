#!/usr/bin/env bash
# A rank a GPU, on one node or on many:   sbatch [--nodes=4] rank_per_gpu.sh
#SBATCH --job-name=tayra
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.log
set -euo pipefail

config=${CONFIG:-config.yaml}
output=${OUTPUT:-results}
device=${DEVICE:-cuda}                       # cpu: no GPU is used
tayra=${TAYRA:-tayra}
options=${OPTIONS:-}                         # of tayra run
mpi=${MPI:-pmix}                             # what srun --mpi=list has and the MPI library speaks
here=${TAYRA_SLURM:-$SLURM_SUBMIT_DIR/scripts/slurm}
# module load …                              # what tayra was built with

export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
export SLURM_PMIX_FENCE=ring                  # by the tree, ranks may leave MPI_Init while others aren't ready for messages

# All GPUs of a node are seen by all its ranks, which copy into each other's memory.
# shellcheck disable=SC2086 # options are words
srun --mpi="$mpi" --cpus-per-task="$SLURM_CPUS_PER_TASK" --gpu-bind=none --kill-on-bad-exit=1 "$here/bind.sh" \
  "$tayra" run "$config" --output "$output" --device "$device" $options
