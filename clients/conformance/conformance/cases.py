"""Reads the cases, strictly: a mistyped key is an error and not a case that checks less."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class CaseError(Exception):
    """A case that is not as README.md has it."""


@dataclass(frozen=True)
class Case:
    """One rule for clients, and what shows that a client keeps it."""

    name: str
    # The rule, as Docs/clients.md has it.
    says: str
    # What the scripted server expects and does; empty in a world.
    script: list[dict[str, Any]]
    # The world of modem-simulator whose modemd is called; None for the scripted server.
    scenario: str | None
    # What the driver reads, without `socket` and `mode`.
    driver: dict[str, Any]
    # The lines that the driver must print.
    expect: list[dict[str, Any]]
    # Whether the scripted server listens: `yes`, `no`, `file` (the path is a file), `closes` (it
    # closes each connection at once).
    listens: str = "yes"
    # What a client must be able to do for this case: `descriptors` is to receive them.
    needs: list[str] = field(default_factory=list)
    # Commands that the world's shell runs before the driver.
    before: list[list[str]] = field(default_factory=list)


KEYS = {"name", "says", "script", "scenario", "driver", "expect", "listens", "before", "needs"}
ACTIONS = {
    "reply", "error", "send", "bytes", "base64", "fill", "together", "pieces", "close", "until", "answered",
    "descriptorsClosed", "echo", "receives", "closeSending",
}  # fmt: skip


def read_cases(folder: Path) -> list[Case]:
    cases = [read_case(path) for path in sorted(folder.glob("*.json"))]
    for name in {case.name for case in cases}:
        if sum(1 for case in cases if case.name == name) > 1:
            raise CaseError(f"two cases have the name “{name}”")
    return cases


def read_case(path: Path) -> Case:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CaseError(f"{path.name} is not JSON: {error}") from error
    unknown = set(content) - KEYS
    if unknown:
        raise CaseError(f"{path.name} has unknown keys: {', '.join(sorted(unknown))}")
    if ("script" in content) == ("scenario" in content):
        raise CaseError(f"{path.name} needs a script or a scenario, and not both")
    for entry in content.get("script", []):
        if "method" not in entry or set(entry) - {"method", "parameters", "more", "upgrade", "do"}:
            raise CaseError(f"{path.name}: a part of the script has method, parameters, more, upgrade and do")
        check_actions(path, entry.get("do", []))
    if set(content.get("needs", [])) - {"descriptors"}:
        raise CaseError(f"{path.name} needs what is not known; expected `descriptors`")
    if content["name"] != path.stem:
        raise CaseError(f"{path.name} has the name “{content['name']}”; expected its file's name")
    return Case(
        name=content["name"],
        says=content["says"],
        script=content.get("script", []),
        scenario=content.get("scenario"),
        driver=content["driver"],
        expect=content["expect"],
        listens=content.get("listens", "yes"),
        needs=content.get("needs", []),
        before=content.get("before", []),
    )


def check_actions(path: Path, actions: list[dict[str, Any]]) -> None:
    for action in actions:
        if not ACTIONS & set(action):
            raise CaseError(f"{path.name} has an unknown action: {action}")
        for name in ("together", "pieces"):
            check_actions(path, action.get(name, []))
