"""Compares what a driver printed with what a case expects."""

import json
from typing import Any


def differences(expected: list[dict[str, Any]], printed: list[dict[str, Any]]) -> list[str]:
    """What differs, in sentences; calls are compared one by one, as they may run at the same time."""
    found: list[str] = []
    calls = {line.get("call") for line in expected + printed}
    for call in sorted(calls, key=str):
        wanted = [line for line in expected if line.get("call") == call]
        got = [line for line in printed if line.get("call") == call]
        found += call_differences(call, wanted, got)
    return found


def call_differences(call: Any, wanted: list[dict[str, Any]], got: list[dict[str, Any]]) -> list[str]:
    rest = list(got)
    for line in wanted:
        if line.get("any") == "replies":
            # Without a count: steps and hops of a real flow, however many.
            count = line.get("count")
            found = 0
            while rest and "reply" in rest[0] and found != count:
                rest.pop(0)
                found += 1
            if count is not None and found < count:
                return [f"call {call}: {found} replies, expected {count}"]
            continue
        if line.get("ends"):
            # Any replies, the last of which is this one.
            replies = [each for each in rest if "reply" in each]
            del rest[: len(replies)]
            line = {"call": call, "reply": line["ends"]}
            rest[:0] = replies[-1:]
        if not rest:
            return [f"call {call}: missing {text(line)}"]
        actual = rest.pop(0)
        place = mismatch(line, actual, "")
        if place is not None:
            return [f"call {call}: expected {text(line)}\nbut got {text(actual)}\n({place})"]
    return [f"call {call}: not expected {text(line)}" for line in rest[:3]]


def mismatch(expected: Any, actual: Any, place: str) -> str | None:
    """Where the values differ; None where the actual one has all that is expected."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            found = mismatch(value, actual.get(key), f"{place}.{key}")
            if found is not None:
                return found
        return None
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return f"{place} has {len(actual)} values, expected {len(expected)}"
        for index, (one, other) in enumerate(zip(expected, actual)):
            found = mismatch(one, other, f"{place}[{index}]")
            if found is not None:
                return found
        return None
    same_kind = isinstance(expected, bool) == isinstance(actual, bool)
    return None if same_kind and expected == actual else f"{place} differs"


def text(value: Any) -> str:
    whole = json.dumps(value, ensure_ascii=False)
    return whole if len(whole) <= 600 else whole[:600] + "…"
