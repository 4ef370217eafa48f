# The real ModemManager beside modemd on the same modems: MBIM and QMI, one modem and two, one
# session and eight. Each pair of these occurs; the ways that an administrator may set are tried on
# one modem of each protocol.
. ./world.sh
rm -f /etc/systemd/system/ModemManager.service
systemctl daemon-reload
# With more than one modem the proxies are units of their own: one that a port starts may open that
# port's modem alone.
systemctl start dbus.service modemd-mbim-proxy.service modemd-qmi-proxy.service

manager_has() { [ "$(mmcli -L | grep -c /Modem/)" = "$1" ]; } # COUNT
manager_path() { # INTERFACE: ModemManager's name of the modem
  local path
  for path in $(mmcli -L | grep -o '/org/[^ ]*'); do
    if mmcli -m "$path" -K | grep -q "$1 (net)"; then echo "$path"; fi
  done
}
value() { mmcli "$1" "$2" -K | awk -v key="$3" '$1 == key { print $3 }'; }
manager_connects() { mmcli -m "$(manager_path "$1")" --simple-connect=apn=internet,ip-type=ipv4v6; } # INTERFACE
manager_is_connected() { mmcli -m "$(manager_path "$1")" -K | grep -Eq '^modem.generic.state +: connected'; }
manager_disconnects() { # INTERFACE
  mmcli -m "$(manager_path "$1")" --simple-disconnect >/dev/null
  ip address flush dev "$1"
}
# What NetworkManager, or an administrator, does with a bearer that ModemManager has connected.
set_up_bearer() { # INTERFACE
  local bearer family address
  bearer=$(value -m "$(manager_path "$1")" 'modem.generic.bearers.value[1]')
  ip link set "$1" up
  for family in ipv4 ipv6; do
    address=$(value -b "$bearer" "bearer.$family-config.address")
    if [ "$address" != -- ] && [ -n "$address" ]; then
      ip address add "$address/$(value -b "$bearer" "bearer.$family-config.prefix")" dev "$1"
    fi
  done
  ip address show dev "$1" | grep -q 'inet 10'
}
manager_knows() { [ -n "$(manager_path "$1")" ]; } # INTERFACE
manager_lets_go() { modemctl status "$1" --json | grep -q '"managerState":"inhibited"'; } # INTERFACE
manager_is_gone() { ! modemctl status "$1" --json | grep -q '"manager":"'; } # INTERFACE
way_is() { modemctl status "$1" --json | grep -q "\"way\":\"$2\""; } # INTERFACE WAY
# A check over one of several modems, by the number of its SIM.
opens_over() { modemctl open --modem "wwan$1" "https://check.aggregator.example/checks/491511234567$((8 + $1))"; } # NUMBER
options() { # WORDS…: of every port from now on
  mkdir -p /run/systemd/system/modemd-port@.service.d
  printf '[Service]\nEnvironment=MODEMD_PORT_OPTIONS="%s"\n' "$*" >/run/systemd/system/modemd-port@.service.d/way.conf
  systemctl daemon-reload
}
restart_ports() {
  local number
  for ((number = 0; number < $1; number++)); do systemctl restart "$(port_unit "cdc-wdm$number")"; done
}
world_of() { # PROTOCOL MODEMS SESSIONS
  mkdir -p Scenarios/shared
  printf '{ "modem": { "count": %s, "sessions": %s } }\n' "$2" "$3" >Scenarios/shared/scenario.json
  options
  start_world shared "$1"
  trust_world
}

# Left to itself: modemd first with a bearer, then ModemManager, then modemd anew; ModemManager with
# a bearer of its own; and without ModemManager.
auto() { # PROTOCOL MODEMS SESSIONS
  local what="$1, modems: $2, sessions: $3" modems=$2 found=$2 beside=share connected=follow number
  if [ "$3" = 1 ]; then
    beside=own
    # The one whose bearer is up is modemd's.
    found=$((modems - 1))
  elif [ "$1" = mbim ]; then
    connected=share
  fi
  check "$what: before ModemManager a check goes over the bearer" eventually 90 opens_over 0
  check "$what: in the way own" way_is wwan0 own
  check "$what: ModemManager starts" systemctl start ModemManager.service
  check "$what: ModemManager finds the others" eventually 120 manager_has $found
  if [ $beside = own ]; then check "$what: it is told to let go of the first" eventually 120 manager_lets_go wwan0; fi
  # ModemManager, when it starts, takes down the interfaces of all modems that are there before it.
  check "$what: meanwhile a check goes over the bearer, or over a new one" eventually 60 opens_over 0
  modemctl disconnect --modem wwan0 >/dev/null
  check "$what: ModemManager has all when no bearer is wanted" eventually 120 manager_has "$modems"
  for ((number = 0; number < modems; number++)); do
    check "$what: beside ModemManager a check goes over wwan$number" eventually 90 opens_over $number
    check "$what: in the way $beside" way_is wwan$number $beside
  done
  if [ $beside = share ]; then check "$what: ModemManager has them still" manager_has "$modems"; fi
  restart_ports "$modems"
  check "$what: started after ModemManager the end is the same" eventually 90 opens_over 0
  check "$what: in the way $beside" way_is wwan0 $beside
  modemctl disconnect --modem wwan0 >/dev/null
  check "$what: ModemManager has the first" eventually 120 manager_knows wwan0
  check "$what: ModemManager connects" eventually 120 manager_connects wwan0
  check "$what: its bearer is set up, as NetworkManager would" set_up_bearer wwan0
  check "$what: a check goes over that bearer or over one beside it" eventually 90 opens_over 0
  check "$what: in the way $connected" way_is wwan0 $connected
  check "$what: ModemManager is connected still" manager_is_connected wwan0
  modemctl disconnect --modem wwan0 >/dev/null
  systemctl stop ModemManager.service
  ip address flush dev wwan0
  check "$what: without ModemManager a check goes over the bearer" eventually 90 opens_over 0
  check "$what: and status says that it is gone" eventually 30 manager_is_gone wwan0
  check "$what: nothing left by the other uplink" no_leaks
  for ((number = 0; number < modems; number++)); do modemctl disconnect --modem wwan$number >/dev/null; done
}

# As an administrator has set it, on one modem.
ways() { # PROTOCOL SESSIONS
  local what=$1
  local port
  port=$(port_unit cdc-wdm0)
  systemctl start ModemManager.service
  check "$what: ModemManager has the modem" eventually 120 manager_has 1
  options --sharing own
  systemctl restart "$port"
  check "$what, own: a check goes over the bearer" eventually 90 opens
  check "$what, own: ModemManager has let go" eventually 120 manager_has 0
  systemctl stop "$port"
  check "$what, own: ModemManager has the modem back when the port has stopped" eventually 120 manager_has 1

  options --sharing follow
  check "$what, follow: ModemManager connects" eventually 120 manager_connects wwan0
  check "$what, follow: its bearer is set up, as NetworkManager would" set_up_bearer wwan0
  systemctl start "$port"
  check "$what, follow: a check goes over ModemManager's bearer" eventually 90 opens
  check "$what: nothing left by the other uplink" no_leaks
  systemctl stop "$port"
  check "$what, follow: the bearer is ModemManager's still" manager_is_connected wwan0
  check "$what, follow: nothing of modemd is left" no_rules
  manager_disconnects wwan0
  # From here on the address is there without modemd's rules: what the kernel answers to the far
  # end's last packets, which is resets, goes where the machine's routes say.

  options --sharing share
  systemctl start "$port"
  check "$what, share: both know the modem" eventually 90 sh -c "mmcli -L | grep -q /Modem/ && modemctl list --json | grep -q wwan0"
  check "$what, share: a check goes over a bearer of modemd's own" eventually 90 opens
  if [ "$2" != 1 ]; then check "$what, share: on a link of its own" sh -c 'modemctl bearer --json | grep -Eq "wwan0\\.|qmimux"'; fi
  check "$what, share: ModemManager is not disturbed" manager_has 1
  check "$what: nothing left by the other uplink, but for such resets" no_leaks_beside_resets
  systemctl stop "$port" ModemManager.service
}

world_of mbim 2 1
auto mbim 2 1
stop_world

world_of mbim 1 8
auto mbim 1 8
ways mbim 8
stop_world

world_of qmi 1 1
auto qmi 1 1
ways qmi 1
stop_world

world_of qmi 2 8
auto qmi 2 8
stop_world
options
