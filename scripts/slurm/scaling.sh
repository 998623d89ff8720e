#!/usr/bin/env bash
# A sweep over numbers of ranks as a job array, an entry of `ranks` each:   sbatch --array=0-3 scaling.sh
#SBATCH --job-name=tayra-scaling
#SBATCH --array=0-3
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=00:30:00
#SBATCH --output=%x-%A_%a.log
set -euo pipefail

read -ra ranks <<<"${RANKS:-1 2 4 8}"
mode=${MODE:-strong}                         # strong: cells of the whole box; weak: cells of each rank
cells=${CELLS:-512}
halo=${HALO:-auto}
output=${OUTPUT:-scaling}
device=${DEVICE:-cuda}                       # cpu: no GPU is used
tayra=${TAYRA:-tayra}
options=${OPTIONS:-}                         # of tayra bench scaling
mpi=${MPI:-pmix}                             # what srun --mpi=list has and the MPI library speaks
here=${TAYRA_SLURM:-$SLURM_SUBMIT_DIR/scripts/slurm}
# module load …                              # what tayra was built with

count=${ranks[$SLURM_ARRAY_TASK_ID]}
per_node=$SLURM_NTASKS_PER_NODE
nodes=$(((count + per_node - 1) / per_node)) # filled one after the other
case $mode in
  strong) grid=(--cells "$cells") ;;
  weak) grid=(--cells-each "$cells") ;;
  *) echo "scaling.sh: MODE is '$mode': strong or weak" >&2 && exit 2 ;;
esac
mkdir -p "$output"
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
export SLURM_PMIX_FENCE=ring                  # by the tree, ranks may leave MPI_Init while others aren't ready for messages

# shellcheck disable=SC2086 # options are words
srun --mpi="$mpi" --nodes="$nodes" --ntasks="$count" --cpus-per-task="$SLURM_CPUS_PER_TASK" --gpu-bind=none \
  "$here/bind.sh" "$tayra" bench scaling "${grid[@]}" --slabs 1 --halo "$halo" --device "$device" \
  --json "$output/${mode}_$count.json" $options
