"""The replies of one call, as they come."""

from __future__ import annotations

import types
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

from .._deadline import Deadline
from .._methods import Method
from .._records import Record
from .channel import AsyncChannel

Reply = TypeVar("Reply", bound=Record)


class AsyncStream(Generic[Reply]):
    """An asynchronous iterator over a call's replies, on a connection of its own.

    The call is sent when a loop or an `async with` block begins. Leaving the block, cancelling the
    task, or `close` ends the connection and with it the flow in modemd.
    """

    def __init__(
        self,
        method: Method[Reply],
        begin: Callable[[], Awaitable[AsyncChannel]],
        deadline: Deadline,
        on_end: Callable[[AsyncChannel], None],
    ) -> None:
        self._method = method
        self._begin = begin
        self._channel: AsyncChannel | None = None
        self._deadline = deadline
        self._on_end = on_end
        self._is_over = False

    async def __aenter__(self) -> AsyncStream[Reply]:
        await self._begun()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self.close()

    def __aiter__(self) -> AsyncIterator[Reply]:
        return self

    async def __anext__(self) -> Reply:
        if self._is_over:
            raise StopAsyncIteration
        try:
            channel = await self._begun()
            frame = await channel.receive(self._deadline)
            reply = self._method.read(frame.parameters)
        except BaseException:
            self.close()
            raise
        if not frame.continues:
            self.close()
        return reply

    @property
    def is_over(self) -> bool:
        """Whether no reply follows."""
        return self._is_over

    def close(self) -> None:
        """Ends the connection. A second time it does nothing."""
        self._is_over = True
        channel, self._channel = self._channel, None
        if channel is not None:
            self._on_end(channel)

    async def _begun(self) -> AsyncChannel:
        if self._channel is None:
            self._channel = await self._begin()
        return self._channel

    def __del__(self) -> None:
        # A loop that was left by `break`: without this, the flow would go on until the collector
        # finds the socket.
        if getattr(self, "_channel", None) is not None:
            self.close()
