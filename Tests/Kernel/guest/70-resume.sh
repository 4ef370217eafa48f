# A bearer that was asked for comes back by itself: after kill -9 of its port, a restart and a
# replug; until it is disconnected.
port=$(port_unit cdc-wdm0)
notes=/var/lib/modemd-port
bearer_says() { modemctl bearer --json | tr -d ' \n' | grep -q "$1"; }
is_resumed() { bearer_says '"state":"up"' && bearer_says '"resumption":"resumed"'; }
main_of() { systemctl show -p MainPID --value "$port"; }
has_note() { ls $notes/kept-bearer-* >/dev/null 2>&1; }
no_note() { ! has_note; }
ready() { modemctl list --json | tr -d ' \n' | grep -q '"state":"ready"' && ! modemctl list --json | grep -q '"fault":{'; }
note_is_private() {
  test "$(stat -c '%a %U' $notes/kept-bearer-*)" = '600 root' &&
    ! grep -Eq "$(modemctl list --json --reveal | grep -oE '"(imei|iccid|imsi)":"[0-9]+"' | grep -oE '[0-9]+' | paste -sd'|')" $notes/kept-bearer-*
}
kill_port() {
  local before
  before=$(main_of)
  kill -9 "$before"
  eventually 60 sh -c "p=\$(systemctl show -p MainPID --value '$port'); [ \$p -gt 0 ] && [ \$p != $before ]"
}

for kind in mbim qmi; do
  start_world demo $kind
  trust_world
  check "$kind: the modem is ready" eventually 90 ready
  check "$kind: it is connected" eventually 60 modemctl connect
  check "$kind: that is written down, for root alone and without the SIM's numbers" note_is_private
  kill_port
  check "$kind: after kill -9 it is up again by itself" eventually 90 is_resumed
  check "$kind: a check goes over it" eventually 60 opens
  systemctl restart "$port"
  check "$kind: after a restart it is up again by itself" eventually 90 is_resumed
  make_happen unplug
  check "$kind: the port of a pulled modem stops" eventually 60 sh -c "! systemctl is-active '$port'"
  make_happen plug-in
  check "$kind: after the replug it is up again by itself" eventually 120 is_resumed
  # As after a start of the machine: another boot id.
  systemctl stop "$port"
  sed -i "s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/" $notes/kept-bearer-*
  systemctl start "$port"
  check "$kind: after a start of the machine it stays down, and says why" eventually 90 bearer_says '"resumptionText":"themachinehasbeenrebooted'
  check "$kind: it is connected anew" eventually 60 modemctl connect
  check "$kind: it is disconnected" modemctl disconnect
  check "$kind: nothing is written down any more" no_note
  kill_port
  check "$kind: the port is back" eventually 60 ready
  check "$kind: what was disconnected stays down" sh -c "! modemctl bearer --json | grep -Eq '\"(resumption|nextAttempt)\":\"' && modemctl bearer --json | grep -q '\"state\":\"down\"'"
  systemctl stop "$port"
  check "$kind: nothing of the bearer is left" no_rules
  check "$kind: nothing left by the other uplink" no_leaks
  stop_world
done
