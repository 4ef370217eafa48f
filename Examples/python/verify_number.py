#!/usr/bin/env python3
"""verify_number.py NUMBER: asks modemd whether a number is that of this machine's SIM, and shows each step as it ends.

Needs the package varlink from PyPI. MODEMD_SOCKET names another socket.

Exit status: 0 the number is the SIM's; 1 it is not, or nobody can tell; 2 the call was wrong, or modemd does not answer.
"""

import os
import sys

import varlink


def main(arguments):
    if len(arguments) != 1:
        print("usage: verify_number.py NUMBER, in international form, as in +447700900123", file=sys.stderr)
        return 2
    socket = os.environ.get("MODEMD_SOCKET", "/run/modemd/org.modemd")
    try:
        with varlink.Client("unix:" + socket) as client, client.open("org.modemd.Verify") as verify:
            for reply in verify.Number(arguments[0], _more=True):
                if reply["event"] == "step":
                    step = reply["step"]
                    line = f"step {step['index']}: {step['name']}, {step['milliseconds']} ms"
                    print(line, step.get("failure") or "", flush=True)
                elif reply["event"] == "outcome":
                    outcome = reply["outcome"]
                    print(f"{outcome['result']}: {outcome['text']}")
                    return 0 if outcome["result"] == "verified" else 1
    except varlink.VarlinkError as error:
        print(f"modemd refuses: {error.error()}", file=sys.stderr)
    except OSError as error:
        print(f"{socket} does not answer, is modemd running? ({error.strerror})", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
