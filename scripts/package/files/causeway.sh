#!/bin/sh
# Starts the program with the Node that lies beside it. A link to this file works from anywhere.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
export CAUSEWAY_CWD="${CAUSEWAY_CWD:-$PWD}"
exec "$root/node/bin/node" --disable-warning=ExperimentalWarning --max-semi-space-size=8 --heap-growing-percent=40 \
  "$root/apps/server/src/causeway.ts" "$@"
