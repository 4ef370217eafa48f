# Programs over the bearer: unchanged ones by modemctl run, as a user without privileges, with the
# VRF and the gate; a descriptor that Python takes; and what becomes of both when the bearer goes.
. ./world.sh
port=$(port_unit cdc-wdm0)
host=check.aggregator.example:8181 page="the operator's page"
getent group programs >/dev/null || groupadd -g 1500 programs
getent passwd programs >/dev/null || useradd -u 1500 -g 1500 -M programs
as_user() { setpriv --reuid 1500 --regid 1500 --clear-groups env HOME=/tmp "$@"; }
run() { as_user modemctl run -- "$@"; }
in_network() { nsenter -t "$(pgrep -f 'modem-simulator serve operator' | head -n 1)" -n "$@"; }
gets() { # COMMAND…: prints the page
  run "$@" | grep -qx "$page"
}
fails() { ! "$@"; }
at_once() { # COMMAND…: fails within two seconds
  local began=$SECONDS
  if run "$@"; then return 1; fi
  test $((SECONDS - began)) -le 8
}
guard_is() { modemctl status --json | tr -d ' \n' | grep -q "\"guard\":\"$1\""; }

mkdir -p /etc/modemd
cp /etc/modemd/modemd.json /tmp/modemd.json.before 2>/dev/null
echo '{ "access": { "groups": ["modemd"], "table": { "org.modemd.Bearer.OpenStream": ["programs"], "org.modemd.Bearer.OpenSocket": ["programs"] } } }' \
  >/etc/modemd/modemd.json
start_world demo mbim
trust_world
check "a check goes over the bearer" eventually 90 opens
check "modemctl tells of the VRF" guard_is vrf

rm -rf /tmp/www
mkdir -p /tmp/www/work
echo "$page" >/tmp/www/index.html
(cd /tmp/www/work && git init -q && cp ../index.html page && git add page &&
  git -c user.name=n -c user.email=e@example.com commit -qm page && cd .. &&
  git clone -q --bare work repository && git -C repository update-server-info)
in_network python3 serve.py /tmp/www 8181 >/tmp/serve.log 2>&1 &
server=$!
check "a server listens in the operator's network" eventually 30 grep -qx ready /tmp/serve.log

check "user 1500 has no way of its own" fails as_user curl -sS --max-time 3 --interface wwan0 "http://198.51.100.10:8181/"
check "curl" gets curl -sS "http://$host/"
check "curl, to an address of IPv4" gets curl -sS "http://198.51.100.10:8181/"
check "curl, to an address of IPv6" gets curl -sS "http://[2001:db8:a::10]:8181/"
check "wget" gets wget -q -t 1 -T 20 -O - "http://$host/"
check "git" sh -c "rm -rf /tmp/clone; setpriv --reuid 1500 --regid 1500 --clear-groups env HOME=/tmp modemctl run -- git clone -q http://$host/repository /tmp/clone && grep -qx \"$page\" /tmp/clone/page"
check "Python" gets python3 -c "import urllib.request as r; print(r.urlopen('http://$host/').read().decode(), end='')"
check "Node" gets node -e "fetch('http://$host/').then(a => a.text()).then(t => process.stdout.write(t))"
if [ -x fetch ]; then check "a static program of Go" gets ./fetch "$host"; fi
check "a shell that forks" gets sh -c "curl -sS http://$host/ & curl -sS -o /dev/null http://$host/ & wait"
check "curl by the proxy itself" sh -c "setpriv --reuid 1500 --regid 1500 --clear-groups curl -sS --proxy socks5h://localhost/run/modemd/proxy http://$host/ | grep -qx \"$page\""
check "somebody without the right is refused" fails setpriv --reuid 65534 --regid 65534 --clear-groups modemctl run -- true
check "a datagram fails at once" at_once python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('198.51.100.10', 9))"
check "a raw socket fails at once" at_once python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"
check "the command's status is modemctl's" sh -c 'setpriv --reuid 1500 --regid 1500 --clear-groups modemctl run -- sh -c "exit 42"; test $? = 42'
check "nothing left by the other uplink" no_leaks

# What runs when the bearer goes: a command's connection, and a descriptor that was handed over.
begin_transfers() {
  run curl -sSN "http://$host/drip" >/tmp/drip.log 2>&1 &
  transfer=$!
  # The service's own socket is the group's.
  setpriv --reuid 1500 --regid 1500 --groups "$(getent group modemd | cut -d: -f3)" python3 take-socket.py check.aggregator.example 8181 >/tmp/taken.log 2>&1 &
  taker=$!
  eventually 60 grep -q drip /tmp/drip.log && eventually 60 grep -q receiving /tmp/taken.log
}
ended() { # PROCESS SECONDS
  eventually "$2" sh -c "! kill -0 $1"
}
for event in "drop-bearer 36" renumber remove-sim "use-slot 1"; do
  if [ "$event" = "use-slot 1" ]; then
    kill $server
    systemctl stop "$port"
    stop_world
    start_world two-slots mbim
    trust_world
    in_network python3 serve.py /tmp/www 8181 >/tmp/serve.log 2>&1 &
    server=$!
    eventually 30 grep -qx ready /tmp/serve.log
  fi
  check "$event: the bearer is up" eventually 120 modemctl connect
  check "$event: transfers run" begin_transfers
  make_happen $event
  check "$event: the command's transfer ends" ended $transfer 30
  wait $transfer
  check "$event: with curl's status for a connection that broke" test $? = 56
  check "$event: the socket that was handed over ends" ended $taker 30
  check "$event: as a connection that was aborted" grep -Eq 'ECONNABORTED|ECONNRESET' /tmp/taken.log
  check "$event: nothing left by the other uplink" no_leaks
done
kill $server
systemctl stop "$port"
check "nothing of the bearer is left" eventually 30 no_rules
stop_world
if [ -e /tmp/modemd.json.before ]; then cp /tmp/modemd.json.before /etc/modemd/modemd.json; else rm /etc/modemd/modemd.json; fi
systemctl try-restart modemd.service
