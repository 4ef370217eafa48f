# Bearers that are links over the modem's interface: QMAP over qmi_wwan, by the driver itself and by
# rmnet; an MBIM session's VLAN; and links of a WWAN class device.
. ./world.sh
port=$(port_unit cdc-wdm0)
link_is() { modemctl status --json | tr -d ' \n' | grep -q "\"interface\":\"$1\""; }
has_no() { ! ip link show "$1"; }
settings() { # JSON: of the port from now on
  mkdir -p /run/systemd/system/modemd-port@.service.d /etc/modemd
  echo "$1" >/etc/modemd/port-links.json
  printf '[Service]\nEnvironment=MODEMD_PORT_OPTIONS="--configuration /etc/modemd/port-links.json"\n' \
    >/run/systemd/system/modemd-port@.service.d/way.conf
  systemctl daemon-reload
}
make_scenario() { # FOLDER: the demonstration's world with a modem that multiplexes, whatever the host asks for
  mkdir -p "Scenarios/$1"
  sed -e 's|"protocol": "mbim",|"protocol": "qmi", "linkLayer": "multiplexed",|' Scenarios/demo/scenario.json >"Scenarios/$1/scenario.json"
}
mtu_is() { test "$(cat /sys/class/net/wwan0/mtu)" = "$1"; }
goes_over() { # LINK WORDS: what holds for a bearer on a link, whatever made it
  check "$2: a check goes over the bearer" eventually 90 opens
  check "$2: the bearer is $1" link_is "$1"
  check "$2: the bearer's rules stand" has_rules
  kill -9 "$(systemctl show -p MainPID --value "$port")"
  check "$2: after kill -9 it comes again" eventually 90 opens
  check "$2: on $1 alone" sh -c "test \$(ip -o link | grep -Ec ': (qmimux|wwan0\.)') = 1"
  make_happen unplug
  check "$2: nothing of a pulled modem is left" eventually 30 no_rules
  check "$2: not its link" has_no "$1"
  make_happen plug-in
  check "$2: the modem comes back" eventually 180 sh -c 'modemctl list --json | grep -q wwan0'
}

make_scenario multiplexed
settings '{ "bearer": { "reconnect": false } }'
start_world multiplexed qmi
trust_world
goes_over qmimux0 "QMAP by qmi_wwan"
check "QMAP by qmi_wwan: and works" eventually 90 opens
check "QMAP by qmi_wwan: the interface takes the modem's longest transfer" mtu_is 16384
check "QMAP by qmi_wwan: packets are bare IP" grep -qx Y /sys/class/net/wwan0/qmi/raw_ip
check "QMAP by qmi_wwan: nothing left by the other uplink" no_leaks
modemctl disconnect >/dev/null
check "QMAP by qmi_wwan: the link goes with the bearer" has_no qmimux0
check "QMAP by qmi_wwan: and the interface is as it was" mtu_is 1500
systemctl stop "$port"

if modprobe rmnet 2>/dev/null; then
  pass_through() {
    ip link set wwan0 down
    echo Y >/sys/class/net/wwan0/qmi/raw_ip
    echo Y >/sys/class/net/wwan0/qmi/pass_through
  }
  check "QMAP by rmnet: qmi_wwan passes packets through" pass_through
  systemctl start "$port"
  check "QMAP by rmnet: a check goes over the bearer" eventually 90 opens
  check "QMAP by rmnet: the bearer is wwan0.1" link_is wwan0.1
  check "QMAP by rmnet: the interface takes the modem's longest transfer" mtu_is 16384
  check "QMAP by rmnet: of kind rmnet" sh -c 'ip -d link show wwan0.1 | grep -Eq "rmnet.*mux_id (0x)?1 "'
  kill -9 "$(systemctl show -p MainPID --value "$port")"
  check "QMAP by rmnet: after kill -9 it comes again" eventually 90 opens
  modemctl disconnect >/dev/null
  check "QMAP by rmnet: the link goes with the bearer" has_no wwan0.1
  check "QMAP by rmnet: nothing left by the other uplink" no_leaks
  systemctl stop "$port"
else
  echo "# left out: no module rmnet (Tests/Kernel/build-modules)"
fi
stop_world

# A modem that multiplexes when it is asked: two PDNs' room, one of which is modemd's.
settings '{ "bearer": { "session": 9 } }'
start_world demo qmi
trust_world
goes_over qmimux0 "multiplexing id 9 over QMI"
check "multiplexing id 9 over QMI: and works" eventually 90 opens
check "multiplexing id 9 over QMI: is the link's" sh -c 'grep -qx 0x09 /sys/class/net/qmimux0/qmap/mux_id'
systemctl stop "$port"
stop_world

start_world demo mbim
trust_world
goes_over wwan0.9 "MBIM session 9"
check "MBIM session 9: and works" eventually 90 opens
check "MBIM session 9: is a VLAN" sh -c 'ip -d link show wwan0.9 | grep -q "vlan protocol 802.1Q id 9"'
check "MBIM session 9: nothing left by the other uplink" no_leaks
systemctl stop "$port"
stop_world
rm -r /run/systemd/system/modemd-port@.service.d
systemctl daemon-reload

# The WWAN class, with the kernel's device without hardware: links are made and taken away, and
# carry nothing.
if modinfo wwan_hwsim >/dev/null 2>&1; then
  modprobe wwan_hwsim devices=2
  check "WWAN class: there are devices and ports" eventually 20 test -c /dev/wwan1at0
  check "WWAN class: no port is started for a port of another protocol" sh -c "udevadm settle; ! systemctl list-units --all 'modemd-port@wwan*' | grep -q modemd-port@"
  check "WWAN class: an AT port is none" sh -c '/usr/lib/modemd/modemd-port --elect --device /dev/wwan1at0 --socket /tmp/elect 2>&1 | grep "is a port of type"'
  # The kernel's own links are in the way of the names.
  for link in /sys/class/wwan/wwan[01]/net/*; do ip link delete "$(basename "$link")"; done
  modem-simulator up --without-daemons Scenarios/demo -- bash /opt/kernel-tier/wwan-links.sh >/tmp/wwan-links.log 2>&1
  check "WWAN class: the checks came to their end" grep -q "session 5: its link is gone" /tmp/wwan-links.log
  while read -r result words; do
    case $result in
      ok) check "WWAN class: $words" true ;;
      FAILS) check "WWAN class: $words" false ;;
    esac
  done </tmp/wwan-links.log
  if grep -q ^FAILS /tmp/wwan-links.log; then tail -n 30 /tmp/wwan-port.log; fi
  rmmod wwan_hwsim
else
  echo "# left out: no module wwan_hwsim (Tests/Kernel/build-modules)"
fi
