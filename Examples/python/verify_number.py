#!/usr/bin/env python3
"""verify_number.py NUMBER: asks modemd whether a number is that of this machine's SIM, and shows each step as it ends.

Needs modemd's client, the package python3-modemd. MODEMD_SOCKET names another socket.

Exit status: 0 the number is the SIM's; 1 it is not, or nobody can tell; 2 the call was wrong, or modemd does not answer.
"""

import sys

from modemd import Connection, ModemdError, ServiceError, verify


def show(step: verify.Step) -> None:
    print(f"step {step.index}: {step.name}, {step.milliseconds} ms", step.failure or "", flush=True)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: verify_number.py NUMBER, in international form, as in +447700900123", file=sys.stderr)
        return 2
    try:
        with Connection() as modemd:
            outcome = modemd.verify.number(arguments[0], on_step=show).outcome
    except ServiceError as error:
        print(f"modemd refuses: {error}", file=sys.stderr)
        return 2
    except ModemdError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{outcome.result}: {outcome.text}")
    return 0 if outcome.result == "verified" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
