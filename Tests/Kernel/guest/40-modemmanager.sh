# The real ModemManager beside modemd on the same modem, in the three ways of sharing it.
knows_modem() { mmcli -L | grep -q /Modem/; }
way() { # WAY: from now on
  mkdir -p /run/systemd/system/modemd-port@.service.d
  printf '[Service]\nEnvironment=MODEMD_PORT_OPTIONS="--sharing %s"\n' "$1" >/run/systemd/system/modemd-port@.service.d/way.conf
  systemctl daemon-reload
  systemctl restart "$port"
}
value() { mmcli "$1" "$2" -K | awk -v key="$3" '$1 == key { print $3 }'; }
# What NetworkManager, or an administrator, does with a bearer that ModemManager has connected.
set_up_bearer() {
  local bearer family address
  bearer=$(value -m any 'modem.generic.bearers.value[1]')
  ip link set wwan0 up
  for family in ipv4 ipv6; do
    address=$(value -b "$bearer" "bearer.$family-config.address")
    if [ "$address" != -- ] && [ -n "$address" ]; then
      ip address add "$address/$(value -b "$bearer" "bearer.$family-config.prefix")" dev wwan0
    fi
  done
  ip address show dev wwan0 | grep -q inet
}
port=$(port_unit cdc-wdm0)

# Over QMI ModemManager 1.20.4 ends while it looks at the simulated modem here: Docs/testing.md.
for kind in mbim; do
  start_world demo $kind
  trust_world
  rm -f /etc/systemd/system/ModemManager.service
  systemctl daemon-reload
  check "$kind: ModemManager starts and finds the modem" sh -c "systemctl start dbus.service ModemManager.service"
  check "$kind: it knows the modem" eventually 120 knows_modem

  way own
  check "$kind, own: a check goes over the bearer" eventually 90 opens
  check "$kind, own: ModemManager has let go" eventually 60 sh -c '! mmcli -L | grep -q /Modem/'
  systemctl stop "$port"
  check "$kind, own: ModemManager has the modem back when the port has stopped" eventually 120 knows_modem

  way follow
  check "$kind, follow: ModemManager connects" eventually 120 mmcli -m any --simple-connect=apn=internet,ip-type=ipv4v6
  check "$kind, follow: its bearer is set up, as NetworkManager would" set_up_bearer
  check "$kind, follow: a check goes over ModemManager's bearer" eventually 90 opens
  systemctl stop "$port"
  check "$kind, follow: the bearer is ModemManager's still" sh -c 'mmcli -m any -K | grep -Eq "^modem.generic.state +: connected"'
  check "$kind, follow: nothing of modemd is left" no_rules
  mmcli -m any --simple-disconnect >/dev/null
  ip address flush dev wwan0
  ip link set wwan0 down

  way share
  check "$kind, share: both know the modem" eventually 90 sh -c "mmcli -L | grep -q /Modem/ && modemctl list --json | grep -q wwan0"
  check "$kind, share: a check goes over a bearer of modemd's own" eventually 90 opens
  check "$kind, share: ModemManager is not disturbed" knows_modem
  check "$kind: nothing left by the other uplink" no_leaks
  systemctl stop "$port" ModemManager.service
  stop_world
done
