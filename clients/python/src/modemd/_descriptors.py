"""Replies that come with a descriptor, or in front of a stream: what both forms share."""

from __future__ import annotations

import array
import os
import socket

from ._errors import BadReply
from ._frames import ReplyFrame, Splitter, read_reply
from ._socket import lost

# Of one message of the kernel (SCM_MAX_FD).
MOST = 253

INTEGER = array.array("i")


class DescriptorReply:
    """Reads one reply and the descriptors of its first byte. What is not taken is closed."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._splitter = Splitter()
        self._descriptors: list[int] = []

    def read(self, connected: socket.socket) -> ReplyFrame | None:
        """Reads once; the reply, or None if more bytes are needed.

        Raises:
          BadReply: the reply cannot be read, or a descriptor came behind its first byte.
          ServiceError, Disconnected, OSError.
        """
        is_first = self._splitter.is_empty
        # Not recv_fds, which leaves out the flag in some versions: a program that another thread
        # starts would inherit the descriptor.
        room = socket.CMSG_LEN(MOST * INTEGER.itemsize)
        data, controls, _, _ = connected.recvmsg(1 << 16, room, socket.MSG_CMSG_CLOEXEC)
        came = [each for control in controls for each in descriptors_in(*control)]
        self._descriptors += came
        if not data:
            raise lost()
        if came and not is_first:
            raise BadReply(f"the answer to {self._method} has its descriptor in the wrong place")
        self._splitter.append(data)
        frame = self._splitter.next()
        return None if frame is None else only_reply(frame, self._method)

    def take(self, index: int) -> socket.socket:
        """The socket of the descriptor with this index.

        Raises:
          BadReply: none came with it, or it is no socket.
        """
        if not 0 <= index < len(self._descriptors):
            raise BadReply(f"the answer to {self._method} came without its descriptor")
        try:
            taken = socket.socket(fileno=self._descriptors[index])
        except OSError:
            raise BadReply(f"the descriptor of {self._method} is no socket") from None
        del self._descriptors[index]
        return taken

    def close(self) -> None:
        """Closes what was not taken."""
        descriptors, self._descriptors = self._descriptors, []
        for each in descriptors:
            os.close(each)


def descriptors_in(level: int, kind: int, data: bytes) -> array.array[int]:
    """The descriptors of a control message; none if it has others."""
    found = array.array("i")
    if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
        found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return found


class UpgradeReply:
    """Reads one reply, and no byte of the stream behind it."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._splitter = Splitter()

    def read(self, connected: socket.socket) -> ReplyFrame | None:
        """Reads once; the reply, or None if more bytes are needed.

        Raises:
          ServiceError, BadReply, Disconnected, OSError.
        """
        ahead = connected.recv(1 << 16, socket.MSG_PEEK)
        if not ahead:
            raise lost()
        end = ahead.find(b"\0")
        self._splitter.append(connected.recv(len(ahead) if end < 0 else end + 1))
        frame = self._splitter.next()
        return None if frame is None else only_reply(frame, self._method)


def only_reply(frame: bytes, method: str) -> ReplyFrame:
    """The reply of a call that has one."""
    reply = read_reply(frame)
    if reply.continues:
        raise BadReply(f"the answer to {method} says that another one follows")
    return reply
