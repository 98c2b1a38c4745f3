#!/usr/bin/env bash
# Reads shards of replies with GNU parallel, here or over hosts, and prints the statistics of all.
#
#   gnu-parallel.sh TOOLS FORMAT OUT SHARD...
#   HOSTS=4/node1,4/node2 gnu-parallel.sh tools.json auto /shared/out /shared/log-*.jsonl.zst
#
# TOOLS, OUT and the shards lie on a file system that every host sees. A shard that fails is tried again, and goes on where
# it was stopped; so does the whole script when it is started again. SHARD_JOBS: threads per shard, default 2.
set -euo pipefail
tools=$1 format=$2 out=$3
shift 3
mkdir -p "$out"

# A line that is no reply is left out and counted: status 4 says so, and trying again would not help.
read_shard() {
  local name
  name=$(basename "$4" | sed -E 's/\.(gz|zst)$//')
  toolpeg parse "$4" --input jsonl --format "$2" --tools "$1" --jsonl --jobs "${SHARD_JOBS:-2}" \
    --skip-bad --resume --output "$3/$name.gz" || [ $? -eq 4 ]
}
export -f read_shard

parallel ${HOSTS:+--sshlogin "$HOSTS"} --env read_shard --env SHARD_JOBS --env PATH \
  --retries 3 --joblog "$out/joblog.tsv" read_shard "$tools" "$format" "$out" {} ::: "$@"

toolpeg stats "$out"/*.jsonl.gz
