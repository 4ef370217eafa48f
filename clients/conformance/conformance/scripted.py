"""A server that does what a case's script says, whatever connections a client uses for its calls."""

import base64
import fcntl
import json
import os
import select
import socket
import struct
import termios
import threading
import time
from typing import Any

# Longer than anything takes: what has not happened by then does not happen.
PATIENCE = 20.0


class ScriptedServer:
    """Answers each call by the first part of the script with its method that no call has had."""

    def __init__(self, script: list[dict[str, Any]], path: str, listens: str) -> None:
        self.faults: list[str] = []
        self._script = list(script)
        self._played: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._path = path
        self._ending = False
        self._connections: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listener: socket.socket | None = None
        self._closes = listens == "closes"
        # The server's ends of the descriptors that it has handed over.
        self._given: list[socket.socket] = []
        if os.path.lexists(path):
            os.unlink(path)
        if listens == "file":
            with open(path, "w", encoding="utf-8"):
                pass
        elif listens != "no":
            self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._listener.bind(path)
            self._listener.listen(64)
            self._start(self._accept, self._listener)

    def end(self) -> None:
        """Closes everything, and notes what the client should have called and did not."""
        self._ending = True
        if self._listener is not None:
            # Wakes the thread that accepts.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        for connection in list(self._connections):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads:
            thread.join(PATIENCE)
        for given in self._given:
            given.close()
        for part in self._script:
            self.faults.append(f"the client did not call {part['method']}")
        if os.path.lexists(self._path):
            os.unlink(self._path)

    def _start(self, work: Any, *values: Any) -> None:
        thread = threading.Thread(target=work, args=values, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            if self._closes:
                connection.close()
                continue
            self._connections.append(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            waiting = b""
            try:
                while True:
                    while b"\0" not in waiting:
                        more = connection.recv(65536)
                        if not more:
                            return
                        waiting += more
                    frame, waiting = waiting.split(b"\0", 1)
                    self._answer(connection, json.loads(frame))
            except (OSError, ConversationOver):
                return
            except ValueError as error:
                self.faults.append(f"the client sent what is no JSON: {error}")

    def _answer(self, connection: socket.socket, call: dict[str, Any]) -> None:
        part = self._take(call)
        if part is None:
            self.faults.append(f"the client called {call.get('method')}, which the script does not have")
            raise ConversationOver
        wanted = part.get("parameters")
        given = without_nulls(call.get("parameters") or {})
        if wanted is not None and wanted != given:
            self.faults.append(f"{part['method']} came with {json.dumps(given)}, expected {json.dumps(wanted)}")
        if bool(call.get("more")) != bool(part.get("more", False)):
            self.faults.append(f"{part['method']} came with more: {call.get('more')}")
        if bool(call.get("upgrade")) != bool(part.get("upgrade", False)):
            self.faults.append(f"{part['method']} came with upgrade: {call.get('upgrade')}")
        try:
            for action in part.get("do", []):
                self._act(connection, action)
        finally:
            with self._changed:
                self._played.append(part)
                self._changed.notify_all()

    def _take(self, call: dict[str, Any]) -> dict[str, Any] | None:
        with self._changed:
            for part in self._script:
                if part["method"] == call.get("method"):
                    self._script.remove(part)
                    return part
        return None

    def _act(self, connection: socket.socket, action: dict[str, Any]) -> None:
        if action.get("close"):
            connection.shutdown(socket.SHUT_RDWR)
            raise ConversationOver
        if action.get("until") == "closed":
            self._wait_until_closed(connection)
            raise ConversationOver
        if action.get("until") == "read":
            wait_until_read(connection)
        elif "descriptorsClosed" in action:
            for index in action["descriptorsClosed"]:
                self._wait_until_given_closed(index)
        elif action.get("echo"):
            self._echo(connection)
        elif "receives" in action:
            self._receive(connection, action["receives"])
        elif action.get("closeSending"):
            connection.shutdown(socket.SHUT_WR)
        elif "answered" in action:
            self._wait_until_answered(action["answered"], action.get("times", 1))
        elif "pieces" in action:
            whole = b"".join(data_of(each) for each in action["pieces"])
            size = action.get("of", 1)
            for start in range(0, len(whole), size):
                connection.sendall(whole[start : start + size])
                wait_until_read(connection)
        elif "descriptors" in action:
            self._send_with_descriptors(connection, data_of(action), action["descriptors"])
        else:
            connection.sendall(data_of(action))

    def _send_with_descriptors(self, connection: socket.socket, data: bytes, number: int) -> None:
        """The first byte has the descriptors. Each is a socket from which its index can be read."""
        theirs = []
        for index in range(number):
            ours, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            ours.sendall(f"descriptor {index}".encode())
            ours.shutdown(socket.SHUT_WR)
            self._given.append(ours)
            theirs.append(other)
        try:
            sent = socket.send_fds(connection, [data], [each.fileno() for each in theirs])
            connection.sendall(data[sent:])
        finally:
            for each in theirs:
                each.close()

    def _wait_until_given_closed(self, index: int) -> None:
        given = self._given[index]
        given.settimeout(PATIENCE)
        try:
            if given.recv(1):
                self.faults.append(f"the client wrote to descriptor {index}")
        except TimeoutError:
            self.faults.append(f"the client did not close descriptor {index}")
        except OSError:
            pass

    def _echo(self, connection: socket.socket) -> None:
        """Sends back what comes, until the client sends no more."""
        connection.settimeout(PATIENCE)
        while data := connection.recv(65536):
            connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)

    def _receive(self, connection: socket.socket, expected: str) -> None:
        """Reads until the client sends no more."""
        connection.settimeout(PATIENCE)
        received = b""
        while data := connection.recv(65536):
            received += data
        if received != expected.encode():
            self.faults.append(f"the client sent {received[:200]!r} over the stream, expected {expected!r}")

    def _wait_until_closed(self, connection: socket.socket) -> None:
        ends = time.monotonic() + PATIENCE
        while not self._ending:
            readable, _, _ = select.select([connection], [], [], max(0.0, ends - time.monotonic()))
            if not readable:
                self.faults.append("the client did not close the connection")
                return
            try:
                if not connection.recv(65536):
                    return
            except OSError:
                return

    def _wait_until_answered(self, method: str, times: int) -> None:
        def answered() -> bool:
            return sum(1 for each in self._played if each["method"] == method) >= times

        with self._changed:
            done = self._changed.wait_for(answered, PATIENCE)
        if not done:
            self.faults.append(f"the client did not call {method} while another call waited for it")


class ConversationOver(Exception):
    """The script has no more to say on this connection."""


def without_nulls(value: Any) -> Any:
    """A null field and a missing one mean the same."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


def data_of(action: dict[str, Any]) -> bytes:
    """The bytes of an action that sends something."""
    if "reply" in action:
        reply: dict[str, Any] = {"parameters": action["reply"]}
        if action.get("continues"):
            reply["continues"] = True
        return framed(reply)
    if "error" in action:
        return framed({"error": action["error"], "parameters": action.get("parameters", {})})
    if "send" in action:
        return framed(action["send"])
    if "bytes" in action:
        return str(action["bytes"]).encode()
    if "base64" in action:
        return base64.b64decode(action["base64"])
    if "fill" in action:
        fill = action["fill"]
        middle = str(fill["with"]).encode() * int(fill["times"])
        return str(fill.get("before", "")).encode() + middle + str(fill.get("after", "")).encode()
    return b"".join(data_of(each) for each in action["together"])


def framed(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\0"


def wait_until_read(connection: socket.socket) -> None:
    """Returns when the other side has read all that was sent, so that the next bytes come apart."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        unread = struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, b"\0\0\0\0"))[0]
        if unread == 0:
            return
        time.sleep(0.0002)
