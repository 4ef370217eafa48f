# What 99-reboot left: the modem was plugged in when this machine started
# (kernel-tier-modem.service).
. ./world.sh
port=$(port_unit cdc-wdm0)
# Its modem is there before the rest of its world.
check "reboot: the world is whole" eventually 120 grep -q 'Interrupt to end' /run/world.log
control=$(awk '/^control/ { print $2 }' /run/world.log)
authority=$(awk '/^authority/ { print $2 }' /run/world.log)
check "reboot: the modem was there before udev" test -e /run/modem-before-udev
check "reboot: its port runs" eventually 120 systemctl is-active "$port"
check "reboot: the modem has the name of before" eventually 60 sh -c "modemctl list --json | grep -q '\"id\":\"$(cat /var/lib/kernel-tier/modem)\"'"
trust_world
check "reboot: a check goes over the bearer" eventually 90 opens
check "reboot: the bearer's rules stand" has_rules
check "reboot: nothing left by the other uplink" no_leaks
systemctl stop "$port" kernel-tier-modem.service
