#!/bin/sh
set -e
name=@NAME@
case "$1" in
configure)
  if ! getent passwd "$name" > /dev/null; then
    useradd --system --user-group --no-create-home --home-dir "/var/lib/$name" --shell /usr/sbin/nologin "$name"
  fi
  install -d -o "$name" -g "$name" -m 0700 "/var/lib/$name"
  chown "root:$name" "/etc/causeway/$name.env"
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable "$name.service" > /dev/null 2>&1 || true
    # `causeway upgrade` starts the new version itself, and watches it.
    if [ -n "$CAUSEWAY_UPGRADE" ]; then exit 0; fi
    # A node has no key yet after its first installation.
    if [ "$name" = causeway ] || grep -q '^SECRET_KEY=.' "/etc/causeway/$name.env"; then
      systemctl restart "$name.service" || echo "$name did not start; the reason: journalctl -u $name -n 50" >&2
    fi
  fi
  ;;
esac
