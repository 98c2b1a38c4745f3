#!/usr/bin/env bash
# Reads shards of replies as a Slurm array, one task per shard.
#
#   ls /data/log-*.jsonl.zst > shards.txt
#   sbatch --array=1-$(wc -l < shards.txt)%64 slurm-array.sh shards.txt tools.json auto /data/out
#   toolpeg stats /data/out/*.telemetry.jsonl.gz          # when the array is done
#
# A task that is preempted or killed is queued again, and goes on where it was stopped. Only telemetry is written here; leave
# --telemetry-only out for the calls.
#SBATCH --job-name=toolpeg
#SBATCH --cpus-per-task=8
#SBATCH --mem=4G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
shards=$1 tools=$2 format=$3 out=$4
mkdir -p "$out"
shard=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$shards")
name=$(basename "$shard" | sed -E 's/\.jsonl(\.(gz|zst))?$//')

status=0
toolpeg parse "$shard" --input jsonl --format "$format" --tools "$tools" --jsonl --telemetry-only \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" --skip-bad --resume --output "$out/$name.telemetry.jsonl.gz" || status=$?
# 4: lines that are no replies were left out. Trying again would not help.
[ "$status" -eq 0 ] || [ "$status" -eq 4 ]
