start_world demo mbim
. ./one-modem.sh
stop_world
