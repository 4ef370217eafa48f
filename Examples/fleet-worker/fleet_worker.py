#!/usr/bin/env python3
"""fleet_worker.py: answers "is this the number of a SIM of ours?" through the machine that has the SIM.

Questions come to any of the workers, from modemd-office/1/verify/<asker>. The worker finds the machine by the key of
the number, which machines publish instead of the number, and sends it the command verify.number. What the machine says
goes to modemd-office/1/answer/<asker>. README.md has the messages, and the broker's settings.

Needs paho-mqtt 1.6 or 2.x. Ends with SIGTERM or SIGINT; questions that it has then come again at its next start.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import re
import signal
import sys
import time
from dataclasses import dataclass, field

from fleet_link import Body, Link, Message, add_arguments, is_name, log, read_key

QUESTIONS = "modemd-office/1/verify/"
ANSWERS = "modemd-office/1/answer/"
# E.164, as the agents want it: a plus sign and 7 to 15 digits.
NUMBER = re.compile(r"\+[1-9][0-9]{6,14}")

# Bounds: questions at once, those of one asker among them, machines' modems, and answers that can be repeated.
MOST_QUESTIONS = 500
MOST_OF_ASKER = 100
MOST_MODEMS = 500_000
MOST_ANSWERS = 2_000
# An asker may leave this many seconds to a question.
MOST_SECONDS = 60
# Without a sign of the machine, the command is repeated after these seconds, then after twice as many, and so on.
REPEAT_SECONDS = 3.0
# After its `accepted`, the machine has this long before it is reminded.
PATIENCE_SECONDS = 15.0


class Machines:
    """Which modem of which machine has which number's key, and who is connected: from retained messages."""

    def __init__(self) -> None:
        self._online: dict[str, bool] = {}
        self._keys_of: dict[tuple[str, str], set[str]] = {}
        self._modems_of: dict[str, set[tuple[str, str]]] = {}
        self._changed = time.monotonic()

    def clear(self) -> None:
        """The broker sends everything again: what was cleared meanwhile must not stay."""
        self._online.clear()
        self._keys_of.clear()
        self._modems_of.clear()
        self._changed = time.monotonic()

    def is_quiet(self, now: float) -> bool:
        """Whether the flood of retained messages after a subscription is over."""
        return now - self._changed > 0.3

    def take(self, message: Message) -> None:
        """A `status` or a modem's `state`."""
        if message.is_retained:
            self._changed = time.monotonic()
        body = message.body() or {}
        machine, kind = message.levels[2], message.levels[3]
        if kind == "status":
            self._online[machine] = body.get("state") == "online"
            return
        place = (machine, message.levels[4])
        for key in self._keys_of.pop(place, set()):
            self._modems_of[key].discard(place)
            if not self._modems_of[key]:
                del self._modems_of[key]
        # A SIM may have more than one number.
        others = body.get("otherNumberKeys")
        said = [body.get("numberKey"), *(others[:4] if isinstance(others, list) else [])]
        keys = {key for key in said if isinstance(key, str) and len(key) == 32}
        if keys and len(self._keys_of) < MOST_MODEMS:
            self._keys_of[place] = keys
            for key in keys:
                self._modems_of.setdefault(key, set()).add(place)

    def find(self, key: str) -> tuple[list[tuple[str, str]], bool]:
        """The connected modems with this key, and whether a machine has it that is not connected."""
        places = self._modems_of.get(key, set())
        here = sorted(place for place in places if self._online.get(place[0]))
        return here, len(here) < len(places)


@dataclass
class Question:
    """A question under way."""

    asker: str
    correlation: bytes
    number: str
    deadline: float
    # What brought it, while the broker waits for the acknowledgement.
    message: Message | None
    # What the machine's replies repeat. The same for the same question, also in the worker's next life.
    command: bytes
    machine: str | None = None
    modem: str | None = None
    is_accepted: bool = False
    sent: int = 0
    next_send: float = 0.0
    progress: bool = False


@dataclass
class Answered:
    """A final answer, for an asker that repeats the question."""

    body: Body
    until: float = field(default_factory=lambda: time.monotonic() + MOST_SECONDS)


class Worker:
    """Takes questions, asks machines, answers."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.key = read_key(arguments.fleet_key)
        self.requester: str = arguments.name
        self.group: str = arguments.group
        self.machines = Machines()
        self.questions: dict[tuple[str, bytes], Question] = {}
        self.by_command: dict[bytes, Question] = {}
        self.answers: dict[tuple[str, bytes], Answered] = {}
        self.is_ready = False
        self.is_stopping = False
        self._waits_for_states = False
        self.link = Link(
            arguments,
            session_seconds=arguments.session_seconds,
            on_up=self.up,
            on_message=self.take,
            on_granted=self.granted,
        )

    def run(self) -> None:
        self.link.run(self.tick)
        self.link.close()

    # --- the connection -----------------------------------------------------------------------------------------------

    def up(self) -> None:
        log("connected")
        self.is_ready, self._waits_for_states = False, False
        self.machines.clear()
        # The broker sends again what was not acknowledged.
        for question in self.questions.values():
            question.message = None
        # Retained messages come with QoS 0: only questions and replies count against the broker's window, so that a
        # question in work does not hold up what is new of the machines.
        self.link.subscribe(["modemd/1/+/status", "modemd/1/+/modem/+/state"], qos=0)
        self.link.subscribe([f"modemd/1/+/reply/{self.requester}"], qos=1)
        self.link.subscribe([f"$share/{self.group}/{QUESTIONS}+"], qos=1)

    def granted(self, topics: list[str]) -> None:
        if topics and topics[0].endswith("/status"):
            self._waits_for_states = True

    def take(self, message: Message) -> None:
        levels = message.levels
        if message.topic.startswith(QUESTIONS) and len(levels) == 4:
            self.question(message)
            return
        if levels[:2] == ["modemd", "1"] and len(levels) > 3:
            if levels[3] == "reply" and len(levels) == 5:
                self.reply(message)
            elif levels[3:] == ["status"] or (levels[3] == "modem" and len(levels) == 6 and levels[5] == "state"):
                self.machines.take(message)
        self.link.settle(message)

    # --- questions ----------------------------------------------------------------------------------------------------

    def question(self, message: Message) -> None:
        asker = message.levels[3]
        correlation = message.correlation
        # A question from no one, without an end, or out of the broker's memory gets no answer: nobody waits for it.
        if (
            message.is_retained
            or not is_name(asker)
            or not 16 <= len(correlation) <= 64
            or not message.expiry
            or message.expiry > MOST_SECONDS
        ):
            self.link.settle(message)
            return
        name = (asker, correlation)
        if (known := self.questions.get(name)) is not None:
            # A repetition: it has the answer of the first.
            if known.message is None:
                known.message = message
            elif known.message.id != message.id:
                self.link.settle(message)
            if known.is_accepted:
                self.say(known.asker, known.correlation, {"seq": 0, "event": "accepted"})
            return
        if (answered := self.answers.get(name)) is not None:
            self.say(asker, correlation, answered.body)
            self.link.settle(message)
            return
        question = Question(
            asker=asker,
            correlation=correlation,
            number="",
            deadline=time.monotonic() + message.expiry,
            message=message,
            command=self.command(asker, correlation),
        )
        if (fault := self.fault(message, question)) is not None:
            self.answer(question, error=fault)
            return
        self.questions[name] = question
        self.by_command[question.command] = question
        self.advance(question)

    def fault(self, message: Message, question: Question) -> tuple[str, str] | None:
        """What is wrong with a question: a word and a sentence."""
        if message.response_topic not in (None, ANSWERS + question.asker):
            return "malformed", f"The response topic, if there is one, is {ANSWERS}{question.asker}."
        body = message.body()
        if body is None or not set(body) <= {"number", "progress"}:
            return "malformed", "Expected a JSON object with the key number, and progress if steps are wanted."
        number, progress = body.get("number"), body.get("progress", False)
        if not isinstance(number, str) or NUMBER.fullmatch(number) is None:
            return "malformed", "number: expected international form, as in +447700900123."
        if not isinstance(progress, bool):
            return "malformed", "progress: expected true or false."
        of_asker = sum(1 for asker, _ in self.questions if asker == question.asker)
        if len(self.questions) >= MOST_QUESTIONS or of_asker >= MOST_OF_ASKER:
            return "tooMany", "Too many questions are under way. Ask again in some seconds."
        question.number, question.progress = number, progress
        return None

    def command(self, asker: str, correlation: bytes) -> bytes:
        """16 bytes for the command: as random as the question's, and the same when the question comes again."""
        text = b"question\0" + asker.encode() + b"\0" + correlation
        return hmac.new(self.key, text, hashlib.sha256).digest()[:16]

    def number_key(self, number: str) -> str:
        return hmac.new(self.key, number.encode(), hashlib.sha256).digest()[:16].hex()

    def advance(self, question: Question) -> None:
        """Finds the machine, or sends the command (again)."""
        now = time.monotonic()
        if question.machine is None:
            if not self.is_ready:
                return
            places, is_elsewhere = self.machines.find(self.number_key(question.number))
            if len(places) > 1:
                self.answer(question, error=("ambiguous", "More than one machine says that it has this number."))
            elif places:
                question.machine, question.modem = places[0]
            elif is_elsewhere:
                self.answer(question, error=("machineOffline", "The machine with this SIM is not connected."))
            else:
                self.answer(question, error=("noMachine", "No machine has a SIM with this number."))
            if not places or len(places) > 1:
                return
        if now < question.next_send or not self.link.is_up:
            return
        wait = PATIENCE_SECONDS if question.is_accepted else REPEAT_SECONDS * 2.0**question.sent
        question.sent += 1
        question.next_send = now + wait
        body: Body = {"number": question.number, "modem": question.modem}
        if question.progress:
            body["progress"] = True
        # QoS 0: the broker must not keep a number for a machine that is not there.
        self.link.publish(
            f"modemd/1/{question.machine}/command/{self.requester}/verify.number",
            body,
            qos=0,
            expiry=min(30, int(question.deadline - now)),
            correlation=question.command,
            response_topic=f"modemd/1/{question.machine}/reply/{self.requester}",
        )

    # --- replies ------------------------------------------------------------------------------------------------------

    def reply(self, message: Message) -> None:
        question = self.by_command.get(message.correlation)
        body = message.body()
        # Another machine cannot answer for the one that was asked.
        if question is None or body is None or message.levels[2] != question.machine:
            return
        event = body.get("event")
        if event in ("outcome", "error"):
            self.answer(question, reply=body)
        elif event == "accepted":
            if not question.is_accepted:
                question.is_accepted = True
                question.next_send = time.monotonic() + PATIENCE_SECONDS
                self.say(question.asker, question.correlation, self.passed(body))
        elif question.progress and event in ("step", "hop"):
            self.say(question.asker, question.correlation, self.passed(body))

    @staticmethod
    def passed(reply: Body) -> Body:
        """What an asker sees of a machine's reply: not the machine's time, nor its session."""
        return {key: value for key, value in reply.items() if key not in ("time", "n")}

    def answer(self, question: Question, *, reply: Body | None = None, error: tuple[str, str] | None = None) -> None:
        """The one final answer."""
        name = (question.asker, question.correlation)
        if reply is not None:
            body = self.passed(reply) | {"machine": question.machine}
        else:
            assert error is not None
            body = {"event": "error", "error": error[0], "text": error[1]}
            if question.machine is not None:
                body["machine"] = question.machine
        self.questions.pop(name, None)
        self.by_command.pop(question.command, None)
        while len(self.answers) >= MOST_ANSWERS:
            self.answers.pop(next(iter(self.answers)))
        self.answers[name] = Answered(body)
        self.say(question.asker, question.correlation, body)
        if question.message is not None:
            self.link.settle(question.message)
        outcome = body.get("outcome")
        word = outcome.get("result") if isinstance(outcome, dict) else body.get("error")
        log(f"{question.asker}: {word} ({question.machine})")

    def say(self, asker: str, correlation: bytes, body: Body) -> None:
        is_final = body["event"] in ("outcome", "error")
        self.link.publish(ANSWERS + asker, body, qos=1 if is_final else 0, expiry=60, correlation=correlation)

    # --- time ---------------------------------------------------------------------------------------------------------

    def tick(self) -> bool:
        now = time.monotonic()
        if not self.is_ready and self._waits_for_states and self.machines.is_quiet(now):
            self.is_ready = True
            log("ready")
        for question in list(self.questions.values()):
            if now >= question.deadline:
                self.answer(question, error=("noAnswer", "The machine did not answer in time."))
            elif self.link.is_up:
                self.advance(question)
        for name in [name for name, answered in self.answers.items() if answered.until < now]:
            del self.answers[name]
        return not self.is_stopping

    def stop(self, *_: object) -> None:
        self.is_stopping = True


def main() -> int:
    parser = argparse.ArgumentParser(description="Answers whether a number is that of a SIM of the fleet.")
    add_arguments(parser)
    parser.add_argument("--fleet-key", metavar="FILE", required=True, help="the fleet's key, as the machines have it")
    parser.add_argument("--group", default="verify", help="workers of a group share the questions (default: verify)")
    parser.add_argument(
        "--session-seconds",
        type=int,
        default=60,
        help="how long the broker keeps questions for this worker while it is away (default: 60)",
    )
    arguments = parser.parse_args()
    if not is_name(arguments.name) or not is_name(arguments.group):
        parser.error("--name and --group: expected 1 to 64 letters, digits, dots, dashes and underscores")
    worker = Worker(arguments)
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, worker.stop)
    worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
