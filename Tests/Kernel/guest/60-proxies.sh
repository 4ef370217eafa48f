# The proxies as units of their own: two modems and ModemManager, of which each may come and go
# without taking the modem from the others; and programs that serve under a proxy's name in their
# place.
unit=modemd-mbim-proxy.service
first=$(port_unit cdc-wdm0) second=$(port_unit cdc-wdm1)
mkdir -p Scenarios/two
echo '{ "modem": { "count": 2 } }' >Scenarios/two/scenario.json

settings() { # OPTIONS: of every port from now on; those that run start anew
  mkdir -p /run/systemd/system/modemd-port@.service.d
  printf '[Service]\nEnvironment=MODEMD_PORT_OPTIONS="%s"\n' "$1" >/run/systemd/system/modemd-port@.service.d/way.conf
  systemctl daemon-reload
  systemctl try-restart 'modemd-port@*.service'
}
main_of() { systemctl show -p MainPID --value "$1"; }
processes_of() { cat "/sys/fs/cgroup$(systemctl show -p ControlGroup --value "$1")/cgroup.procs"; }
is_alone() { test "$(processes_of "$1")" = "$(main_of "$1")" || { ps -o pid,args -p "$(processes_of "$1" | paste -sd,)"; return 1; }; }
is_proxy() { grep -qx mbim-proxy "/proc/$(main_of $unit)/comm"; }
holds() { ls -l "/proc/$(main_of $unit)/fd" | grep -q "/dev/$1\$"; }
both_known() { test "$(modemctl list --json | grep -o '"interface":"wwan' | wc -l)" = 2 && ! modemctl list --json | grep -q '"fault":{'; }
manager_knows() { test "$(mmcli -L | grep -c /Modem/)" = "$1"; }
goes_by() { modemctl open --modem "$1" "$check_url"; }
holds_both() { holds cdc-wdm0 && holds cdc-wdm1; }
ports_are_alone() { is_alone "$first" && is_alone "$second"; }
# ModemManager's library starts a proxy too, where it is there before the unit: then that one serves
# all, and the unit waits.
is_new_proxy() { pgrep -x mbim-proxy | grep -vx "$proxy"; }
goes_by_both() { goes_by wwan0 && goes_by wwan1; }
keeps_proxy() { pgrep -x mbim-proxy && manager_knows 2; }
took_over() { is_proxy && ! grep -qx mbim-proxy /proc/$old/comm; }
nothing_left() { ! pgrep -x mbim-proxy && ! pgrep -x qmi-proxy && ! pgrep -x modemd-port && ! pgrep -f lib/modemd/modemd-proxy; }

rm -rf /run/systemd/system/modemd-port@.service.d
systemctl daemon-reload
start_world two mbim
trust_world
check "both ports run" eventually 90 sh -c "systemctl is-active '$first' && systemctl is-active '$second'"
check "both modems are known" eventually 90 both_known
check "their proxy is a unit of its own" eventually 30 is_proxy
check "no proxy for a protocol that no modem speaks" sh -c '! systemctl is-active modemd-qmi-proxy.service'
check "as ModemManager is installed, the ports use it from the start" eventually 90 holds_both
check "a check goes over the second modem" eventually 90 goes_by wwan1

settings "--sharing share"
check "shared, they use it" eventually 90 holds_both
rm -f /etc/systemd/system/ModemManager.service
systemctl daemon-reload
check "ModemManager starts" systemctl start dbus.service ModemManager.service
check "ModemManager knows both modems" eventually 180 manager_knows 2
check "so do the ports" eventually 90 both_known
check "a check goes over the first modem" eventually 90 goes_by wwan0
check "a check goes over the second modem" eventually 90 goes_by wwan1
check "no port has a process beside its own" ports_are_alone
check "nor has ModemManager" is_alone ModemManager.service

proxy=$(main_of $unit)
systemctl stop "$first"
check "with the first port stopped the second one works" eventually 60 goes_by wwan1
check "and ModemManager knows both modems" manager_knows 2
check "the proxy is the same" test "$(main_of $unit)" = "$proxy"
systemctl start "$first"
check "the first port is back" eventually 90 goes_by wwan0
kill -9 "$proxy"
check "a proxy that was killed is started anew" eventually 60 is_new_proxy
check "both ports use it" eventually 120 goes_by_both
check "none of them has a process beside its own" ports_are_alone
check "ModemManager has the modems again" eventually 240 manager_knows 2

systemctl stop "$first" "$second"
check "with both ports stopped ModemManager keeps its proxy" keeps_proxy
systemctl stop ModemManager.service
check "with all stopped no process is left" eventually 30 nothing_left

# Another program has the name.
systemd-run --quiet --unit foreign-proxy /usr/libexec/mbim-proxy --no-exit
check "another program serves as mbim-proxy" eventually 30 grep -q '@mbim-proxy$' /proc/net/unix
systemctl start "$second"
check "through that one a port works" eventually 90 goes_by wwan1
check "the unit says that it waits" sh -c "journalctl -u $unit | grep -q 'another program serves as mbim-proxy'"
systemctl stop foreign-proxy.service
check "when the other one ends the unit takes over" eventually 60 is_proxy
check "and the port works through it" eventually 90 goes_by wwan1
systemctl stop "$second"
check "nothing is left of it" eventually 30 nothing_left

# As a port of an earlier version left it: a proxy in the port's control group, which may open that
# port's device alone.
settings "--sharing share"
systemctl start "$second"
left=/sys/fs/cgroup$(systemctl show -p ControlGroup --value "$second" | sed 's|[^/]*$|modemd-port@left.service|')
systemctl stop "$second"
eventually 30 nothing_left
mkdir -p "$left"
/usr/libexec/mbim-proxy --no-exit &
old=$!
echo $old >"$left/cgroup.procs"
check "a proxy that an earlier version left is there" eventually 30 grep -q '@mbim-proxy$' /proc/net/unix
systemctl start "$first"
check "it ends, and the unit serves in its place" eventually 60 took_over
check "with which a port works" eventually 90 goes_by wwan0
wait $old
rmdir "$left"
# Without the unit nothing is forked, and the fault says what is missing.
systemctl mask --runtime --now $unit
check "without a proxy the fault names its unit" eventually 90 sh -c "modemctl list --json | grep -q 'systemctl status modemd-mbim-proxy'"
check "and the port starts none" is_alone "$first"
systemctl unmask --runtime $unit
systemctl start $unit
systemctl restart "$first"
check "with it all is well again" eventually 90 goes_by wwan0
systemctl stop "$first"
check "nothing left by the other uplink" no_leaks
stop_world
rm -r /run/systemd/system/modemd-port@.service.d
ln -sf /dev/null /etc/systemd/system/ModemManager.service
systemctl daemon-reload
