#!/bin/sh
set -e
name=@NAME@
case "$1" in
remove)
  if [ -d "/var/lib/$name" ]; then
    echo "Its data are kept in /var/lib/$name. To remove them for good: dpkg --purge $name"
  fi
  ;;
purge)
  rm -rf "/var/lib/$name" "/var/lib/$name-upgrade" "/usr/lib/$name.upgrade" "/var/cache/$name" "/etc/causeway/$name.env"
  rmdir /etc/causeway 2> /dev/null || true
  userdel "$name" > /dev/null 2>&1 || true
  ;;
esac
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
