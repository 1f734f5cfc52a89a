#!/bin/sh
# The proxy's container runs `proxy.sh start`. While it runs:
#
#   proxy.sh only ADDRESS …    pass requests on to these web servers and no other
#   proxy.sh all [ADDRESS …]   to every one again; these meanwhile, until the others are found
#
# Both read the certificate and the configuration anew, refuse no connection, and return when no
# worker with the old list is left: each request that one of them had taken in is answered.
set -eu
here=$(dirname "$0")

: "${PROXY_STATE:=/run/proxy}"             # what is written here
: "${PROXY_CERTIFICATES:=/certificates}"   # fullchain.pem and privkey.pem
: "${PROXY_NAMES:=localhost}"              # for a certificate of its own: names, with commas
: "${PROXY_FILES:=/srv/files}"             # what collectstatic has left
: "${PROXY_ACME:=/srv/acme}"               # what certbot has to show on port 80
: "${PROXY_HTTP:=80}"                      # ports, or addresses with ports
: "${PROXY_HTTPS:=443}"
: "${PROXY_SERVERS:=web:8000 resolve}"     # every web server, with commas; a name may be many
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

# So that the service can be tried at once, though browsers warn. See README.md for a real one.
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

# Only our own variables: nginx has others, with the same sign before them.
write_configuration() {
  # shellcheck disable=SC2016
  envsubst '$PROXY_STATE $PROXY_CERTIFICATES $PROXY_FILES $PROXY_ACME $PROXY_HTTP $PROXY_HTTPS
    $PROXY_RESOLVER $PROXY_CONNECTIONS_PER_ADDRESS $PROXY_PATIENCE_S $PROXY_USER $PROXY_WORKERS
    $PROXY_ACCESS_LOG $PROXY_TYPES' <"$here/nginx.conf.template" >"$conf"
}

# servers PARAMETERS SERVER …: a line for each. After three failed connections a server is left in
# peace for some seconds.
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

# As numbers: a name that is gone at the next reload would have that refused.
numbers() {
  for address; do
    name=${address%:*}
    echo "$(getent ahostsv4 "$name" | sed -n '1s/ .*//p'):${address##*:}"
  done
}

workers() {
  for process in /proc/[0-9]*; do
    # One that has ended meanwhile has no parent any more, which is as well.
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status" 2>/dev/null) || continue
    [ "$parent" != "$master" ] || echo "${process#/proc/}"
  done
}

# Have nginx read everything anew, and wait for the workers that know the old to end.
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
