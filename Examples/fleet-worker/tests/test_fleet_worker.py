"""The worker against a real mosquitto, several workers and several machines: python3 -m unittest discover -s tests."""

from __future__ import annotations

import collections
import json
import os
import queue
import signal
import time
import unittest

import paho.mqtt.client as mqtt
from office import Client, Machine, Message, Office, Started, until

VERIFY, ANSWER = "modemd-office/1/verify/", "modemd-office/1/answer/"


def number(machine: int, modem: int = 0) -> str:
    return f"+4915112{machine:03d}{modem:03d}"


class Asker(Client):
    """Asks without the care of fleet_ask.py: once, with QoS 1, or as a test says."""

    def __init__(self, office: Office, name: str) -> None:
        super().__init__(office, name, "office", [ANSWER + name])
        self.name = name

    def ask(self, what: str, correlation: bytes | None = None, qos: int = 1, expiry: int = 30) -> bytes:
        correlation = correlation or os.urandom(16)
        body = {"number": what}
        self.later(
            lambda: self.link.publish(VERIFY + self.name, body, qos=qos, expiry=expiry, correlation=correlation)
        )
        return correlation

    def finals(self, count: int, seconds: float = 40) -> dict[bytes, list[Message]]:
        """Final answers by correlation, when each of `count` questions has one, and a little longer for a second."""
        finals: dict[bytes, list[Message]] = collections.defaultdict(list)
        end = time.monotonic() + seconds
        while len(finals) < count or time.monotonic() < end:
            if len(finals) >= count:
                end = min(end, time.monotonic() + 1)
            try:
                message = self.messages.get(timeout=max(0, min(1, end - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= end:
                    break
                continue
            if (message.body() or {}).get("event") in ("outcome", "error"):
                finals[message.correlation].append(message)
        return finals

    def word(self, what: str) -> str:
        """The word of one question's answer."""
        correlation = self.ask(what)
        answers = self.finals(1)[correlation]
        assert len(answers) == 1, answers
        return word(answers[0])


def word(message: Message) -> str:
    body = message.body() or {}
    return str(body["outcome"]["result"] if body["event"] == "outcome" else body["error"])


class WorkerTests(unittest.TestCase):
    def setUp(self) -> None:
        self.office = Office()
        self.clients: list[Client] = []
        self.addCleanup(self.end)

    def end(self) -> None:
        for client in self.clients:
            client.close()
        self.office.close()

    def worker(self, name: str, *more: str) -> Started:
        worker = self.office.worker(name, *more)
        worker.says("ready")
        return worker

    def machine(self, index: int, numbers: list[str] | None = None) -> Machine:
        machine = Machine(self.office, f"kiosk-{index:03d}", [number(index)] if numbers is None else numbers)
        self.clients.append(machine)
        return machine

    def asker(self, name: str = "shop") -> Asker:
        asker = Asker(self.office, name)
        self.clients.append(asker)
        return asker

    def watcher(self, topics: list[str]) -> Client:
        watcher = Client(self.office, "watcher", "office", topics)
        self.clients.append(watcher)
        return watcher

    def test_several_workers_and_machines(self) -> None:
        """Each question has one answer, from the machine that has the SIM; nobody else hears the number."""
        machines = [self.machine(index, [number(index, 0), number(index, 1)]) for index in range(4)]
        watcher = self.watcher(["modemd/#", ANSWER + "#"])
        workers = [self.worker("worker-1"), self.worker("worker-2")]
        askers = [self.asker("shop"), self.asker("desk")]
        asked: dict[bytes, int] = {}
        for round_ in range(100):
            for index, asker in enumerate(askers):
                machine = (round_ + index) % 4
                asked[asker.ask(number(machine, round_ % 2))] = machine
        finals = askers[0].finals(100) | askers[1].finals(100)
        self.assertEqual(set(finals), set(asked))
        for correlation, answers in finals.items():
            self.assertEqual([word(answer) for answer in answers], ["verified"])
            self.assertEqual((answers[0].body() or {})["machine"], f"kiosk-{asked[correlation]:03d}")
        self.assertEqual([len(machine.runs) for machine in machines], [50] * 4)
        # Both workers worked, each under its own name.
        requesters = collections.Counter(m.levels[4] for machine in machines for m in machine.deliveries)
        self.assertEqual(set(requesters), {"worker-1", "worker-2"})
        self.assertGreater(min(requesters.values()), 50)
        for machine in machines:
            for message in machine.deliveries:
                self.assertEqual(message.qos, 0)
                self.assertTrue(16 == len(message.correlation) and message.expiry and message.expiry <= 30)
        seen = 0
        while not watcher.messages.empty():
            message = watcher.messages.get()
            if b"+49151" in message.payload:
                seen += 1
                self.assertEqual(message.levels[3] + message.levels[-1], "commandverify.number")
                machine_index = int(message.levels[2].removeprefix("kiosk-"))
                self.assertIn(f"+4915112{machine_index:03d}".encode(), message.payload)
        self.assertEqual(seen, 200)
        for worker in workers:
            worker.process.send_signal(signal.SIGTERM)
            self.assertEqual(worker.end(), 0)
            self.assertNotIn("+49", "\n".join(worker.lines))

    def test_without_a_machine(self) -> None:
        """What cannot be answered is answered too, at once."""
        here, away = self.machine(1), self.machine(2)
        self.machine(3, [number(1)]).tell("offline")
        away.tell("offline")
        other = self.machine(4, [number(4)])
        twin = self.machine(5, [number(4)])
        self.worker("worker-1")
        asker = self.asker()
        self.assertEqual(asker.word(number(1)), "verified")
        self.assertEqual(asker.word(number(2)), "machineOffline")
        self.assertEqual(asker.word(number(9)), "noMachine")
        self.assertEqual(asker.word(number(4)), "ambiguous")
        for machine in (other, twin, away):
            self.assertEqual(machine.deliveries, [])
        # The SIM leaves the machine.
        twin.retained("modem/m00000000/state", None)
        until(lambda: asker.word(number(4)) == "verified", "one is left")
        here.retained("modem/m00000000/state", {"numberKey": None})
        until(lambda: asker.word(number(1)) == "machineOffline", "only the one that is away is left")
        away.tell("online")
        until(lambda: asker.word(number(2)) == "verified", "it is back")

    def test_lost_commands_are_repeated(self) -> None:
        """A command that is lost is sent again with the same correlation, and carried out once."""
        machine = self.machine(1)
        self.worker("worker-1")
        asker = self.asker()
        machine.loses = 1
        self.assertEqual(asker.word(number(1)), "verified")
        self.assertEqual(len({message.correlation for message in machine.deliveries}), 1)
        self.assertEqual((len(machine.deliveries), list(machine.runs.values())), (2, [1]))

    def test_machine_that_is_silent(self) -> None:
        """The asker's time is the limit."""
        machine = self.machine(1)
        machine.is_mute = True
        self.worker("worker-1")
        asker = self.asker()
        correlation = asker.ask(number(1), expiry=5)
        answers = asker.finals(1)[correlation]
        self.assertEqual([word(answer) for answer in answers], ["noAnswer"])
        self.assertEqual(len(machine.deliveries), 2)

    def test_worker_that_dies(self) -> None:
        """A worker is killed with questions in hand: a restart answers them all, and nothing is carried out twice."""
        machine = self.machine(1, [number(1, modem) for modem in range(12)])
        machine.takes_seconds = 3
        worker = self.worker("worker-1")
        asks = self.office.ask("shop", "--seconds", "60", *(number(1, modem) for modem in range(12)))
        until(lambda: len(machine.runs) == 12, "all are under way")
        worker.process.kill()
        worker.process.wait()
        self.worker("worker-1")
        self.assertEqual(asks.end(), 0, asks.lines)
        self.assertEqual(len(asks.lines), 12, asks.lines)
        self.assertEqual((len(machine.runs), set(machine.runs.values())), (12, {1}))

    def test_session_keeps_questions(self) -> None:
        """Questions of QoS 1 wait at the broker for a worker that is away; expired ones are not asked any more."""
        machine = self.machine(1)
        worker = self.worker("worker-1")
        worker.process.kill()
        worker.process.wait()
        asker = self.asker()
        late = asker.ask(number(1), expiry=1)
        kept = [asker.ask(number(1)) for _ in range(20)]
        until(lambda: asker.link._client._out_messages == {}, "the broker has all")
        time.sleep(1.5)  # The expiry is the broker's time, which a test cannot drive.
        self.worker("worker-1")
        finals = asker.finals(20)
        self.assertEqual(set(finals), set(kept))
        self.assertNotIn(late, finals)
        self.assertTrue(all([word(answer) for answer in answers] == ["verified"] for answers in finals.values()))
        self.assertEqual(len(machine.runs), 20)

    @unittest.skipUnless(hasattr(mqtt, "CallbackAPIVersion"), "paho-mqtt 1.6 acknowledges before the work is done")
    def test_unacknowledged_questions(self) -> None:
        """The broker gives a killed worker's questions to its next life, though nobody repeats them."""
        machine = self.machine(1, [number(1, modem) for modem in range(12)])
        machine.takes_seconds = 3
        worker = self.worker("worker-1")
        asker = self.asker()
        asked = [asker.ask(number(1, modem)) for modem in range(12)]
        until(lambda: len(machine.runs) == 12, "all are under way")
        worker.process.kill()
        worker.process.wait()
        self.worker("worker-1")
        finals = asker.finals(12)
        words = {name: [word(answer) for answer in answers] for name, answers in finals.items()}
        self.assertEqual(words, {name: ["verified"] for name in asked})
        self.assertEqual((len(machine.runs), set(machine.runs.values())), (12, {1}))

    def test_worker_that_hangs(self) -> None:
        """A worker hangs. Its share of the questions goes to the other when the asker repeats them."""
        machine = self.machine(1, [number(1, modem) for modem in range(20)])
        hanging = self.worker("worker-1")
        self.worker("worker-2")
        hanging.process.send_signal(signal.SIGSTOP)
        asks = self.office.ask("shop", "--seconds", "60", *(number(1, modem) for modem in range(20)))
        self.assertEqual(asks.end(), 0, asks.lines)
        self.assertEqual(len(asks.lines), 20)
        self.assertTrue(all("verified" in line for line in asks.lines), asks.lines)
        self.assertEqual({message.levels[4] for message in machine.deliveries}, {"worker-2"})
        hanging.process.send_signal(signal.SIGCONT)

    def test_repeated_question(self) -> None:
        """A repetition of a question under way has its answer; one of an answered question the same answer again."""
        machine = self.machine(1)
        machine.takes_seconds = 1
        self.worker("worker-1")
        asker = self.asker()
        correlation = asker.ask(number(1))
        asker.ask(number(1), correlation)
        asker.ask(number(1), correlation)
        self.assertEqual([word(answer) for answer in asker.finals(1)[correlation]], ["verified"])
        asker.ask(number(1), correlation)
        self.assertEqual([word(answer) for answer in asker.finals(1)[correlation]], ["verified"])
        self.assertEqual(list(machine.runs.values()), [1])

    def test_hostile_messages(self) -> None:
        """Nobody answers for another machine or another asker, and nonsense is refused."""
        machine, evil = self.machine(1), self.machine(2)
        machine.takes_seconds = 2
        watcher = self.watcher(["modemd-office/1/answer/#"])
        worker = self.worker("worker-1")
        asker = self.asker()

        # Another machine answers first, with the right correlation.
        correlation = asker.ask(number(1))
        until(lambda: machine.deliveries, "the command")
        forged = {"event": "outcome", "outcome": {"result": "notVerified", "text": "Forged."}}
        evil.reply("worker-1", machine.deliveries[0].correlation, forged)
        self.assertEqual([word(answer) for answer in asker.finals(1)[correlation]], ["verified"])

        # The broker lets nobody ask in another's name, or read another's answers, or command a machine.
        expiry = {"MessageExpiryInterval": 30}
        payload = json.dumps({"number": number(1)}).encode()
        asker.raw(VERIFY + "desk", payload, CorrelationData=b"d" * 16, **expiry)
        command = f"modemd/1/{machine.name}/command/shop/verify.number"
        asker.raw(command, payload, CorrelationData=b"d" * 16, **expiry)

        # Without an end, without a name for the answer, or kept by the broker: nobody waits for an answer.
        asker.raw(VERIFY + "shop", payload, CorrelationData=b"a" * 16)
        asker.raw(VERIFY + "shop", payload, CorrelationData=b"b" * 16, MessageExpiryInterval=3600)
        asker.raw(VERIFY + "shop", payload, CorrelationData=b"short", **expiry)
        asker.raw(VERIFY + "shop", payload, **expiry)
        asker.raw(VERIFY + "shop", b"", retain=True, **expiry)

        # Malformed, and a response topic that would make the worker write elsewhere.
        wrong = [
            b"", b"\xff", b"[]", b'{"number":"0151"}', b'{"number":7}', b'{"number":"+491511200100\\u0660"}', b"[" * 9000,
            payload[:-1] + b',"provider":"x"}', payload[:-1] + b',"progress":1}',
        ]  # fmt: skip
        for index, text in enumerate(wrong):
            asker.raw(VERIFY + "shop", text, CorrelationData=b"%016d" % index, **expiry)
        elsewhere = f"modemd/1/{machine.name}/command/worker-1/bearer.disconnect"
        asker.raw(VERIFY + "shop", payload, CorrelationData=b"e" * 16, ResponseTopic=elsewhere, **expiry)
        finals = asker.finals(len(wrong) + 1)
        self.assertEqual(len(finals), len(wrong) + 1)
        self.assertEqual({word(answers[0]) for answers in finals.values()}, {"malformed"})
        self.assertEqual(len(machine.deliveries), 1)

        # Machines and replies that are no JSON, or not of the right form.
        states = [
            b"{", b"[]", b'{"numberKey":7}', b'{"otherNumberKeys":[[]]}', b'{"otherNumberKeys":{}}', b"\xff" * 100,
            b'{"numberKey":"' + b"a" * 33 + b'"}',
        ]  # fmt: skip
        for text in states:
            evil.raw(f"modemd/1/{evil.name}/modem/m0/state", text, retain=True)
        machine.takes_seconds = 0
        self.assertEqual(asker.word(number(1)), "verified")
        self.assertIsNone(worker.process.poll())
        while not watcher.messages.empty():
            self.assertEqual(watcher.messages.get().topic, ANSWER + "shop")

    def test_too_many_questions(self) -> None:
        """One asker cannot take all places."""
        machine = self.machine(1, [number(1), number(1, 1)])
        machine.takes_seconds = 3
        self.worker("worker-1")
        shop, desk = self.asker("shop"), self.asker("desk")
        for _ in range(130):
            shop.ask(number(1))
        finals = shop.finals(130)
        words = collections.Counter(word(answers[0]) for answers in finals.values())
        self.assertEqual(words["verified"] + words["tooMany"], 130)
        self.assertGreaterEqual(words["tooMany"], 30)
        self.assertGreaterEqual(words["verified"], 100)
        machine.takes_seconds = 0
        self.assertEqual(desk.word(number(1, 1)), "verified")

    def test_restart_of_the_broker(self) -> None:
        """Everybody comes back; states that changed meanwhile count."""
        self.machine(1)
        self.worker("worker-1")
        asker = self.asker()
        self.assertEqual(asker.word(number(1)), "verified")
        self.office.stop()
        self.office.start()
        asks = self.office.ask("shop-2", "--progress", number(1), number(7))
        self.assertEqual(asks.end(), 1)
        self.assertEqual(
            sorted(asks.lines),
            ["1000 step: createCheck", "1000 verified kiosk-001", "7000 noMachine -: No machine has a SIM with this number."],
        )


if __name__ == "__main__":
    unittest.main()
