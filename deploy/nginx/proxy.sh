#!/bin/sh
# The proxy's container runs `proxy.sh start`. While it runs:
#
#   proxy.sh only ADDRESS …    pass requests only to these web servers
#   proxy.sh all [ADDRESS …]   to all of them again; to these until the others are found
#
# Both read the certificate and the configuration again, refuse no connection, and return when no
# worker with the old list is left: every request that one of them had accepted is answered.
set -eu
here=$(dirname "$0")

: "${PROXY_STATE:=/run/proxy}"             # files written here
: "${PROXY_CERTIFICATES:=/certificates}"   # fullchain.pem and privkey.pem
: "${PROXY_NAMES:=localhost}"              # for a self-made certificate: names, separated by commas
: "${PROXY_FILES:=/srv/files}"             # files from collectstatic
: "${PROXY_ACME:=/srv/acme}"               # files that certbot shows on port 80
: "${PROXY_HTTP:=80}"                      # ports, or addresses with ports
: "${PROXY_HTTPS:=443}"
: "${PROXY_SERVERS:=web:8000 resolve}"     # web servers, separated by commas; a name may stand for many
: "${PROXY_RESOLVER:=127.0.0.11}"          # docker's, which knows their addresses
: "${PROXY_CONNECTIONS_PER_ADDRESS:=100}"
: "${PROXY_PATIENCE_S:=10}"               # with clients that stop in the middle of a request
: "${PROXY_USER:=nginx}"
: "${PROXY_WORKERS:=auto}"
: "${PROXY_ACCESS_LOG:=/dev/stdout}"
: "${PROXY_TYPES:=/etc/nginx/mime.types}"
export PROXY_STATE PROXY_CERTIFICATES PROXY_FILES PROXY_ACME PROXY_HTTP PROXY_HTTPS PROXY_RESOLVER \
  PROXY_CONNECTIONS_PER_ADDRESS PROXY_PATIENCE_S PROXY_USER PROXY_WORKERS PROXY_ACCESS_LOG \
  PROXY_TYPES

conf=$PROXY_STATE/nginx.conf
list=$PROXY_STATE/servers.conf

# Lets you try the service at once, although browsers warn. See README.md for a real one.
make_certificate() {
  [ ! -s "$PROXY_CERTIFICATES/fullchain.pem" ] || return 0
  (
    umask 077
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 3650 \
      -subj "/CN=${PROXY_NAMES%%,*}" \
      -addext "subjectAltName=DNS:$(echo "$PROXY_NAMES" | sed 's/,/,DNS:/g')" \
      -keyout "$PROXY_CERTIFICATES/privkey.pem" -out "$PROXY_CERTIFICATES/fullchain.pem"
  )
}

# Only our own variables: nginx's own start with the same sign.
write_configuration() {
  # shellcheck disable=SC2016
  envsubst '$PROXY_STATE $PROXY_CERTIFICATES $PROXY_FILES $PROXY_ACME $PROXY_HTTP $PROXY_HTTPS
    $PROXY_RESOLVER $PROXY_CONNECTIONS_PER_ADDRESS $PROXY_PATIENCE_S $PROXY_USER $PROXY_WORKERS
    $PROXY_ACCESS_LOG $PROXY_TYPES' <"$here/nginx.conf.template" >"$conf"
}

# servers PARAMETERS SERVER …: a line for each. After three failed connections, a server gets a
# pause of some seconds.
servers() {
  parameters=$1
  shift
  for server; do
    echo "server $server max_fails=3 fail_timeout=5s$parameters;"
  done
}

every_server() {
  echo "$PROXY_SERVERS" | tr ',' '\n' | while read -r server; do servers "" "$server"; done
}

# As numbers: a name that is gone at the next reload would make that fail.
numbers() {
  for address; do
    name=${address%:*}
    echo "$(getent ahostsv4 "$name" | sed -n '1s/ .*//p'):${address##*:}"
  done
}

workers() {
  for process in /proc/[0-9]*; do
    # One that has just ended no longer has a parent, which is fine.
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status" 2>/dev/null) || continue
    [ "$parent" != "$master" ] || echo "${process#/proc/}"
  done
}

# Make nginx read everything again, and wait for the workers with the old list to end.
reload() {
  master=$(cat "$PROXY_STATE/nginx.pid")
  before=$(workers)
  kill -HUP "$master"
  left_s=70 # a little more than worker_shutdown_timeout
  for worker in $before; do
    while [ -e "/proc/$worker" ]; do
      [ "$left_s" -gt 0 ] || { echo "The old workers do not end." >&2; return 1; }
      sleep 1
      left_s=$((left_s - 1))
    done
  done
}

command=${1:-}
[ $# = 0 ] || shift
case $command in
  start)
    mkdir -p "$PROXY_STATE"
    make_certificate
    every_server >"$list"
    write_configuration
    exec nginx -e stderr -c "$conf" -g 'daemon off;'
    ;;
  only | all)
    cp "$list" "$list.old"
    # shellcheck disable=SC2046
    if [ "$command" = only ]; then
      servers "" $(numbers "$@") >"$list.new"
    else
      { every_server; servers " backup" $(numbers "$@"); } >"$list.new"
    fi
    mv "$list.new" "$list"
    write_configuration
    nginx -q -t -e stderr -c "$conf" || { mv "$list.old" "$list"; exit 1; }
    reload
    ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
