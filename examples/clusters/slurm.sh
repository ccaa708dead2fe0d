#!/bin/bash
# Checks records in the tasks of a Slurm array job, waits for them, and prints the report of all of them.
#
#   SHARDS=4 examples/clusters/slurm.sh data
#
# Run it in the folder that paths are relative to, which all nodes see under the same path. Arguments are those of
# `auditable-qa check`. SHARDS: number of tasks (default 4); FORMAT: of the report (default: text); REPORTS: a folder that
# all nodes see (default: a new one here), in which the reports of the shards stay.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
reports=${REPORTS:-$PWD/auditable-qa-shards.$(date +%s)}
mkdir -p "$reports"
shards=${SHARDS:-4}
sbatch --wait --array="1-$shards" --output="$reports/%a.log" "$here/shard.sbatch" "$reports" "$shards" "$@" >&2 || {
  echo "Not all shards were checked; $reports/*.log tells why. Single ones are checked again with" >&2
  echo "  sbatch --array=NUMBER $here/shard.sbatch $reports $shards $*" >&2
  exit 2
}
auditable-qa merge-reports --format "${FORMAT:-text}" "$reports"/*.json
