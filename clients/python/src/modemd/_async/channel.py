"""One connection to modemd, of one call at a time, whose reads are awaited."""

from __future__ import annotations

import asyncio

from .._deadline import Deadline
from .._frames import ReplyFrame, read_reply
from .._socket import QUEUE_WAITS, lost, unreachable
from .._transport import Transport, try_to_connect


class AsyncChannel(Transport):
    """A connection whose methods are awaited."""

    @classmethod
    async def connect(cls, path: str, deadline: Deadline) -> AsyncChannel:
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
                await asyncio.sleep(wait if left is None else min(wait, left))
            except OSError as error:
                raise unreachable(path, error) from None

    async def send(self, frame: bytes, deadline: Deadline) -> None:
        """Sends a call."""
        left = deadline.remaining()
        try:
            async with asyncio.timeout(left):
                await asyncio.get_running_loop().sock_sendall(self._socket, frame)
        except TimeoutError:
            raise deadline.passed() from None
        except OSError:
            raise lost() from None

    async def receive(self, deadline: Deadline) -> ReplyFrame:
        """The next reply.

        Raises:
          ServiceError, BadReply, Disconnected, CallTimeout.
        """
        loop = asyncio.get_running_loop()
        while True:
            frame = self._splitter.next()
            if frame is not None:
                return read_reply(frame)
            left = deadline.remaining()
            try:
                async with asyncio.timeout(left):
                    data = await loop.sock_recv(self._socket, 1 << 16)
            except TimeoutError:
                raise deadline.passed() from None
            except OSError:
                raise lost() from None
            self.take(data)
