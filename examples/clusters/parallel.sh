#!/bin/sh
# Checks records in shards with GNU parallel, and prints the report of all of them.
#
#   examples/clusters/parallel.sh data other.jsonl
#   SHARDS=16 FORMAT=sarif examples/clusters/parallel.sh --solutions off data > auditable-qa.sarif
#
# Arguments are those of `auditable-qa check`. SHARDS: how many (default: the number of processors); FORMAT: of the
# report (default: text). Ends with 0, 1 or 2 as the check of all in one process.
set -eu
shards=${SHARDS:-$(nproc)}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

# A shard ends with 0 once it is checked, whatever was found; the first one that could not do its job stops the others.
seq "$shards" | parallel --quote --halt now,fail=1 --jobs "$shards" \
  sh -c 'out=$1 shard=$2 all=$3; shift 3; exec auditable-qa check --jobs 1 --shard "$shard/$all" "$@" >"$out/$shard.json"' \
  sh "$out" {} "$shards" "$@" || exit 2

auditable-qa merge-reports --format "${FORMAT:-text}" "$out"/*.json
