#!/bin/sh
# Starts the agent with the Node and the Xray that lie beside it. A link to this file works from anywhere.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
export XRAY_BIN="${XRAY_BIN:-$root/engine/build/xray}"
# For the smallest machines: less memory is worth more than speed here. Without the optimizing compilers an agent takes 9 MB less,
# and its heaviest work no longer (docs/figures.md).
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
exec "$root/node/bin/node" --max-semi-space-size=1 --optimize-for-size --single-threaded-gc --no-opt --no-maglev --no-node-snapshot --disable-warning=ExperimentalWarning "$root/apps/agent/src/main.ts" "$@"
