"""Plays a case: starts the driver beside the server, and gathers what differs."""

import json
import os
import subprocess
from typing import Any

from .cases import Case
from .comparing import differences, text
from .scripted import ScriptedServer

# Of a driver, in seconds; on a busy machine a large program takes its time to start.
LIMIT = 60.0


def play_with_script(case: Case, driver: list[str], mode: str, path: str) -> list[str]:
    server = ScriptedServer(case.script, path, case.listens)
    try:
        found = play(case, driver, mode, path)
    finally:
        server.end()
    return found + server.faults


def play_with_service(case: Case, driver: list[str], mode: str) -> list[str]:
    """Plays the case with the modemd of the world that this process is in."""
    for command in case.before:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        if ended.returncode != 0:
            return [f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr}"]
    return play(case, driver, mode, os.environ["MODEMD_SOCKET"])


def play(case: Case, driver: list[str], mode: str, path: str) -> list[str]:
    document = {"socket": path, "mode": mode, **case.driver}
    try:
        ended = subprocess.run(
            driver, input=json.dumps(document).encode(), capture_output=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired as error:
        return [f"the driver did not end; it printed {text((error.stdout or b'').decode(errors='replace'))}"]
    except OSError as error:
        return [f"the driver does not start: {error}"]
    if ended.returncode != 0:
        return [f"the driver ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[-2000:]}"]
    lines = ended.stdout.decode(errors="replace").splitlines()
    try:
        printed: list[dict[str, Any]] = [json.loads(line) for line in lines if line]
    except ValueError:
        return [f"the driver printed what is no JSON: {text(lines)}"]
    return differences(case.expect, printed)
