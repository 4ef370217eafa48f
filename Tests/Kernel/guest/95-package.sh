# The Debian packages: installed, upgraded with a bearer up and a chain running, reloaded, removed, purged and installed again.
. ./world.sh
packages=/opt/kernel-tier/packages
export DEBIAN_FRONTEND=noninteractive
# The world outlives the package that its program comes from.
mkdir -p /opt/kernel-tier/bin
cp /usr/bin/modem-simulator /opt/kernel-tier/bin/
old_path=$PATH
PATH=/opt/kernel-tier/bin:$PATH
# What `make install` laid out and the packages name otherwise, or not at all.
rm -f /usr/share/man/man*/modem* /etc/systemd/system/multi-user.target.wants/modemd.socket /etc/systemd/system/multi-user.target.wants/modemd-bearer-proxy.socket /etc/systemd/system/multi-user.target.wants/modemd-metrics.socket /etc/systemd/system/multi-user.target.wants/modemd-metrics-http.socket

port=$(port_unit cdc-wdm0)
install_packages() { # FOLDER
  dpkg --force-confold -i "$1"/*.deb
}
version_is() { test "$(dpkg-query -W -f '${Version}' modemd)" = "$1"; }
is_up() { modemctl bearer --json | tr -d ' \n' | grep -q '"state":"up"'; }
main_of() { systemctl show -p MainPID --value "$1"; }
has_links() {
  for file in /usr/share/modemd/varlink/*.varlink; do
    test -S "/run/varlink/registry/$(basename "$file" .varlink)" || { echo "no link for $file"; return 1; }
  done
}
journal_says() { journalctl --no-pager -b -u modemd.service | grep -q "$1"; }
status_says() { systemctl show -p StatusText --value modemd.service | grep -q "$1"; }
# The journal's own files, and what systemd itself notes about units, are not the packages'.
leftovers() {
  find /etc /usr /var /run -xdev \( -name '*modemd*' -o -name '*modem-simulator*' \) \
    -not -path '/run/systemd/*' -not -path '/var/log/*' -not -path '/var/lib/dpkg/info/*'
  find /run/modemd /run/modemd-port /run/varlink 2>/dev/null
  getent passwd modemd modemd-web modemd-fleet
  getent group modemd modemd-port modemd-web modemd-fleet
}
nothing_left() {
  local left
  left=$(leftovers)
  echo "$left"
  test -z "$left"
}

start_world demo mbim
check "packages: an earlier version is installed" install_packages $packages/old
check "packages: it is that version" version_is 0.0.1
trust_world
check "packages: the socket and the service run" eventually 60 systemctl is-active modemd.socket modemd-bearer-proxy.socket modemd.service
check "packages: the modem that was there has its port" eventually 120 systemctl is-active "$port"
check "packages: each interface has a link for varlinkctl" has_links
check "packages: it is connected" eventually 120 modemctl connect

modemctl open --timeout 300 "$check_url?slow_hop=3&slow_ms=250000" >/tmp/chain.log 2>&1 &
chain=$!
check "packages: a chain runs" eventually 60 grep -q 'operator.example' /tmp/chain.log
service_before=$(main_of modemd.service) port_before=$(main_of "$port")
new=$(dpkg-deb -f $packages/modemd_*.deb Version)
check "packages: it is upgraded with a bearer up and a chain running" install_packages $packages
check "packages: it is the new version" version_is "$new"
check "packages: whoever ran the chain is told that it ended" timeout 60 tail --pid=$chain -f /dev/null
check "packages: the service is a new process" sh -c "test \$(systemctl show -p MainPID --value modemd.service) -ne $service_before"
check "packages: so is the port" eventually 60 sh -c "p=\$(systemctl show -p MainPID --value '$port'); [ \$p -gt 0 ] && [ \$p != $port_before ]"
check "packages: the bearer is up again by itself" eventually 120 is_up
check "packages: a check goes over it" eventually 60 opens

service_before=$(main_of modemd.service) port_before=$(main_of "$port")
echo '{ "kind": "truID", "backend": { "url": "https://app.example" } }' >/etc/modemd/providers/gate.json
check "reload: systemctl reload works" systemctl reload modemd.service
check "reload: the new provider is there" eventually 30 journal_says 'reloaded: 1 provider (gate)'
echo '{ "limtis": {} }' >/etc/modemd/modemd.json
check "reload: a bad file is no reason to end" systemctl reload modemd.service
check "reload: the status names it and the key" eventually 30 status_says 'modemd.json.*limtis'
echo '{}' >/etc/modemd/modemd.json
check "reload: the file that was put right is taken" systemctl reload modemd.service
check "reload: the status says so" eventually 30 status_says '1 provider (gate)'
check "reload: the port reloads" systemctl reload "$port"
check "reload: both are the same processes" sh -c "test \$(systemctl show -p MainPID --value modemd.service) = $service_before && test \$(systemctl show -p MainPID --value '$port') = $port_before"
check "reload: the bearer stayed up" is_up
check "reload: a check goes over it" eventually 60 opens

check "web: nothing enables it" sh -c '! systemctl is-enabled modemd-web.service'
check "web: without its file it does not start" sh -c '! systemctl start modemd-web.service'
systemctl stop modemd-web.service
systemctl reset-failed modemd-web.service
echo '{ "users": ["root"], "backends": { "shop": { "name": "Shop", "tickets": "https://shop.example/t/", "return": "https://shop.example/" } } }' >/etc/modemd/web.json
(umask 077 && echo a-secret-of-sixteen-and-more >/etc/modemd/web-credentials/shop.token)
check "web: with it, it starts in its sandbox" systemctl start modemd-web.service
check "web: it runs as a member of the group modemd" sh -c "id -nG modemd-web | grep -qw modemd"
web_says() { # STATUS: what the start's page answers to a link of a strange site
  bash -c 'exec 3<>/dev/tcp/127.0.0.1/61977
    printf "%s\r\n" "GET /start?ticket=https://evil.example/t/0123456789abcdef HTTP/1.1" "Host: 127.0.0.1:61977" \
      "Sec-Fetch-Site: cross-site" "Sec-Fetch-Mode: navigate" "Sec-Fetch-Dest: document" "" >&3
    read -r -t 30 line <&3 && echo "$line"' | grep -q "^HTTP/1.1 $1 "
}
check "web: it knows whose the connection is, and answers root's browser" web_says 403
check "web: and says why" sh -c "journalctl --no-pager -b -u modemd-web.service | grep -q 'a ticket is of no configured backend'"
check "web: root gets a link to the inspector" sh -c "modemctl web open --print | grep -q '^http://127.0.0.1:61977/inspect?'"

check "fetch: without its part of the file no instance starts" sh -c '! systemctl start modemd-web-fetch@backup.service'
systemctl stop modemd-web-fetch@backup.service
systemctl reset-failed modemd-web-fetch@backup.service
echo '{ "fetch": { "user": "backup", "origins": { "https://kiosk.example": {} } } }' >/etc/modemd/web.json
check "fetch: with it, an instance starts in its sandbox" systemctl enable --now modemd-web-fetch@backup.service
check "fetch: it is its user" sh -c 'test "$(ps -o user= -p "$(systemctl show -p MainPID --value modemd-web-fetch@backup.service)")" = backup'

check "fleet: nothing enables it" sh -c '! systemctl is-enabled modemd-fleet.service'
check "fleet: without its file it does not start" sh -c '! systemctl start modemd-fleet.service'
systemctl stop modemd-fleet.service
systemctl reset-failed modemd-fleet.service
echo '{ "broker": { "host": "127.0.0.1" }, "machine": "guest" }' >/etc/modemd/fleet.json
check "fleet: with it, it starts in its sandbox" systemctl start modemd-fleet.service
check "fleet: it runs as a member of modemd's groups" sh -c "id -nG modemd-fleet | grep -w modemd | grep -qw modemd-metrics"
check "fleet: it says that the broker is not there" eventually 60 sh -c "modemctl fleet status --json | tr -d ' \n' | grep -q '\"state\":\"waiting\"'"
check "fleet: it reads its settings anew" systemctl reload modemd-fleet.service
check "fleet: nobody else may ask" sh -c '! setpriv --reuid=nobody --regid=nogroup --clear-groups modemctl fleet status'

check "packages: they are removed" dpkg -r modem-simulator modemd-web modemd-fleet modemd
check "packages: no daemon runs" sh -c '! pgrep -x modemd && ! pgrep -x modemd-port && ! pgrep -x modemd-web && ! pgrep -x modemd-fleet'
check "packages: nothing of the bearer is left" no_rules
check "packages: settings stay" test -e /etc/modemd/modemd.json
# Those of this part, and of world.sh.
rm -rf /run/systemd/system/modemd.service.d /run/systemd/system/modemd-port@.service.d
check "packages: they are purged" dpkg -P modem-simulator modemd-web modemd-fleet modemd
check "packages: nothing is left" nothing_left

check "packages: they are installed again" install_packages $packages
trust_world
check "packages: the modem has its port again" eventually 120 systemctl is-active "$port"
check "packages: a check goes over the bearer" eventually 120 opens
check "packages: nothing left by the other uplink" no_leaks
systemctl stop "$port"
stop_world
PATH=$old_path
