# The machine starts anew with the modem plugged in: the kernel has it before udev runs, and udev
# finds it.
. ./world.sh
start_world demo mbim
trust_world
check "a check goes over the bearer" eventually 90 opens
mkdir -p /var/lib/kernel-tier
modemctl list --json | grep -o '"id":"modem-[^"]*"' | head -n 1 | cut -d'"' -f4 >/var/lib/kernel-tier/modem
check "the modem has a name" test -s /var/lib/kernel-tier/modem
# Other parts may have let them start.
for unit in ModemManager NetworkManager systemd-resolved; do ln -sf /dev/null "/etc/systemd/system/$unit.service"; done
go_on_after_reboot after-reboot
