# What holds for a modem of either protocol. The world runs already.
port=$(port_unit cdc-wdm0)
driver=$(basename "$(readlink -f /sys/class/usbmisc/cdc-wdm0/device/driver)")
check "the kernel's $driver has taken the modem" test -c /dev/cdc-wdm0
check "udev knows the control port" sh -c 'udevadm info /dev/cdc-wdm0 | grep MODEMD'
check "systemd has started its port" eventually 60 systemctl is-active "$port"
check "modemctl lists the modem with its network interface" eventually 60 sh -c 'modemctl list --json | grep -q "\"interface\":\"wwan0\""'
check "the SIM's number is there" eventually 60 sh -c 'modemctl list --json --reveal | grep -q 4915112345678'
trust_world
check "a check goes over the bearer" eventually 60 opens
check "the machine's default route is as it was" sh -c 'ip route show default | grep -c . | grep -qx 1 && ip route show default | grep -q lan0'
check "the bearer's rules stand" has_rules
if [ "$driver" = qmi_wwan ]; then check "packets are bare IP" grep -qx Y /sys/class/net/wwan0/qmi/raw_ip; fi
check "nothing left by the other uplink" no_leaks

before=$(systemctl show -p MainPID --value "$port")
kill -9 "$before"
check "a killed port is started again" eventually 60 sh -c "p=\$(systemctl show -p MainPID --value '$port'); [ \$p -gt 0 ] && [ \$p != $before ]"
check "a check goes over the bearer again" eventually 60 opens

make_happen unplug
check "a pulled modem's port stops" eventually 60 sh -c "! systemctl is-active '$port'"
check "it is on no list" eventually 30 sh -c '! modemctl list --json | grep -q wwan0'
check "nothing of its bearer is left" eventually 30 no_rules
make_happen plug-in
check "it comes back" eventually 90 sh -c 'modemctl list --json | grep -q wwan0'
check "and works" eventually 60 opens
check "nothing left by the other uplink" no_leaks
check "a port that is stopped leaves nothing" sh -c "systemctl stop '$port' && . ./world.sh && no_rules"
