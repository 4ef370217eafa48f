"""A question that is open while the flow's further replies are awaited."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Answering:
    """The task that answers a flow's question, if one is open.

    The flow may end meanwhile, or ask anew: then the app's function is cancelled.
    """

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Answering:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        await self.take_back()

    def begin(self, answer: Coroutine[Any, Any, None]) -> None:
        """Begins to answer a question."""
        self._task = asyncio.create_task(answer)

    async def take_back(self) -> None:
        """Cancels what is still being answered."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def beside(self, reply: Awaitable[T]) -> T:
        """The next reply, while the open question is answered.

        An answer that fails ends the wait with its error.
        """
        reading = asyncio.ensure_future(reply)
        try:
            while self._task is not None and not reading.done():
                await asyncio.wait({reading, self._task}, return_when=asyncio.FIRST_COMPLETED)
                if self._task.done():
                    task, self._task = self._task, None
                    task.result()
            return await reading
        finally:
            if not reading.done():
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
