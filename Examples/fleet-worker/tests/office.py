"""A real mosquitto with the example's own configuration, and machines that a small program plays."""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(EXAMPLE))

from fleet_link import Body, Link, Message  # noqa: E402

KEY = b"0123456789abcdef0123456789abcdef"


def number_key(number: str) -> str:
    return hmac.new(KEY, number.encode(), hashlib.sha256).digest()[:16].hex()


def until(condition: Any, what: str, seconds: float = 30) -> None:
    """Waits for a condition that another thread or process brings about."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not in time: {what}")
        time.sleep(0.02)


class Office:
    """The broker, its authorities and certificates, in a folder that is removed at the end."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="modemd-office-"))
        os.chmod(self.folder, 0o755)
        self.machines_port, self.office_port = self._ports()
        for side in ("machines", "office", "broker"):
            self._authority(side)
        self.certify("localhost", "broker", "broker")
        (self.folder / "key").write_bytes(KEY + b"\n")
        os.chmod(self.folder / "key", 0o600)
        self._configure()
        self.process: subprocess.Popen[bytes] | None = None
        self.children: list[subprocess.Popen[bytes]] = []
        self.start()

    @staticmethod
    def _ports() -> tuple[int, int]:
        with socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0))
            two.bind(("127.0.0.1", 0))
            return one.getsockname()[1], two.getsockname()[1]

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def _authority(self, side: str) -> None:
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN=Test {side}", "-keyout", f"{side}-ca.key", "-out", f"{side}-ca.pem",
        )  # fmt: skip

    def certify(self, name: str, side: str, file: str | None = None) -> None:
        file = file or f"{side}-{name}"
        self._openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
            "-keyout", f"{file}.key", "-out", f"{file}.csr",
        )  # fmt: skip
        (self.folder / f"{file}.ext").write_text(f"subjectAltName=DNS:{name}\n")
        self._openssl(
            "x509", "-req", "-in", f"{file}.csr", "-CA", f"{side}-ca.pem", "-CAkey", f"{side}-ca.key",
            "-CAcreateserial", "-days", "2", "-extfile", f"{file}.ext", "-out", f"{file}.pem",
        )  # fmt: skip

    def _configure(self) -> None:
        text = (EXAMPLE / "broker/modemd.conf").read_text()
        for old, new in (
            ("/etc/mosquitto/modemd/", f"{self.folder}/"),
            ("/var/lib/mosquitto/", f"{self.folder}/"),
            ("listener 8883", f"listener {self.machines_port} 127.0.0.1"),
            ("listener 8884", f"listener {self.office_port} 127.0.0.1"),
        ):
            if old not in text:
                raise AssertionError(f"{old} is not in the example's configuration")
            text = text.replace(old, new)
        # mosquitto gives up root for a user that could not read a test's files.
        (self.folder / "mosquitto.conf").write_text(f"user {'root' if os.geteuid() == 0 else ''}\n{text}")
        shutil.copy(EXAMPLE / "broker/machines.acl", self.folder)
        watcher = "\nuser watcher\ntopic readwrite #\n"
        (self.folder / "office.acl").write_text((EXAMPLE / "broker/office.acl").read_text() + watcher)
        for name in ("machines.acl", "office.acl"):
            os.chmod(self.folder / name, 0o600)

    def start(self) -> None:
        with open(self.folder / "broker.log", "ab") as log:
            self.process = subprocess.Popen(
                [shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", str(self.folder / "mosquitto.conf")],
                stdout=log, stderr=log,
            )  # fmt: skip

        def listens() -> bool:
            if self.process is not None and self.process.poll() is not None:
                raise AssertionError((self.folder / "broker.log").read_text())
            try:
                socket.create_connection(("127.0.0.1", self.office_port)).close()
            except OSError:
                return False
            return True

        until(listens, "the broker listens")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)

    def arguments(self, name: str, side: str) -> list[str]:
        if not (self.folder / f"{side}-{name}.pem").exists():
            self.certify(name, side)
        port = self.machines_port if side == "machines" else self.office_port
        files = [str(self.folder / f) for f in ("broker-ca.pem", f"{side}-{name}.pem", f"{side}-{name}.key")]
        return [
            "--broker", f"localhost:{port}", "--name", name, "--authorities", files[0], "--certificate", files[1],
            "--key", files[2],
        ]  # fmt: skip

    def namespace(self, name: str, side: str) -> argparse.Namespace:
        from fleet_link import add_arguments

        parser = argparse.ArgumentParser()
        add_arguments(parser)
        return parser.parse_args(self.arguments(name, side))

    def worker(self, name: str, *more: str) -> Started:
        return Started(
            self, "fleet_worker.py", [*self.arguments(name, "office"), "--fleet-key", str(self.folder / "key"), *more]
        )

    def ask(self, name: str, *more: str) -> Started:
        return Started(self, "fleet_ask.py", [*self.arguments(name, "office"), *more])

    def close(self) -> None:
        for child in self.children:
            if child.poll() is None:
                child.send_signal(signal.SIGCONT)
                child.kill()
                child.wait()
        self.stop()
        shutil.rmtree(self.folder)


class Started:
    """A program of the example, with its lines."""

    def __init__(self, office: Office, program: str, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-u", str(EXAMPLE / program), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        office.children.append(self.process)
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for line in output:
                self.lines.append(line.decode(errors="replace").rstrip())

    def says(self, line: str, seconds: float = 30) -> None:
        until(lambda: line in self.lines, f"{line}, only {self.lines}", seconds)

    def end(self) -> int:
        return self.process.wait(90)


class Client:
    """A client on a thread of its own; `messages` has what came."""

    def __init__(self, office: Office, name: str, side: str, topics: list[str], session_seconds: int = 0) -> None:
        self.messages: queue.Queue[Message] = queue.Queue()
        self.is_subscribed = False
        self._topics = topics
        self._work: queue.Queue[Any] = queue.Queue()
        self._ends = False
        self.link = Link(
            office.namespace(name, side),
            session_seconds=session_seconds,
            on_up=self._up,
            on_message=self._take,
            on_granted=self._granted,
        )
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        until(lambda: self.is_subscribed, f"{name} is subscribed")

    def _up(self) -> None:
        self.is_subscribed = False
        self.link.subscribe(self._topics, qos=1)

    def _granted(self, topics: list[str]) -> None:
        self.is_subscribed = True

    def _take(self, message: Message) -> None:
        self.link.settle(message)
        self.received(message)

    def received(self, message: Message) -> None:
        self.messages.put(message)

    def _tick(self) -> bool:
        while not self._work.empty():
            self._work.get()()
        return not self._ends

    def _run(self) -> None:
        self.link.run(self._tick)
        self.link.close()

    def later(self, work: Any) -> None:
        """Does something on the client's own thread."""
        self._work.put(work)

    def raw(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 1, **properties: Any) -> None:
        """A message as no well-behaved program sends it."""
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        made = Properties(PacketTypes.PUBLISH)
        for name, value in properties.items():
            setattr(made, name, value)
        client = self.link._client
        self.later(lambda: client.publish(topic, payload, qos=qos, retain=retain, properties=made))

    def close(self) -> None:
        self._ends = True
        self._thread.join(20)


class Machine(Client):
    """Plays modemd-fleet: a status, modems with keys, and verify.number by the rules of the agents."""

    def __init__(self, office: Office, name: str, numbers: list[str]) -> None:
        self.name, self.numbers = name, numbers
        # Commands carried out, by correlation; deliveries; and what a test wants otherwise.
        self.runs: dict[bytes, int] = {}
        self.deliveries: list[Message] = []
        self.loses = 0
        self.takes_seconds = 0.0
        self.is_mute = False
        self._final: dict[bytes, Body] = {}
        super().__init__(office, name, "machines", [f"modemd/1/{name}/command/+/+"])
        self.tell()

    def tell(self, state: str = "online") -> None:
        self.retained("status", {"state": state, "n": 1})
        for index, number in enumerate(self.numbers):
            # The first number and others, as agents tell them.
            body: Body = {"numberKey": number_key(number), "n": 1}
            if index % 2:
                body = {"numberKey": number_key("+4900000000"), "otherNumberKeys": [number_key(number)], "n": 1}
            self.retained(f"modem/m{index:08x}/state", body)

    def retained(self, topic: str, body: Body | None) -> None:
        payload = b"" if body is None else json.dumps(body).encode()
        self.raw(f"modemd/1/{self.name}/{topic}", payload, retain=True)

    def reply(self, requester: str, correlation: bytes, body: Body) -> None:
        topic = f"modemd/1/{self.name}/reply/{requester}"
        self.later(lambda: self.link.publish(topic, body, qos=1, expiry=60, correlation=correlation))

    def received(self, message: Message) -> None:
        self.deliveries.append(message)
        if self.loses > 0:
            self.loses -= 1
            return
        if self.is_mute:
            return
        requester, correlation = message.levels[4], message.correlation
        if (final := self._final.get(correlation)) is not None:
            self.reply(requester, correlation, final)
            return
        self.reply(requester, correlation, {"n": 1, "seq": 0, "event": "accepted", "command": "verify.number"})
        if correlation in self.runs:
            return
        self.runs[correlation] = 1
        body = message.body() or {}
        index = int(str(body["modem"])[1:], 16)
        result = "verified" if self.numbers[index] == body["number"] else "notVerified"

        def end() -> None:
            if body.get("progress"):
                step = {"index": 1, "name": "createCheck"}
                self.reply(requester, correlation, {"n": 1, "seq": 1, "event": "step", "step": step})
            outcome = {"result": result, "text": "Played.", "milliseconds": 1}
            self._final[correlation] = {"n": 1, "seq": 2, "event": "outcome", "outcome": outcome}
            self.reply(requester, correlation, self._final[correlation])

        if self.takes_seconds:
            threading.Timer(self.takes_seconds, end).start()
        else:
            end()
