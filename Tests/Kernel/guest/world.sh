# A world whose modem is on the virtual USB bus.

start_world() { # SCENARIO PROTOCOL
  modprobe vhci-hcd
  modprobe "$([ "$2" = mbim ] && echo cdc_mbim || echo qmi_wwan)"
  modem-simulator up --usb --protocol "$2" "Scenarios/$1" >/tmp/world.log 2>&1 &
  world=$!
  eventually 120 grep -q 'Interrupt to end' /tmp/world.log
  control=$(awk '/^control/ { print $2 }' /tmp/world.log)
  authority=$(awk '/^authority/ { print $2 }' /tmp/world.log)
}

stop_world() {
  kill -INT $world
  wait $world
}

ask_world() { modem-simulator control --world "$control" "$@"; }
make_happen() { ask_world "$@" >/dev/null; }

trust_world() {
  mkdir -p /etc/modemd /run/systemd/system/modemd.service.d
  cp "$authority" /etc/modemd/extra-roots.pem
  cp /usr/share/doc/modemd/examples/extra-roots.conf /run/systemd/system/modemd.service.d/
  systemctl daemon-reload
  systemctl try-restart modemd.service
}

port_unit() { echo "modemd-port@$(systemd-escape "$1").service"; }

check_url=https://check.aggregator.example/checks/4915112345678
opens() { modemctl open "$check_url"; }
no_leaks() { # says what left where something did
  local leaks
  leaks=$(ask_world leaks)
  echo "$leaks"
  test "$leaks" = 0
}
no_leaks_beside_resets() {
  local leaks
  leaks=$(ask_world leaks)
  echo "$leaks"
  test "${leaks%% *}" = "$(echo "$leaks" | grep -o 'TCP RST' | wc -l)"
}
# The rules of a bearer, its gate's among them, have preferences of modemd's own; both families
# count.
has_rules() { { ip rule show; ip -6 rule show; } | grep -Eq '^77[0-9]{1,2}:'; }
no_rules() { ! has_rules; }
