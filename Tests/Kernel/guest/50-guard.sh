# The bearer in its VRF: the gate for other users' sockets, the machine closed to the network, and
# no address of the network's that changes the way of the machine's packets.
. ./world.sh
port=$(port_unit cdc-wdm0)
probe() { python3 /opt/kernel-tier/probe.py "$@"; }
as() { # USER WORD… : a socket of that user's
  local user=$1
  shift
  setpriv --reuid "$user" --clear-groups python3 /opt/kernel-tier/probe.py "$@"
}
says() { # WORDS COMMAND… : the command prints one of the words, separated by |
  local words=$1 said
  shift
  said=$("$@")
  echo "$said" | grep -Eqx "$words" || { echo "said $said in place of $words: $*"; return 1; }
}
in_network() { nsenter -t "$(pgrep -f 'modem-simulator serve operator' | head -n 1)" -n "$@"; }
guard_is() { modemctl status --json | tr -d ' \n' | grep -q "\"guard\":\"$1\""; }
is_down() { ! modemctl status --json | tr -d ' \n' | grep -q '"state":"up"'; }
hears_nothing() { test "$(cat /tmp/heard)" = ready || { cat /tmp/heard; return 1; }; }
no_guard() { ! ip -d link show | grep -q vrf-wwan0 && no_rules; }
held=/run/kernel-tier-held
hold() { # of modemd's: a connection over IPv4, one over IPv6, and a datagram socket
  rm -rf $held
  install -d -o modemd $held
  as modemd hold $held/ipv4 198.51.100.10 443 wwan0 >/tmp/held-ipv4 &
  as modemd hold $held/ipv6 2001:db8:a::10 443 wwan0 >/tmp/held-ipv6 &
  as modemd keep $held/datagram 198.51.100.53 53 wwan0 >/tmp/held-datagram &
  eventually 20 test -e $held/ipv4 -a -e $held/ipv6 -a -e $held/datagram
}
aborted() { grep -qx ECONNABORTED /tmp/held-ipv4 && grep -qx ECONNABORTED /tmp/held-ipv6 || { cat /tmp/held-*; return 1; }; }
still_bound() {
  rm -f $held/datagram
  eventually 10 grep -qx BOUND /tmp/held-datagram || { cat /tmp/held-datagram; return 1; }
}
sockets() { python3 port.py /run/modemd/ports/cdc-wdm0 WatchSockets | tr -d ' \n'; }
lists() { # WORD… : the port lists sockets with all of them
  local said word
  said=$(sockets)
  for word in "$@"; do case $said in *"$word"*) ;; *) echo "$said lacks $word"; return 1 ;; esac; done
}
settings() { # JSON: of the port from now on
  mkdir -p /run/systemd/system/modemd-port@.service.d /etc/modemd
  echo "$1" >/etc/modemd/port-guard.json
  printf '[Service]\nEnvironment=MODEMD_PORT_OPTIONS="--configuration /etc/modemd/port-guard.json"\n' \
    >/run/systemd/system/modemd-port@.service.d/way.conf
  systemctl daemon-reload
}
with_addresses() { # FOLDER IPV4 IPV6: the demonstration's world with other addresses of the bearer's
  mkdir -p "Scenarios/$1"
  sed -e "s|10\.64\.0\.2/24\", \"gateway\": \"10\.64\.0\.1\"|$2|" -e "s|2001:db8:64::2/64\", \"gateway\": \"2001:db8:64::1\"|$3|" \
    Scenarios/demo/scenario.json >"Scenarios/$1/scenario.json"
}

settings '{}'
start_world demo mbim
trust_world
check "a check goes over the bearer" eventually 90 opens
check "modemctl tells of the VRF" guard_is vrf
check "wwan0 is a port of the VRF" sh -c 'ip link show wwan0 | grep -q "master vrf-wwan0"'
for user in 1500 0; do
  check "user $user, bound to wwan0: TCP over IPv4" says ENETUNREACH as $user tcp 198.51.100.10 443 wwan0
  check "user $user, bound to wwan0: TCP over IPv6" says ENETUNREACH as $user tcp 2001:db8:a::10 443 wwan0
  check "user $user, bound to wwan0: a datagram over IPv4" says ENETUNREACH as $user udp 198.51.100.53 53 wwan0
  check "user $user, bound to wwan0: a datagram over IPv6" says ENETUNREACH as $user udp 2001:db8:53::53 53 wwan0
  check "user $user, bound to wwan0: multicast and broadcast" sh -c "
    . ./world.sh
    for to in 224.0.0.5 239.1.2.3 255.255.255.255 ff02::fb ff05::fb; do
      setpriv --reuid $user --clear-groups python3 probe.py udp \$to 5353 wwan0 | grep -Eqx 'EPERM|ENETUNREACH|EACCES|EHOSTUNREACH' || exit 1
    done"
  check "user $user, bound to the VRF itself: IPv4" says 'TIMEOUT|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM' as $user tcp 198.51.100.10 443 vrf-wwan0
  check "user $user, bound to the VRF itself: IPv6" says 'TIMEOUT|EHOSTUNREACH|ENETUNREACH|EACCES|EPERM' as $user tcp 2001:db8:a::10 443 vrf-wwan0
  check "user $user, with the bearer's address as source" says 'EADDRNOTAVAIL' as $user tcp 198.51.100.10 443 - 10.64.0.2
done
check "modemd's own sockets leave, over IPv4" says CONNECTED as modemd tcp 198.51.100.10 443 wwan0
check "modemd's own sockets leave, over IPv6" says CONNECTED as modemd tcp 2001:db8:a::10 443 wwan0

python3 probe.py listen /tmp/heard 7777 &
listener=$!
check "something listens on every address" eventually 20 grep -q ready /tmp/heard
check "the network reaches no listener: TCP over IPv4" says 'TIMEOUT|ECONNREFUSED|EHOSTUNREACH' in_network python3 probe.py tcp 10.64.0.2 7777
check "the network reaches no listener: TCP over IPv6" says 'TIMEOUT|ECONNREFUSED|EHOSTUNREACH|EACCES' in_network python3 probe.py tcp 2001:db8:64::2 7777
check "the network sends datagrams" sh -c 'true'
in_network python3 probe.py udp 10.64.0.2 7777 >/dev/null
in_network python3 probe.py udp 2001:db8:64::2 7777 >/dev/null
in_network ip route replace 192.0.2.2/32 dev gw0
in_network python3 probe.py udp 192.0.2.2 7777 >/dev/null
in_network python3 probe.py tcp 192.0.2.2 7777 >/dev/null
# What came behind them has arrived.
check "a check behind the datagrams" opens
check "no listener heard anything" hears_nothing
check "modemd's sockets do not reach a listener at the bearer's own address" says 'TIMEOUT|ECONNREFUSED' as modemd tcp 10.64.0.2 7777 wwan0
check "no listener heard anything of that" hears_nothing
kill $listener

check "connections of modemd's are held" hold
check "the port lists them in the VRF" lists '"address":"198.51.100.10"' '"address":"2001:db8:a::10"' '"kind":"datagram"'
check "it ends no socket that is none of the bearer's" sh -c "python3 port.py /run/modemd/ports/cdc-wdm0 EndSocket '{\"cookie\":\"ffffffffffffff00\"}' | grep -q NoSuchSocket"
modemctl disconnect
check "a disconnect ends them" eventually 10 aborted
check "and frees no datagram socket from the bearer" still_bound
check "the next check goes over the bearer" eventually 60 opens
check "connections are held once more" hold
ip route flush table "$(ip -d link show vrf-wwan0 | sed -n 's/.*vrf table \([0-9]*\).*/\1/p')"
check "the loss of the table's routes ends them" eventually 10 aborted
check "and frees no datagram socket" still_bound
check "with its table emptied nothing leaves" says 'EHOSTUNREACH|ENETUNREACH' as modemd tcp 198.51.100.10 443 wwan0
check "and the next check makes the bearer anew" eventually 60 opens
ip link delete vrf-wwan0
check "a VRF that was taken away is noticed" eventually 60 sh -c 'journalctl -u "modemd-port@*" | grep -Eq "VRF device vrf-wwan0 is gone|no port of vrf-wwan0|is down|is gone"'
check "and made anew" eventually 60 opens
check "with the guard" guard_is vrf
ip rule del pref 771
check "and so is the gate" eventually 60 sh -c 'modemctl open '"$check_url"' && ip rule | grep -q ^771:'

check "connections are held before a kill" hold
kill -9 "$(systemctl show -p MainPID --value "$port")"
check "after kill -9 nothing is left" eventually 60 no_guard
check "the port's next start ends what was held" eventually 60 aborted
check "and frees no datagram socket either" still_bound
check "a check goes over the bearer again" eventually 60 opens
check "a port that is stopped leaves no guard" sh -c "systemctl stop '$port'"
check "no VRF, no rule" no_guard
check "nothing left by the other uplink" no_leaks
stop_world

# The machine's own address and its gateway's (Docs/scenarios.md), given by the network.
lan_way() { ip route get "$1" | grep -q 'dev lan0' && ip -6 route get "$2" | grep -q 'dev lan0'; }
own_way() { ip route get 192.0.2.2 | grep -q '^local' && ip -6 route get 2001:db8:ffff::2 | grep -q '^local'; }
with_addresses gateway '192.0.2.1/24", "gateway": "192.0.2.2"' '2001:db8:ffff::1/64", "gateway": "2001:db8:ffff::2"'
with_addresses own '192.0.2.2/24", "gateway": "192.0.2.9"' '2001:db8:ffff::2/64", "gateway": "2001:db8:ffff::9"'
for world_name in gateway own; do
  start_world $world_name mbim
  trust_world
  ip -6 route add 2000::/3 via 2001:db8:ffff::1 dev lan0 metric 5
  check "$world_name: a check goes over the bearer, past a VPN's route too" eventually 90 opens
  check "$world_name: the way to the gateway is as it was" lan_way 192.0.2.1 2001:db8:ffff::1
  check "$world_name: and everything else's" lan_way 203.0.113.30 2001:db8:c::30
  check "$world_name: the machine's own address is its own" own_way
  check "$world_name: the gateway answers" sh -c "python3 probe.py tcp 192.0.2.1 9 | grep -qx ECONNREFUSED"
  check "$world_name: and over IPv6" sh -c "python3 probe.py tcp 2001:db8:ffff::1 9 | grep -qx ECONNREFUSED"
  systemctl stop "$port"
  stop_world
done

settings '{ "bearer": { "guard": "nftables" } }'
start_world demo mbim
trust_world
check "nftables: a check goes over the bearer" eventually 90 opens
check "nftables: modemctl tells of it" guard_is nftables
check "nftables: another user's TCP" sh -c "setpriv --reuid 1500 --clear-groups python3 probe.py tcp 198.51.100.10 443 wwan0 | grep -Eqx 'EHOSTUNREACH|ENETUNREACH|EACCES|ECONNREFUSED|EPERM'"
check "nftables: modemd's own" says CONNECTED as modemd tcp 198.51.100.10 443 wwan0
systemctl stop "$port"
stop_world

settings '{ "bearer": { "guard": "off" } }'
start_world demo mbim
trust_world
check "off: a check goes over the bearer" eventually 90 opens
check "off: modemctl tells of it" guard_is none
check "off: modemd warns" sh -c 'journalctl -u modemd.service | grep -q "nothing guards the bearer"'
check "off: another user's socket leaves" says CONNECTED as 1500 tcp 198.51.100.10 443 wwan0
systemctl stop "$port"
stop_world
rm -r /run/systemd/system/modemd-port@.service.d
systemctl daemon-reload
