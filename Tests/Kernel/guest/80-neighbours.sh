# Other programs that look after networks beside modemd, and a machine that sleeps: each with what a
# user sets for it (Docs/operations.md, "Beside other programs of the network").
port=$(port_unit cdc-wdm0)
# These programs send packets of their own by the other uplink. Whatever is asked there is answered
# with "leaked" and no match.
opens() { modemctl open "$check_url" --json | grep -Eq '"match" ?: ?true'; }
bearer_since() { modemctl bearer --json | grep -o '"since":"[^"]*"' | head -n 1 | cut -d'"' -f4; }
same_bearer() { [ -n "$since" ] && [ "$(bearer_since)" = "$since" ]; }
default_is_lan() { ip route show default | head -n 1 | grep -q 'dev lan0'; }
unmask() { # UNIT…: they are kept from starting with the machine
  local unit
  for unit in "$@"; do rm -f "/etc/systemd/system/$unit"; done
  systemctl daemon-reload
}
way_among() { # WAYS: says what else the port has to say of it
  local status
  status=$(modemctl status --json)
  echo "$status" | grep -oE '"(way|reason|managerState|passedOver)":("[^"]*"|null)'
  echo "$status" | grep -Eq "\"way\":\"($1)\""
}
manages_not() { ! nmcli --terse --fields DEVICE,STATE device status | grep -Eq '^(wwan0|cdc-wdm0|vrf-wwan0):connected$'; }

# --- systemd-resolved: nothing to set ---------------------------------------------------------------------------------
start_world demo mbim
trust_world
check "a check goes over the bearer" eventually 90 opens
unmask systemd-resolved.service
check "resolved starts" systemctl start systemd-resolved.service
cp /etc/resolv.conf /tmp/resolv.conf.before 2>/dev/null
ln -sf /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
check "resolved: a check goes over the bearer" eventually 60 opens
check "resolved: it has not heard of the bearer's name servers" sh -c 'resolvectl --no-pager dns && ! resolvectl --no-pager dns | grep -q 198.51.100.53'
systemctl stop systemd-resolved.service
rm -f /etc/resolv.conf
cp /tmp/resolv.conf.before /etc/resolv.conf 2>/dev/null

# --- systemd-networkd, which looks after the other uplink -------------------------------------------------------------
mkdir -p /run/systemd/network /run/systemd/networkd.conf.d
cat >/run/systemd/network/10-lan0.network <<'END'
[Match]
Name=lan0
[Network]
Address=192.0.2.2/24
Gateway=192.0.2.1
Address=2001:db8:ffff::2/64
Gateway=2001:db8:ffff::1
IPv6AcceptRA=no
END
check "networkd starts" systemctl start systemd-networkd.service
check "networkd: it has the other uplink" eventually 60 sh -c 'networkctl list lan0 --no-legend | grep -q configured'
check "networkd: without a setting rules may go at its start, and the bearer is made anew" eventually 90 sh -c \
  'modemctl open '"$check_url"' && ip rule | grep -q ^7700: && ip rule | grep -q ^771:'
printf '[Network]\nManageForeignRoutes=no\nManageForeignRoutingPolicyRules=no\n' >/run/systemd/networkd.conf.d/modemd.conf
check "networkd, with the setting: it starts anew" systemctl restart systemd-networkd.service
check "networkd, with the setting: a check goes over the bearer" eventually 90 opens
since=$(bearer_since)
for _ in 1 2; do systemctl restart systemd-networkd.service; done
check "networkd, with the setting: it has the other uplink" eventually 60 sh -c 'networkctl list lan0 --no-legend | grep -q configured'
check "networkd, with the setting: the bearer is the one of before" same_bearer
check "networkd, with the setting: a check goes over it" opens
# A file for everything, as images for the cloud have it.
printf '[Match]\nName=*\n[Network]\nDHCP=yes\n' >/run/systemd/network/90-all.network
printf '[Match]\nName=wwan* vrf-wwan*\n[Link]\nUnmanaged=yes\n' >/run/systemd/network/05-modemd.network
systemctl restart systemd-networkd.service
check "networkd with a file for everything: wwan0 is left alone" eventually 60 sh -c 'networkctl list wwan0 --no-legend | grep -q unmanaged'
check "networkd with a file for everything: the bearer is the one of before" same_bearer
check "networkd with a file for everything: a check goes over it" opens
check "networkd: the machine's default route is the other uplink's" default_is_lan
systemctl stop systemd-networkd.socket systemd-networkd.service
rm -r /run/systemd/network /run/systemd/networkd.conf.d

# --- NetworkManager, by itself and with its own profile on the same modem ---------------------------------------------
unmask NetworkManager.service ModemManager.service
systemctl start dbus.service
check "NetworkManager: a check goes over the bearer before it starts" eventually 60 opens
since=$(bearer_since)
check "NetworkManager starts" systemctl start NetworkManager.service
check "NetworkManager: it answers" eventually 60 nmcli general status
check "NetworkManager: it does not manage the modem" manages_not
systemctl restart NetworkManager.service
check "NetworkManager: the bearer is the one of before" same_bearer
check "NetworkManager: a check goes over it" opens
check "NetworkManager: the machine's default route is the other uplink's" default_is_lan

check "a profile for the same modem, which takes neither default route nor name servers" \
  nmcli connection add type gsm con-name operator ifname cdc-wdm0 gsm.apn internet connection.autoconnect yes \
  ipv4.never-default yes ipv6.never-default yes ipv4.ignore-auto-dns yes ipv6.ignore-auto-dns yes
# One of modemd's own that is up would stay, and the way with it.
modemctl disconnect >/dev/null
check "ModemManager starts beside it" systemctl start ModemManager.service
check "its own profile: NetworkManager connects" eventually 180 sh -c 'nmcli --terse --fields NAME,STATE connection show --active | grep -q ^operator:activated'
check "its own profile: a check goes over the modem" eventually 120 opens
check "its own profile: modemd follows or shares" way_among 'follow|share'
check "its own profile: NetworkManager's connection stands" sh -c 'nmcli --terse --fields NAME,STATE connection show --active | grep -q ^operator:activated'
check "its own profile: the machine's default route is the other uplink's" default_is_lan
nmcli connection down operator >/dev/null
check "its own profile, taken down: a check goes over a bearer of modemd's own" eventually 120 opens
nmcli connection delete operator >/dev/null
systemctl stop "$port" ModemManager.service NetworkManager.service
stop_world

# --- A machine that sleeps --------------------------------------------------------------------------------------------
# The kernel's virtual USB bus refuses to sleep with a modem on it: with the modem all processes are
# frozen and thawed, which is the first step of a suspension. Without the modem, as one whose power
# goes in a laptop, devices, processors and clocks are suspended too. The kernel ends each by itself
# after 5 s (pm_test): no alarm wakes an emulated machine from "freeze".
suspend() { # DEPTH STATE
  local went=0
  echo "$1" >/sys/power/pm_test || return
  echo "$2" >/sys/power/state || went=$?
  echo none >/sys/power/pm_test
  return $went
}
deep_sleep() {
  grep -q deep /sys/power/mem_sleep && echo deep >/sys/power/mem_sleep
  suspend core mem || suspend platform freeze
}
start_world demo mbim
trust_world
check "a check goes over the bearer" eventually 90 opens
check "all processes are frozen and thawed" suspend freezer freeze
check "a check goes over the bearer after it" eventually 60 opens
id=$(modemctl list --json | grep -o '"id":"modem-[^"]*"' | head -n 1 | cut -d'"' -f4)
make_happen unplug
check "the modem's power goes" eventually 60 sh -c "! systemctl is-active '$port'"
check "devices, processors and clocks are suspended and resumed" deep_sleep
check "the kernel tells of it" sh -c 'journalctl --dmesg | grep -E "PM: suspend (entry|exit)"'
make_happen plug-in
check "the modem is back under its name" eventually 120 sh -c "modemctl list --json | grep -q '\"id\":\"$id\"'"
check "and a check goes over it" eventually 90 opens
check "nothing left by the other uplink" no_leaks
modemctl diagnose --output - --json >/tmp/diagnosis
check "modemctl diagnose has its report" grep -q '"findings":' /tmp/diagnosis
check "and finds nothing wrong with modem, bearer and their neighbours" sh -c \
  '! grep -E "\"id\":\"(fault|silent|port-failed|no-guard|no-udev-property|no-modem|rp-filter|port-held|networkd|networkmanager)\"" /tmp/diagnosis'
systemctl stop "$port"
stop_world
