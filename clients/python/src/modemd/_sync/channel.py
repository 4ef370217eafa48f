"""One connection to modemd, of one call at a time, whose reads wait."""

from __future__ import annotations

import time

from .._deadline import Deadline
from .._descriptors import DescriptorReply, UpgradeReply
from .._errors import Disconnected
from .._frames import ReplyFrame, read_reply
from .._socket import QUEUE_WAITS, lost, unreachable
from .._transport import Transport, try_to_connect


class Channel(Transport):
    """A connection whose methods wait."""

    @classmethod
    def connect(cls, path: str, deadline: Deadline) -> Channel:
        """Connects to the service that listens at a path.

        Raises:
          Disconnected: nobody listens there, or this user may not connect.
          CallTimeout: the time is over.
        """
        waits = iter(QUEUE_WAITS)
        while True:
            try:
                return cls(try_to_connect(path))
            except BlockingIOError as error:
                wait = next(waits, None)
                if wait is None:
                    raise unreachable(path, error) from None
                left = deadline.remaining()
                time.sleep(wait if left is None else min(wait, left))
            except OSError as error:
                raise unreachable(path, error) from None

    def send(self, frame: bytes, deadline: Deadline) -> None:
        """Sends a call."""
        left = deadline.remaining()
        try:
            self._socket.settimeout(left)
            self._socket.sendall(frame)
        except TimeoutError:
            raise deadline.passed() from None
        except OSError:
            raise lost() from None

    def receive(self, deadline: Deadline) -> ReplyFrame:
        """The next reply.

        Raises:
          ServiceError, BadReply, Disconnected, CallTimeout.
        """
        while True:
            frame = self._splitter.next()
            if frame is not None:
                return read_reply(frame)
            left = deadline.remaining()
            try:
                self._socket.settimeout(left)
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                raise deadline.passed() from None
            except OSError:
                raise lost() from None
            self.take(data)

    def receive_only(self, reply: DescriptorReply | UpgradeReply, deadline: Deadline) -> ReplyFrame:
        """The one reply of this connection, with what comes along with it.

        Raises:
          ServiceError, BadReply, Disconnected, CallTimeout.
        """
        while True:
            left = deadline.remaining()
            try:
                self._socket.settimeout(left)
                frame = reply.read(self._socket)
            except TimeoutError:
                raise deadline.passed() from None
            except Disconnected:
                raise
            except OSError:
                raise lost() from None
            if frame is not None:
                return frame
