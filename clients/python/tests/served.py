"""A service for tests: a function that has each connection, on a socket in a folder of its own."""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import IO, Any

# Seconds after which a test that waits has failed.
PATIENCE = 20.0


class Peer:
    """The service's end of a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._waiting = b""

    def call(self) -> dict[str, Any] | None:
        """The next call; None after the end of the connection."""
        while b"\0" not in self._waiting:
            try:
                data = self._connection.recv(65536)
            except ConnectionError:
                return None
            if not data:
                return None
            self._waiting += data
        frame, self._waiting = self._waiting.split(b"\0", 1)
        found: dict[str, Any] = json.loads(frame)
        return found

    def reply(self, parameters: Any, continues: bool = False) -> None:
        self.send({"parameters": parameters, "continues": continues})

    def send(self, value: Any) -> None:
        self._connection.sendall(json.dumps(value).encode() + b"\0")

    def send_with(self, value: Any, sockets: Sequence[socket.socket | IO[bytes]]) -> None:
        """Sends a message whose first byte has descriptors."""
        data = json.dumps(value).encode() + b"\0"
        socket.send_fds(self._connection, [data], [each.fileno() for each in sockets])

    def echo(self) -> None:
        """Sends back what comes, until the client sends no more."""
        while data := self._connection.recv(65536):
            self._connection.sendall(data)
        self._connection.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._connection.shutdown(socket.SHUT_RDWR)


class Served:
    """Runs a service while the block runs."""

    def __init__(self, serve: Callable[[Peer], None], queue: int = 16) -> None:
        self._serve = serve
        self._folder = tempfile.TemporaryDirectory(prefix="modemd-client-")
        self.path = os.path.join(self._folder.name, "socket")
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        self._listener.listen(queue)
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.connections = 0

    def join(self) -> None:
        """Waits until all connections of the past have been served, and closes their ends."""
        for thread in self._threads:
            thread.join(PATIENCE)
        for each in self._open:
            each.close()

    def __enter__(self) -> Served:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in [self._listener, *self._open]:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()
        self._folder.cleanup()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            thread = threading.Thread(target=self._run, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _run(self, connection: socket.socket) -> None:
        try:
            self._serve(Peer(connection))
        except OSError:
            pass


def outcome(result: str = "verified", **fields: Any) -> dict[str, Any]:
    """The last reply of a flow."""
    whole = {"result": result, "text": "so it is", "milliseconds": 1.5, **fields}
    return {"event": "outcome", "outcome": whole}


def step(index: int = 1) -> dict[str, Any]:
    """A reply with a step."""
    whole = {"index": index, "name": "createCheck", "lane": "host", "start": 0.0, "milliseconds": 2}
    return {"event": "step", "step": whole}
