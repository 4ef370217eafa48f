"""Plays the cases of a scenario in one simulated world, with the real modemd."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .cases import Case

REPOSITORY = Path(__file__).resolve().parents[3]
# Of a world with all its cases, in seconds.
LIMIT = 300.0


def play_in_world(
    scenario: str, cases: list[Case], driver: list[str], mode: str, simulator: str | None
) -> dict[str, list[str]]:
    program = simulator or str(REPOSITORY / ".build/debug/modem-simulator")
    with tempfile.TemporaryDirectory(prefix="modemd-conformance-") as folder:
        results = os.path.join(folder, "results.json")
        inside = [sys.executable, str(REPOSITORY / "clients/conformance/run"), "--in-world", results, "--mode", mode]
        for case in cases:
            inside += ["--case", case.name]
        command = [program, "up", str(REPOSITORY / scenario), "--", *inside, *driver]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
            fault = None if ended.returncode == 0 else f"the world ended with {ended.returncode}: {ended.stderr[-2000:]}"
        except OSError as error:
            fault = f"{program} does not start: {error}; build it first, or name it with --simulator"
        except subprocess.TimeoutExpired:
            fault = f"the world of {scenario} did not end"
        if fault is not None:
            return {case.name: [fault] for case in cases}
        found: dict[str, list[str]] = json.loads(Path(results).read_text(encoding="utf-8"))
        return found
