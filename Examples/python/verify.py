# verify.py
import sys

from modemd import Connection, ModemdError

number = sys.argv[1] if len(sys.argv) > 1 else "+4915112345678"
try:
    with Connection() as modemd:
        result = modemd.verify.number(number, on_step=lambda step: print(step.name, step.lane))
        print(result.outcome.result, result.outcome.sim)
except ModemdError as error:
    sys.exit(f"nobody can tell: {error}")
