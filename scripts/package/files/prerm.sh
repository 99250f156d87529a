#!/bin/sh
set -e
name=@NAME@
# An upgrade goes on serving until the new files are there; postinst restarts it.
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now "$name.service" > /dev/null 2>&1 || true
  # The core outlives its agent, but not the package.
  systemctl kill --kill-who=all "$name.service" > /dev/null 2>&1 || true
  # Its ports, which stay open while it restarts.
  systemctl stop "$name.socket" "$name-waiting.service" > /dev/null 2>&1 || true
  rm -f "/run/systemd/system/$name.socket"
fi
