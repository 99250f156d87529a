#!/bin/sh
# Starts the agent with the Node and the Xray that lie beside it. A link to this file works from anywhere.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
export XRAY_BIN="${XRAY_BIN:-$root/engine/build/xray}"
exec "$root/node/bin/node" --disable-warning=ExperimentalWarning "$root/apps/agent/src/main.ts" "$@"
