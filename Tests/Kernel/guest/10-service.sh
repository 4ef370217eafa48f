. ./world.sh
check "systemd runs, and no unit failed" eventually 60 sh -c 'systemctl is-system-running | grep -E "running|starting"'
check "the socket listens" eventually 20 systemctl is-active modemd.socket
check "the proxy's socket listens" eventually 20 systemctl is-active modemd-bearer-proxy.socket
check "a question starts the service, and there is no modem" sh -c 'modemctl list; systemctl is-active modemd.service'
check "someone who is not in the group is refused" sh -c '! setpriv --reuid 65534 --clear-groups modemctl list'
