# Runs Acacia's servers inside of a root file system. The tests of packages copy this into it and source it there.
# shellcheck shell=bash
set -euo pipefail

# The answer of the NameNode with its headers, or nothing: page PATH
page() {
  (
    exec 3<>/dev/tcp/localhost/9870
    printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$1" >&3
    cat <&3
  ) 2>/dev/null || true
}

# Waits until the NameNode is healthy and has a DataNode.
await_servers() {
  local end=$((SECONDS + 180))
  until page /health | grep -q '^HTTP/1.1 200 ' &&
    page '/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState' | grep -q '"NumLiveDataNodes" *: *1\b'; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "the NameNode has no DataNode after three minutes, and says:" >&2
      page /health >&2
      return 1
    fi
    sleep 1
  done
}

# Ends by SIGTERM, as the JVM says that: ends PID
ends() {
  kill "$1"
  local code=0
  wait "$1" || code=$?
  [ "$code" -eq 143 ] || {
    echo "ended with $code and not 143" >&2
    return 1
  }
}

# Starts both servers, runs the commands of standard input, and stops both: serve ACACIA
serve() {
  local commands
  commands=$(cat)
  "$@" namenode >>namenode.log 2>&1 </dev/null &
  local namenode=$!
  "$@" datanode >>datanode.log 2>&1 </dev/null &
  local datanode=$!
  await_servers
  bash -euxo pipefail -c "$commands"
  ends "$datanode"
  ends "$namenode"
}
