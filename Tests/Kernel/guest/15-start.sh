# From the control port's device node to the SIM's number, beside ModemManager: by turns, over MBIM
# and QMI. Each serves the modem alone. ModemManager runs already when the modem comes, and so does
# modemd; its port, and the proxy that the port needs where ModemManager is installed, start then.
start_rounds=${start_rounds:-3}
start_limit=50 # percent of ModemManager's time
exec 3>&1
rm -f /etc/systemd/system/ModemManager.service
systemctl daemon-reload
systemctl start dbus.service

modemd_leaves() { # yes or no: whether modemd leaves control ports alone
  mkdir -p /run/udev/rules.d
  if [ "$1" = yes ]; then
    echo 'SUBSYSTEM=="usbmisc|wwan", ENV{MODEMD_IGNORE}="1"' >/run/udev/rules.d/69-start.rules
  else
    rm -f /run/udev/rules.d/69-start.rules
  fi
  udevadm control --reload
}
pull_out() {
  if [ ! -e /dev/cdc-wdm0 ]; then return; fi
  make_happen unplug
  eventually 30 test ! -e /dev/cdc-wdm0
  eventually 30 sh -c "! systemctl is-active --quiet '$(port_unit cdc-wdm0)'"
  udevadm settle
  sleep 5
}
one_start() { # WHO RUN FILE: its line, also in FILE; the modem is out
  timeout 200 ./start.py "$1" "$2" modem-simulator control --world "$control" plug-in >/tmp/start.line
  local status=$?
  sed "s/^/      /" /tmp/start.line >&3
  cat /tmp/start.line >>"$3"
  return $status
}
median_of() { # WHO FILE
  grep "^$1 " "$2" | awk '{ print $NF }' | sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}
is_within_half() { # FILE: at most the limit, in percent
  test $(($(median_of modemd "$1") * 100)) -le $(($(median_of ModemManager "$1") * start_limit))
}

for protocol in mbim qmi; do
  lines=/tmp/start.$protocol
  : >$lines
  systemctl stop ModemManager.service
  modemd_leaves no
  start_world demo $protocol
  modemctl list >/dev/null 2>&1
  for ((round = 1; round <= start_rounds; round++)); do
    pull_out
    modemd_leaves no
    check "$protocol, round $round: modemd has the number" one_start modemd "over $protocol, round $round" $lines
    pull_out
    modemd_leaves yes
    systemctl start ModemManager.service
    eventually 30 mmcli -L >/dev/null
    check "$protocol, round $round: ModemManager has the number" one_start ModemManager "over $protocol, round $round" $lines
    systemctl stop ModemManager.service
  done
  modemd=$(median_of modemd $lines) manager=$(median_of ModemManager $lines)
  echo "      over $protocol, node to number, medians: modemd $modemd ms, ModemManager $manager ms: $((modemd * 100 / manager)) % of its time; at most $start_limit %"
  check "$protocol: modemd takes at most $start_limit % of ModemManager's time" is_within_half $lines
  stop_world
  modemd_leaves no
done
ln -sf /dev/null /etc/systemd/system/ModemManager.service
systemctl daemon-reload
