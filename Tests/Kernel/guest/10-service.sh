. ./world.sh
check "systemd runs, and no unit failed" eventually 60 sh -c 'systemctl is-system-running | grep -E "running|starting"'
check "the socket listens" eventually 20 systemctl is-active modemd.socket
check "the proxy's socket listens" eventually 20 systemctl is-active modemd-bearer-proxy.socket
check "the figures' sockets listen" eventually 20 systemctl is-active modemd-metrics.socket modemd-metrics-http.socket
check "the figures' socket has its link for systemd-report" test -S /run/systemd/report/org.modemd
check "a question starts the service, and there is no modem" sh -c 'modemctl list; systemctl is-active modemd.service'
check "root reads the figures" sh -c 'modemctl metrics | grep -x "# EOF"'
check "the figures have their groups" sh -c 'test "$(stat -c %G /run/modemd/metrics /run/modemd/metrics.http | sort -u)" = modemd-metrics'
check "a caller of modemd does not read the figures" sh -c '! setpriv --reuid 65534 --regid 65534 --groups "$(getent group modemd | cut -d: -f3)" modemctl metrics'
check "someone who is not in the group is refused" sh -c '! setpriv --reuid 65534 --clear-groups modemctl list'
