#!/usr/bin/env python3
"""fleet_ask.py NUMBER…: asks the fleet's workers whether each number is that of a SIM of the fleet.

Prints a line for each: the number's last four digits, the result, and the machine. Exit status: 0 all are; 1 one is
not, or nobody can tell; 2 the call was wrong.

A question is repeated with the same correlation until a worker takes it. A worker that hangs therefore loses none, and
the broker need not keep a number: questions have QoS 0.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass, field

from fleet_link import Link, Message, add_arguments

REPEAT_SECONDS = 3.0
# After `accepted`: a worker that dies must not leave the asker waiting to the end.
PATIENCE_SECONDS = 12.0


@dataclass
class Asked:
    number: str
    deadline: float
    correlation: bytes = field(default_factory=lambda: os.urandom(16))
    next_send: float = 0.0
    result: str | None = None


class Asker:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.name: str = arguments.name
        self.progress: bool = arguments.progress
        deadline = time.monotonic() + arguments.seconds
        self.asked = {asked.correlation: asked for asked in (Asked(number, deadline) for number in arguments.number)}
        self.is_subscribed = False
        self.link = Link(
            arguments, session_seconds=0, on_up=self.up, on_message=self.take, on_granted=self.granted
        )

    def up(self) -> None:
        self.is_subscribed = False
        self.link.subscribe([f"modemd-office/1/answer/{self.name}"], qos=1)

    def granted(self, topics: list[str]) -> None:
        self.is_subscribed = True

    def take(self, message: Message) -> None:
        self.link.settle(message)
        asked = self.asked.get(message.correlation)
        body = message.body()
        # The second answer to a repeated question is the same, and counts for nothing.
        if asked is None or body is None or asked.result is not None:
            return
        match body:
            case {"event": "outcome", "outcome": {"result": str(result)}}:
                self.end(asked, result, body.get("machine"))
            case {"event": "error", "error": str(name)}:
                self.end(asked, name, f"{body.get('machine') or '-'}: {body.get('text')}")
            case {"event": "accepted"}:
                asked.next_send = time.monotonic() + PATIENCE_SECONDS
            case {"event": "step", "step": {"name": str(name)}}:
                print(f"{asked.number[-4:]} step: {name}", flush=True)

    def end(self, asked: Asked, result: str, rest: object) -> None:
        asked.result = result
        print(f"{asked.number[-4:]} {result} {rest or '-'}", flush=True)

    def tick(self) -> bool:
        now = time.monotonic()
        waiting = [asked for asked in self.asked.values() if asked.result is None]
        for asked in waiting:
            if now >= asked.deadline:
                self.end(asked, "noAnswer", self.link.failure or "No worker answered in time.")
            elif self.is_subscribed and self.link.is_up and now >= asked.next_send:
                asked.next_send = now + REPEAT_SECONDS
                body: dict[str, object] = {"number": asked.number}
                if self.progress:
                    body["progress"] = True
                self.link.publish(
                    f"modemd-office/1/verify/{self.name}",
                    body,
                    qos=0,
                    expiry=min(60, int(asked.deadline - now)),
                    correlation=asked.correlation,
                    response_topic=f"modemd-office/1/answer/{self.name}",
                )
        return any(asked.result is None for asked in self.asked.values())


def main() -> int:
    parser = argparse.ArgumentParser(description="Asks whether numbers are those of SIMs of the fleet.")
    add_arguments(parser)
    parser.add_argument("--seconds", type=int, default=40, help="how long to wait for an answer (default: 40)")
    parser.add_argument("--progress", action="store_true", help="show the steps of a flow")
    parser.add_argument("number", nargs="+", help="in international form, as in +447700900123")
    asker = Asker(parser.parse_args())
    asker.link.run(asker.tick)
    asker.link.close()
    return 0 if all(asked.result == "verified" for asked in asker.asked.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
