"""One connection to modemd, of one call at a time, whose reads are awaited."""

from __future__ import annotations

import asyncio

from .._deadline import Deadline
from .._descriptors import DescriptorReply, UpgradeReply
from .._errors import Disconnected
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

    async def receive_only(
        self, reply: DescriptorReply | UpgradeReply, deadline: Deadline
    ) -> ReplyFrame:
        """The one reply of this connection, with what comes along with it.

        Raises:
          ServiceError, BadReply, Disconnected, CallTimeout.
        """
        while True:
            left = deadline.remaining()
            try:
                async with asyncio.timeout(left):
                    await self._readable()
            except TimeoutError:
                raise deadline.passed() from None
            try:
                frame = reply.read(self._socket)
            except BlockingIOError:
                continue
            except Disconnected:
                raise
            except OSError:
                raise lost() from None
            if frame is not None:
                return frame

    async def _readable(self) -> None:
        """Waits until something has come, or the end. asyncio reads no descriptors itself."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        number = self._socket.fileno()
        if number < 0:
            raise lost()
        loop.add_reader(number, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(number)
