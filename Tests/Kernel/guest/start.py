#!/usr/bin/python3
# start.py modemd|ModemManager RUN PLUG-IN…: runs PLUG-IN…, which plugs the modem in, and prints one
# line of times in ms since the kernel made the control port: what the journal has, and when the
# program told of the SIM's number. The number's time is the line's last word.
import json
import socket
import subprocess
import sys
import time

NUMBER = "4915112345678"
PATIENCE = 120
who, run, plug_in = sys.argv[1], sys.argv[2], sys.argv[3:]

# What the journal says on the way, by a part of the message, in the order of the line.
STEPS = {
    "modemd": [
        ("unit", "Starting modemd-port@"), ("program", "packets of /dev/"), ("open", "opened /dev/"),
        ("SIM", "SIM ready"),
    ],
    "ModemManager": [
        ("ports known", "creating modem with plugin"), ("modem made", "successfully created"),
        ("SIM", "state changed (unknown"),
    ],
}


def watch_modemd():
    """Yields for each state that modemd tells of whether the number is in it, and when."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect("/run/modemd/org.modemd")
    call = {"method": "org.modemd.Modem.Watch", "parameters": {}, "more": True}
    connection.sendall(json.dumps(call).encode() + b"\0")
    pending = b""
    while piece := connection.recv(65536):
        *whole, pending = (pending + piece).split(b"\0")
        for message in whole:
            yield NUMBER.encode() in message, time.clock_gettime(time.CLOCK_MONOTONIC)


def watch_manager():
    """The same for ModemManager, whose modem has its number when it is there for others: then its
    state is no longer unknown. The journal's time is the earliest at which somebody could ask."""
    follow = ["journalctl", "--follow", "--lines=0", "--output=json", "--unit=ModemManager.service"]
    with subprocess.Popen(follow, stdout=subprocess.PIPE) as log:
        try:
            time.sleep(2)
            yield False, 0
            for line in log.stdout:
                entry = json.loads(line)
                moment = int(entry["__MONOTONIC_TIMESTAMP"]) / 1e6
                if "state changed (unknown" not in str(entry.get("MESSAGE")):
                    yield False, moment
                else:
                    answer = subprocess.run(["mmcli", "-m", "any", "-K"], stdout=subprocess.PIPE, check=True)
                    yield NUMBER.encode() in answer.stdout, moment
        finally:
            log.kill()


def journal(since):
    """Messages with the time of each in seconds since the boot, the kernel's by its own clock."""
    text = subprocess.run(
        ["journalctl", "--no-pager", "--boot", "--output=json", f"--since=@{since:.0f}"], stdout=subprocess.PIPE, check=True
    ).stdout
    for line in text.splitlines():
        entry = json.loads(line)
        moment = entry.get("_SOURCE_MONOTONIC_TIMESTAMP") if entry.get("_TRANSPORT") == "kernel" else None
        yield int(moment or entry["__MONOTONIC_TIMESTAMP"]) / 1e6, str(entry.get("MESSAGE"))


began, plugged = time.time() - 1, None
for has_number, now in watch_modemd() if who == "modemd" else watch_manager():
    if plugged is None:
        plugged = time.clock_gettime(time.CLOCK_MONOTONIC)
        subprocess.run(plug_in, stdout=subprocess.DEVNULL, check=True)
    elif has_number:
        break
    elif now > plugged + PATIENCE:
        sys.exit(f"{who} did not tell of the number within {PATIENCE} s")
else:
    sys.exit(f"{who} stopped telling")

time.sleep(1)
messages = [(moment, text) for moment, text in journal(began) if moment >= plugged]
node = next(moment for moment, text in messages if "USB WDM device" in text)
words = []
for name, part in STEPS[who]:
    moment = next((moment for moment, text in messages if part in text), None)
    words.append(f"{name} {(moment - node) * 1000:.0f}" if moment else f"{name} -")
print(f"{who} {run}: node 0, {', '.join(words)}, number {(now - node) * 1000:.0f}")
