"""The replies of one call, as they come."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from .._deadline import Deadline
from .._methods import Method
from .._records import Record
from .channel import Channel

Reply = TypeVar("Reply", bound=Record)


class Stream(Generic[Reply]):
    """An iterator over a call's replies, on a connection of its own.

    Leaving a `with` block, or `close`, ends the connection and with it the flow in modemd. A loop
    that ends by itself leaves nothing to close.
    """

    def __init__(
        self,
        method: Method[Reply],
        channel: Channel,
        deadline: Deadline,
        on_end: Callable[[Channel], None],
    ) -> None:
        self._method = method
        self._channel = channel
        self._deadline = deadline
        self._on_end = on_end
        self._is_over = False

    def __enter__(self) -> Stream[Reply]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Reply]:
        return self

    def __next__(self) -> Reply:
        if self._is_over:
            raise StopIteration
        try:
            frame = self._channel.receive(self._deadline)
            reply = self._method.read(frame.parameters)
        except BaseException:
            self.close()
            raise
        if not frame.continues:
            self.close()
        return reply

    def close(self) -> None:
        """Ends the connection. A second time it does nothing."""
        if not self._is_over:
            self._is_over = True
            self._on_end(self._channel)

    def __del__(self) -> None:
        # A loop that was left by `break`: without this, the flow would go on until the collector
        # finds the socket.
        if not getattr(self, "_is_over", True):
            self.close()
