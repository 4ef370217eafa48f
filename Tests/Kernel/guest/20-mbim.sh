start_world demo mbim
. ./one-modem.sh
stop_world
check "no thread says that it may not set its priority" sh -c "! journalctl --no-pager -b -u 'modemd*' | grep \"thread priority\""
