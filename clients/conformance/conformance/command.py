"""The command line: chooses the cases, plays them, and prints the result of each."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from .cases import Case, CaseError, read_cases
from .playing import play_with_script, play_with_service
from .worlds import play_in_world

CASES = Path(__file__).resolve().parent.parent / "cases"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="run", description="Plays the conformance cases with a client's driver.")
    made.add_argument("--case", action="append", metavar="NAME", help="only this case; may be repeated")
    made.add_argument("--mode", default="sync", choices=["sync", "async"], help="which form of the client to drive")
    made.add_argument("--socket", metavar="PATH", help="where the scripted server listens (default: a folder of its own)")
    made.add_argument("--simulator", metavar="PROGRAM", help="modem-simulator, for the cases with a real modemd")
    made.add_argument("--without-worlds", action="store_true", help="leave out the cases with a real modemd")
    made.add_argument("--without-descriptors", action="store_true", help="leave out the cases in which a descriptor is received, for a language that cannot")
    made.add_argument("--list", action="store_true", help="print the names of the cases and what each says")
    # Of a runner that this one starts in a world.
    made.add_argument("--in-world", metavar="RESULTS", help=argparse.SUPPRESS)
    made.add_argument("driver", nargs=argparse.REMAINDER, help="the driver, with its arguments")
    return made


def chosen(names: list[str] | None) -> list[Case]:
    cases = read_cases(CASES)
    if names is None:
        return cases
    known = {case.name for case in cases}
    for name in names:
        if name not in known:
            raise CaseError(f"there is no case “{name}”; --list names them")
    return [case for case in cases if case.name in names]


def show(name: str, differences: list[str]) -> None:
    print(f"{'not ok' if differences else 'ok'} {name}", flush=True)
    for difference in differences:
        print("    " + difference.replace("\n", "\n    "), flush=True)


def play_all(cases: list[Case], options: argparse.Namespace) -> dict[str, list[str]]:
    results: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="modemd-conformance-") as folder:
        socket = options.socket or os.path.join(folder, "socket")
        for case in cases:
            if case.scenario is None:
                results[case.name] = play_with_script(case, options.driver, options.mode, socket)
                show(case.name, results[case.name])
    worlds = sorted({case.scenario for case in cases if case.scenario is not None})
    for world in worlds if not options.without_worlds else []:
        there = [case for case in cases if case.scenario == world]
        found = play_in_world(world, there, options.driver, options.mode, options.simulator)
        for name, differences in found.items():
            show(name, differences)
        results |= found
    return results


def main() -> int:
    options = parser().parse_args()
    try:
        cases = chosen(options.case)
    except CaseError as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    if options.without_descriptors:
        cases = [case for case in cases if "descriptors" not in case.needs]
    if options.list:
        for case in cases:
            print(f"{case.name}: {case.says}")
        return 0
    if not options.driver:
        print("run: a driver is needed, as in: run python3 clients/python/tests/conformance_driver.py", file=sys.stderr)
        return 2
    if options.in_world:
        found = {case.name: play_with_service(case, options.driver, options.mode) for case in cases}
        Path(options.in_world).write_text(json.dumps(found), encoding="utf-8")
        return 0
    results = play_all(cases, options)
    failed = sum(1 for differences in results.values() if differences)
    print(f"{len(results) - failed} of {len(results)} cases pass")
    return 1 if failed else 0
