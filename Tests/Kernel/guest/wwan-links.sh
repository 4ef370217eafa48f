# Runs in a world without daemons (90-links.sh): a port whose modem's links are those of the WWAN
# class device wwan1, which has none yet. Packets go nowhere, as wwan_hwsim has no modem: what is
# checked is the kernel's part.
set -u
socket=/tmp/wwan-links.socket state=/tmp/wwan-links.state
mkdir -p $state
say() { # WORDS COMMAND…: one line for each check
  local words=$1
  shift
  if "$@" >/tmp/wwan-output 2>&1; then echo "ok $words"; else echo "FAILS $words: $(tr '\n' ' ' </tmp/wwan-output | head -c 400)"; fi
}
begin() { # OPTIONS…
  /usr/lib/modemd/modemd-port --device "$MODEM_SIMULATOR_PTY" --protocol mbim --interface wwan1 --socket $socket --state-directory $state \
    --sharing own "$@" >>/tmp/wwan-port.log 2>&1 &
  port=$!
}
ask() { python3 /opt/kernel-tier/port.py $socket "$@"; }
eventually() { # SECONDS COMMAND…
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if ((SECONDS >= end)); then return 1; fi
    sleep 0.2
  done
}
has_link() { ip -d link show "$1" 2>/dev/null | grep -q "parentdev wwan1"; }
has_no_link() { ! ip link show "$1"; }

begin
say "the port answers" eventually 60 ask GetState
say "the bearer comes up" ask Connect '{}'
say "its link is the WWAN class device's" has_link wwan1.0
say "with addresses" sh -c 'ip address show dev wwan1.0 | grep -q 10.64.0.2'
say "in a table of its own" sh -c 'ip rule | grep -Eq "^77[0-9]{1,2}:"'
kill -9 $port
wait $port 2>/dev/null
say "a killed port leaves its link" has_link wwan1.0
begin
say "the next one takes it away" eventually 60 has_no_link wwan1.0
say "and answers" eventually 60 ask GetState
say "the bearer comes up again" ask Connect '{}'
say "on a new link" has_link wwan1.0
say "it goes down" ask Disconnect '{}'
say "and its link is gone" has_no_link wwan1.0
kill $port
wait $port 2>/dev/null

# A link for session 0 that is there already, as drivers make it: it is used, and stays.
ip link add name data0 parentdev wwan1 type wwan linkid 0
say "somebody has made the link" has_link data0
begin
say "the port answers with it" eventually 60 ask GetState
say "the bearer comes up on that link" ask Connect '{}'
say "with its addresses" sh -c 'ip address show dev data0 | grep -q 10.64.0.2'
kill -9 $port
wait $port 2>/dev/null
begin
say "after kill -9 the next port answers" eventually 60 ask GetState
say "the link stays" has_link data0
say "its addresses go" eventually 30 sh -c '! ip address show dev data0 | grep -q 10.64.0.2'
kill $port
wait $port 2>/dev/null
ip link delete data0

# Another session, beside session 0 of somebody's.
ip link add name data0 parentdev wwan1 type wwan linkid 0
echo '{ "bearer": { "session": 5 } }' >/tmp/wwan-session.json
begin --configuration /tmp/wwan-session.json
say "session 5: the port answers" eventually 60 ask GetState
say "session 5: the bearer comes up" ask Connect '{}'
say "session 5: on a link of its own" has_link wwan1.5
say "session 5: the other one is as it was" sh -c '! ip address show dev data0 | grep -q inet && has_down=$(ip link show data0 | grep -c "state DOWN") && test "$has_down" = 1'
say "session 5: it goes down" ask Disconnect '{}'
say "session 5: its link is gone" has_no_link wwan1.5
kill $port
wait $port 2>/dev/null
ip link delete data0
