"""A connected socket, and what of a message has come: what both forms of the client share."""

from __future__ import annotations

import select
import socket

from ._frames import Splitter
from ._socket import lost


class Transport:
    """One connection to modemd, of one call at a time."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._splitter = Splitter()

    def take(self, data: bytes) -> None:
        """Takes what was read.

        Raises:
          Disconnected: it is nothing, which is the end of the connection.
        """
        if not data:
            raise lost()
        self._splitter.append(data)

    @property
    def is_idle(self) -> bool:
        """Whether the connection is open and nothing has come that no call waits for."""
        if not self._splitter.is_empty:
            return False
        try:
            poll = select.poll()
            poll.register(self._socket, select.POLLIN | select.POLLRDHUP)
            return not poll.poll(0)
        except (OSError, ValueError):
            return False

    def interrupt(self) -> None:
        """Ends the connection under a call that waits for it."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def detach(self) -> socket.socket:
        """The connection itself, which is the caller's from then on."""
        return self._socket

    def close(self) -> None:
        """Ends the connection, and with it the flow that runs on it."""
        self._socket.close()


def try_to_connect(path: str) -> socket.socket:
    """A connected socket that never waits by itself.

    Raises:
      BlockingIOError: the kernel's queue of the service is full.
      OSError: nobody listens there, or this user may not connect.
    """
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # Without waiting: a full queue is an error then, whatever the limit is.
        made.setblocking(False)
        made.connect(path)
    except BaseException:
        made.close()
        raise
    return made
