#!/usr/bin/env bash
# A run longer than a job may be: stopped before the time is up, queued again, resumed, until it is finished.
#SBATCH --job-name=tayra-chain
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=24:00:00
#SBATCH --signal=USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log
set -euo pipefail

config=${CONFIG:-config.yaml}
output=${OUTPUT:-results}
device=${DEVICE:-cuda}                       # cpu: no GPU is used
tayra=${TAYRA:-tayra}
options=${OPTIONS:-}                         # of tayra run
most_links=${MOST_LINKS:-100}                # of the chain
mpi=${MPI:-pmix}                             # what srun --mpi=list has and the MPI library speaks
here=${TAYRA_SLURM:-$SLURM_SUBMIT_DIR/scripts/slurm}
# module load …                              # what tayra was built with

links=$((${SLURM_RESTART_COUNT:-0} + 1))
echo "link $links of job $SLURM_JOB_ID on $SLURM_JOB_NODELIST"
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK
export SLURM_PMIX_FENCE=ring                  # by the tree, ranks may leave MPI_Init while others aren't ready for messages

record() { cat "$output/run.json" 2>/dev/null || true; }
before=$(record)
newest_checkpoint() { ls "$output/checkpoints" 2>/dev/null | grep -E '^[0-9]+\.h5$' | sort -n | tail -n 1 || true; }
checkpoint_before=$(newest_checkpoint)
# The signal goes to the ranks, which write a checkpoint and end.
code=0
# shellcheck disable=SC2086 # options are words
srun --mpi="$mpi" --cpus-per-task="$SLURM_CPUS_PER_TASK" --gpu-bind=none --kill-on-bad-exit=1 "$here/bind.sh" \
  "$tayra" run "$config" --output "$output" --device "$device" --resume $options || code=$?

# How this link ended stands at the top of run.json; how those before did, further down and indented more: by the
# signal, or after its run.wall_minutes.
stopped_in_time() {
  [[ $(record) != "$before" ]] && grep -q '^  "message": "stopped \(by SIGUSR1\|after\) ' "$output/run.json"
}
if ((code == 0)) && ! stopped_in_time; then exit 0; fi
# What srun says of a rank that was killed (128 and the signal), where the run could not tell its end itself. Without
# a new checkpoint it would be for ever; an illegal instruction (132) is met again.
killed_on_the_way() {
  ((code > 128 && code != 132)) && grep -q '^  "status": "\(running\|lost\)"' "$output/run.json" &&
    [[ $(newest_checkpoint) != "$checkpoint_before" ]]
}
# Also after a rank or a GPU was lost (exit code 4): the queue may give other nodes. Not after scancel's SIGTERM.
if ((code != 4)) && ! stopped_in_time && ! killed_on_the_way; then exit "$code"; fi
if ((links >= most_links)); then
  echo "the chain has $links links and is not finished: raise MOST_LINKS and submit it again" >&2
  exit "$((code == 0 ? 1 : code))"
fi
echo "queued again after exit code $code"
scontrol requeue "$SLURM_JOB_ID"
sleep 60 # until Slurm ends this script
