# The ten minutes of a new user, as a script of what is typed: from the packages to the first
# `verified` (Docs/tutorials/first-verification.md). Modem, kernel, systemd and packages are as on
# any machine; the operator and the provider's account are those of a world.
typed() { # COMMAND…: shown, and run as typed
  echo "      \$ $*"
  check "typed: $1 $2 ${3:-}" "$@"
}
began_typing=$SECONDS

# --- 1. Install: the packages of `make deb`, where build-guest has put them beside the checks ----
if ls packages/modemd_*.deb >/dev/null 2>&1; then
  typed apt-get install -y ./packages/modemd_*.deb ./packages/modem-simulator_*.deb
  check "the package's files are dpkg's" dpkg -S /usr/bin/modemctl /lib/systemd/system/modemd.service
else
  echo "# no packages in this guest: modemd is there as make install lays it out"
fi

# What a person has: a modem with a SIM, and a provider behind the machine's own network.
start_world tutorial mbim
trust_world
# It may be a link to what nobody serves here.
mv -f /etc/resolv.conf /tmp/resolv.conf.before 2>/dev/null
echo 'nameserver 198.51.100.53' >/etc/resolv.conf
(umask 077 && echo tutorial-secret >/root/truid-secret)
check "the modem's port has started" eventually 90 systemctl is-active "$(port_unit cdc-wdm0)"

# --- 2. The modem, 3. the bearer -----------------------------------------------------------------
check "the SIM is ready" eventually 60 sh -c 'modemctl status | grep -q "Example Mobile 262-01"'
typed modemctl status
typed modemctl connect
typed modemctl disconnect

# --- 4. The provider: what a person would answer is said in options ------------------------------
typed modemctl provider add truID --set api=https://eu.api.truid.example --set clientID=tutorial \
  --set product=subscriberCheck --secret client-secret=/root/truid-secret --no-questions
typed modemctl provider check truid
check "the secret does not stand in the file" sh -c '! grep -r tutorial-secret /etc/modemd/providers'

# --- 5. Verify -----------------------------------------------------------------------------------
typed modemctl verify +4915112345678
check "it says verified" sh -c 'modemctl verify +4915112345678 | grep -q "^verified by truid"'
check "another number ends with 11" sh -c 'modemctl verify +4915155555502; test $? = 11'
echo "      from the packages to verified: $((SECONDS - began_typing)) s, in an emulated processor"
check "nothing left by the other uplink" no_leaks
check "the journal has neither the secret nor the number" sh -c \
  '! journalctl --no-pager -b -u "modemd*" | grep -E "tutorial-secret|4915112345678"'

typed modemctl provider remove truid
rm -f /root/truid-secret /etc/resolv.conf
mv -f /tmp/resolv.conf.before /etc/resolv.conf 2>/dev/null
systemctl stop "$(port_unit cdc-wdm0)"
stop_world
