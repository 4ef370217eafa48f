start_world demo qmi
. ./one-modem.sh
stop_world
