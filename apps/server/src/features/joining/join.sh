#!/bin/sh
# Makes this machine the node @NAME@ of the panel at @PANEL@.
#
# Everything comes from that panel. Each file is checked by its digest before anything is put in place, and is put there by
# renaming. Nothing happens before the last line of this file. What it leaves on the machine:
#   /opt/causeway-node             Node.js, the agent and Xray
#   /etc/causeway                  settings
#   /var/lib/causeway-node         the key of this node, which never leaves it, and what the core runs
#   /etc/systemd/system            the service, where there is systemd
#   /usr/local/bin/causeway-node   status, logs, doctor, uninstall
set -eu

PANEL='@PANEL@'
CODE='@CODE@'
NODE='@UUID@'
PORT='@PORT@'
# Whether the agent calls the panel, which cannot call it.
CALLS='@CALLS@'
VERSION='@VERSION@'
# When this script was made, in seconds; the digests and sizes of the files.
MADE_AT='@MADE_AT@'
DIGEST_X64='@DIGEST_X64@'
BYTES_X64='@BYTES_X64@'
DIGEST_ARM64='@DIGEST_ARM64@'
BYTES_ARM64='@BYTES_ARM64@'
# Certificates of this node that count, by their SHA-256.
CERTIFICATES='@CERTIFICATES@'

HOME_DIR=/opt/causeway-node
DATA=/var/lib/causeway-node
SETTINGS=/etc/causeway/causeway-node.env
UNIT=/etc/systemd/system/causeway-node.service
PACKAGE=/usr/lib/causeway-node
ACCOUNT=causeway-node
LONGEST_CLOCK_ERROR=3600
LONGEST_START=60
OLD=
TARGET=
STAGE=
LOCK=

main() {
  find_loader
  check_root
  trap 'on_exit' EXIT
  trap 'exit 130' INT TERM HUP
  check_tools
  check_system
  check_clock
  take_lock
  if is_done; then
    report installed
    echo "This machine is the node @NAME@ already, and runs version $VERSION. Nothing was changed."
    return
  fi
  check_port
  if [ -x "$PACKAGE/bin/causeway-node" ]; then
    use_package
  else
    download
  fi
  make_identity
  install_files
  start_service
}

# Checks -----------------------------------------------------------------------------------------------------------------

check_root() {
  [ "$(id -u)" = 0 ] || fail noRoot 'This needs root. Paste the line with "sudo sh" at its end, or run it as root.'
}

find_loader() {
  LOADER=
  if command -v curl > /dev/null; then LOADER=curl
  elif command -v wget > /dev/null; then LOADER=wget
  fi
}

check_tools() {
  [ -n "$LOADER" ] || fail tools 'Neither curl nor wget is on this machine. Install one of them: apt-get install curl'
  if command -v sha256sum > /dev/null; then DIGEST=sha256sum
  elif command -v openssl > /dev/null; then DIGEST='openssl dgst -sha256 -r'
  else fail tools 'Neither sha256sum nor openssl is on this machine, so that files cannot be checked. Install one of them.'
  fi
  for tool in tar gzip; do
    command -v $tool > /dev/null || fail tools "$tool is not on this machine. Install it: apt-get install $tool" $tool
  done
}

check_system() {
  [ "$(uname -s)" = Linux ] || fail system "A node runs on Linux; this is $(uname -s)." "$(uname -s)"
  machine=$(uname -m)
  # A system of 32 bits may run on a kernel of 64.
  if [ "$(getconf LONG_BIT 2> /dev/null || echo 64)" = 32 ]; then machine="32 bit on $machine"; fi
  case $machine in
    x86_64) ARCH=x64 SUM=$DIGEST_X64 BYTES=$BYTES_X64 LOADERS='/lib64/ld-linux-x86-64.so.2' ;;
    aarch64 | arm64) ARCH=arm64 SUM=$DIGEST_ARM64 BYTES=$BYTES_ARM64 LOADERS='/lib/ld-linux-aarch64.so.1' ;;
    *) fail architecture "A node runs on processors of 64 bits, x86-64 or ARM; this is $machine." "$machine" ;;
  esac
  [ -e "$LOADERS" ] || fail system 'This system has no GNU C library (Alpine and others with musl), for which Node.js is not built here. Take Debian or Ubuntu.' musl
  [ -n "$SUM" ] || fail architecture "The panel has no files for $ARCH. Its release for that processor has to be built first: npm run package" "$ARCH"
}

# Certificates that begin in the future do not count, and some protocols refuse other clocks.
check_clock() {
  ahead=$(($(date +%s) - MADE_AT))
  error=${ahead#-}
  [ "$error" -le $LONGEST_CLOCK_ERROR ] || fail clock "The clock of this machine is wrong by $((error / 3600)) h $((error % 3600 / 60)) min. Set it: timedatectl set-ntp true" "$ahead"
  [ "$error" -le 60 ] || echo "Note: the clock of this machine is wrong by $error seconds. VMess refuses clients from a minute on."
}

check_port() {
  is_listening || return 0
  if is_active && has_port; then return 0; fi
  program=unknown
  if command -v ss > /dev/null; then
    program=$(ss -Hltnp "sport = :$PORT" | sed -n 's/.*users:(("\([^"]*\)".*/\1/p' | head -n 1)
  fi
  fail portTaken "Port $PORT is taken by ${program:-another program}. Stop it, or give the node another port in its dialog." "$PORT ${program:-unknown}"
}

# Without tools that a small machine may lack: state 0A of the kernel's table is listening.
is_listening() {
  hex=$(printf '%04X' "$PORT")
  cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | awk -v port="$hex" '{ split($2, at, ":"); if (at[2] == port && $4 == "0A") found = 1 } END { exit !found }'
}

has_systemd() { [ -d /run/systemd/system ]; }
has_way() { [ "$CALLS" = "$(grep -qx 'CALLS_PANEL=true' $SETTINGS 2> /dev/null && echo true || echo false)" ]; }
has_port() { grep -qx "NODE_PORT=$PORT" $SETTINGS 2> /dev/null; }
is_active() { has_systemd && systemctl --quiet is-active causeway-node; }

check_disk() {
  mkdir -p $HOME_DIR
  need=$((BYTES * 6 / 1024))
  free=$(df -Pk $HOME_DIR | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$need" ] || fail diskFull "$HOME_DIR has $((free / 1024)) MB free, and $((need / 1024)) MB are needed. Make room." "$((free / 1024)) $((need / 1024))"
}

# One script at a time on a machine; the lock of one that was killed is taken over.
take_lock() {
  mkdir -p $HOME_DIR
  if ! mkdir $HOME_DIR/.lock 2> /dev/null; then
    other=$(cat $HOME_DIR/.lock/pid 2> /dev/null || echo 0)
    if [ "$other" != 0 ] && kill -0 "$other" 2> /dev/null; then
      echo "This script runs already on this machine (process $other). Wait until it has ended." >&2
      exit 1
    fi
    rm -rf $HOME_DIR/.lock $HOME_DIR/.new.*
    mkdir $HOME_DIR/.lock
  fi
  LOCK=$HOME_DIR/.lock
  echo $$ > $LOCK/pid
}

# Twice in a row changes nothing: the same files, a certificate that counts, and a service that runs.
is_done() {
  [ "$(cat $HOME_DIR/current/.digest 2> /dev/null)" = "$SUM" ] || return 1
  has_port || return 1
  has_way || return 1
  mark=$($HOME_DIR/current/bin/causeway-node fingerprint 2> /dev/null) || return 1
  case " $CERTIFICATES " in *" ${mark:-none} "*) ;; *) return 1 ;; esac
  if has_systemd; then is_active; else is_listening; fi
}

# Work ---------------------------------------------------------------------------------------------------------------------

download() {
  # Of an earlier time, checked then: each version is put in place whole.
  PROGRAM_AT=$HOME_DIR/current
  TARGET=$HOME_DIR/$(echo "$SUM" | cut -c 1-16)
  if [ "$(cat "$TARGET/.digest" 2> /dev/null)" = "$SUM" ]; then
    STAGE=$HOME_DIR/.new.$$
    mkdir -p $STAGE
    PROGRAM=$TARGET
    report downloaded
    return
  fi
  check_disk
  STAGE=$HOME_DIR/.new.$$
  mkdir -p $STAGE/program
  echo "Downloading the files of the node for $ARCH ($((BYTES / 1048576)) MB) ..."
  fetch "files/causeway-node-$ARCH.tar.gz" "$STAGE/files.tar.gz" || {
    check_disk
    fail download 'The files could not be downloaded. Is the panel still reachable, and the code not older than an hour? Then paste the line again.'
  }
  [ "$($DIGEST "$STAGE/files.tar.gz" | cut -d ' ' -f 1)" = "$SUM" ] || fail digest 'The downloaded files are not those that the panel has: something on the way has changed or cut them. Paste the line again.'
  tar -xzf "$STAGE/files.tar.gz" -C "$STAGE/program" --strip-components=1 || {
    check_disk
    fail diskFull 'The files could not be unpacked.'
  }
  rm "$STAGE/files.tar.gz"
  echo "$SUM" > "$STAGE/program/.digest"
  PROGRAM=$STAGE/program
  problem=$("$PROGRAM/bin/causeway-node" --version 2>&1) || fail system "The agent does not run on this system: $problem" "$problem"
  problem=$("$PROGRAM/engine/build/xray" version 2>&1) || fail system "Xray does not run on this system: $problem" "$problem"
  report downloaded
}

# A Debian package has brought the files: it keeps them, and its own unit.
use_package() {
  PROGRAM=$PACKAGE
  PROGRAM_AT=$PACKAGE
  held=$("$PROGRAM/bin/causeway-node" --version 2> /dev/null || echo older)
  [ "$held" = "$VERSION" ] || fail anotherPackage "The package causeway-node of another version is installed here ($held; the panel has $VERSION). Update it, or remove it: apt remove causeway-node" "$held $VERSION"
  mkdir -p $HOME_DIR
  STAGE=$HOME_DIR/.new.$$
  mkdir -p $STAGE
  report downloaded
}

# The key is made here. Only the request to sign it leaves the machine. From then on the code counts no more.
make_identity() {
  echo 'Making the key of this node, and having it signed ...'
  (umask 077 && "$PROGRAM/bin/causeway-node" request "$STAGE/identity" > "$STAGE/request.json")
  send certificate "$STAGE/request.json" "$STAGE/signed.json" || fail certificate 'The panel did not sign the key of this node. The code may have been used by another machine meanwhile: make a new one in the dialog.'
  "$PROGRAM/bin/causeway-node" accept "$STAGE/identity" < "$STAGE/signed.json" || fail certificate 'What the panel has sent is no certificate for this key.'
}

install_files() {
  if ! id $ACCOUNT > /dev/null 2>&1; then
    if command -v useradd > /dev/null; then
      useradd --system --user-group --no-create-home --home-dir $DATA --shell /usr/sbin/nologin $ACCOUNT
    else
      addgroup -S $ACCOUNT && adduser -S -D -H -h $DATA -s /sbin/nologin -G $ACCOUNT $ACCOUNT
    fi
  fi
  if [ "$PROGRAM" != $PACKAGE ]; then
    if [ -L $HOME_DIR/current ]; then OLD=$(readlink -f $HOME_DIR/current); fi
    if [ "$PROGRAM" != "$TARGET" ]; then mv "$PROGRAM" "$TARGET"; fi
    ln -s "$TARGET" "$STAGE/link"
    mv -T "$STAGE/link" $HOME_DIR/current
    mkdir -p /usr/local/bin
    ln -sfn $HOME_DIR/current/bin/causeway-node /usr/local/bin/causeway-node
  fi
  # The key is for the agent alone, at no time readable by others.
  mkdir -p $DATA
  chown $ACCOUNT:$ACCOUNT $DATA
  chmod 0700 $DATA
  (umask 077 && cp "$STAGE/identity/identity.json" $DATA/identity.json.joined)
  chown $ACCOUNT:$ACCOUNT $DATA/identity.json.joined
  mv $DATA/identity.json.joined $DATA/identity.json
  write_settings
}

# Settings that are there stay, but the port, the panel, who calls, and the secret key, which the own key replaces.
write_settings() {
  mkdir -p /etc/causeway
  (
    umask 077
    grep -v -e '^NODE_PORT=' -e '^PANEL_URL=' -e '^CALLS_PANEL=' -e '^SECRET_KEY=' -e '^SSL_CERT=' $SETTINGS 2> /dev/null || true
    echo "NODE_PORT=$PORT"
    echo "PANEL_URL=$PANEL"
    if [ "$CALLS" = true ]; then echo 'CALLS_PANEL=true'; fi
  ) > $SETTINGS.new
  chmod 0640 $SETTINGS.new
  chown root:$ACCOUNT $SETTINGS.new
  mv $SETTINGS.new $SETTINGS
}

start_service() {
  if ! has_systemd; then
    report installed
    print_without_systemd
    return
  fi
  if [ "$PROGRAM" != $PACKAGE ]; then
    sed -e "s#$PACKAGE#$HOME_DIR/current#g" -e '/^Documentation=/d' $HOME_DIR/current/scripts/package/files/causeway-node.service > $UNIT.new
    mv $UNIT.new $UNIT
  fi
  systemctl daemon-reload
  systemctl --quiet enable causeway-node
  # A core that runs goes on: the new agent takes it up.
  systemctl restart causeway-node || go_back 'The service did not start.'
  tries=0
  until is_listening; do
    tries=$((tries + 1))
    [ $tries -le $LONGEST_START ] || go_back "The agent does not listen on port $PORT."
    sleep 1
  done
  report installed
  # Older versions.
  for old in $HOME_DIR/*; do
    if [ "$old" != $HOME_DIR/current ] && [ "$old" != "$(readlink -f $HOME_DIR/current)" ]; then rm -rf "$old"; fi
  done
  if [ "$CALLS" = true ]; then echo "Done: the agent calls $PANEL. The dialog of the node shows whether that arrives."
  else echo "Done: the agent listens on port $PORT. The dialog of the node shows whether the panel reaches it."
  fi
  hint_firewall
}

# An agent that does not come up gives way to the one before it, which has served until now.
go_back() {
  if [ -n "$OLD" ] && [ -d "$OLD" ] && [ "$OLD" != "$TARGET" ]; then
    ln -s "$OLD" "$STAGE/back"
    mv -T "$STAGE/back" $HOME_DIR/current
    rm -rf "$TARGET"
    systemctl restart causeway-node || true
    fail notRunning "$1 The version before it runs again. Why: causeway-node logs" 'the version before it runs again'
  fi
  fail notRunning "$1 Why: causeway-node logs"
}

print_without_systemd() {
  more=
  if [ "$CALLS" = true ]; then more=" CALLS_PANEL=true PANEL_URL=$PANEL"; fi
  echo "The files and the key are in place. This system has no systemd, so start the agent by what starts programs here."
  echo
  echo "In a container, or by hand:"
  echo "  su -s /bin/sh $ACCOUNT -c 'DATA_DIR=$DATA NODE_PORT=$PORT$more exec $PROGRAM_AT/bin/causeway-node'"
  if command -v rc-service > /dev/null; then
    echo
    echo "With OpenRC, as /etc/init.d/causeway-node (then: rc-update add causeway-node && rc-service causeway-node start):"
    echo "  #!/sbin/openrc-run"
    echo "  supervisor=supervise-daemon"
    echo "  command=$PROGRAM_AT/bin/causeway-node"
    echo "  command_user=$ACCOUNT:$ACCOUNT"
    echo "  supervise_daemon_args=\"--env DATA_DIR=$DATA --env NODE_PORT=$PORT$(for one in $more; do printf ' --env %s' "$one"; done)\""
    echo "  depend() { need net; }"
  fi
  hint_firewall
}

hint_firewall() {
  if [ "$CALLS" = true ]; then
    echo 'No port has to be open for the panel. If a firewall stands before this machine, let subscribers in on the ports of the inbounds.'
    return
  fi
  if command -v ufw > /dev/null && ufw status 2> /dev/null | grep -q 'Status: active'; then
    echo "A firewall is active here. Let the panel in: ufw allow $PORT/tcp"
  elif command -v firewall-cmd > /dev/null && firewall-cmd --state > /dev/null 2>&1; then
    echo "A firewall is active here. Let the panel in: firewall-cmd --permanent --add-port=$PORT/tcp && firewall-cmd --reload"
  else
    echo "If a firewall stands before this machine, let the panel in on TCP port $PORT, and subscribers on those of the inbounds."
  fi
}

# The way to the panel ---------------------------------------------------------------------------------------------------------

fetch() {
  if [ $LOADER = curl ]; then curl -fsS -o "$2" "$PANEL/join/$CODE/$1"
  else wget -q -O "$2" "$PANEL/join/$CODE/$1"
  fi
}

send() {
  if [ $LOADER = curl ]; then curl -fsS -H 'content-type: application/json' --data-binary "@$2" -o "$3" "$PANEL/join/$CODE/$1"
  else wget -q --header 'content-type: application/json' --post-file "$2" -O "$3" "$PANEL/join/$CODE/$1"
  fi
}

# Tells the dialog how far this is. Joining does not depend on it.
report() { tell "{\"step\":\"$1\"}"; }

tell() {
  if [ -z "${LOADER:-}" ]; then return 0; fi
  note=$(mktemp) || return 0
  printf '%s' "$1" > "$note"
  send progress "$note" /dev/null 2> /dev/null || true
  rm -f "$note"
}

# fail KIND SENTENCE [DETAIL]
fail() {
  FAILED=1
  echo "Not done: $2" >&2
  detail=$(printf '%s' "${3:-}" | tr -c 'A-Za-z0-9 ._:/()-' ' ' | cut -c 1-200)
  tell "{\"failure\":\"$1\",\"detail\":\"$detail\"}"
  exit 1
}

FAILED=
on_exit() {
  status=$?
  if [ $status != 0 ] && [ -z "$FAILED" ]; then
    echo 'Not done: the script was interrupted, or a command in it has failed. What was begun is removed; paste the line again.' >&2
    tell '{"failure":"interrupted","detail":""}'
  fi
  if [ -n "$STAGE" ]; then rm -rf "$STAGE"; fi
  if [ -n "$LOCK" ]; then rm -rf "$LOCK"; fi
}

main
