"""Makes calls: each on a connection that no other call uses meanwhile."""

from __future__ import annotations

import asyncio
import functools
import inspect
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from .._deadline import Deadline
from .._descriptors import DescriptorReply, UpgradeReply
from .._errors import ServiceError
from .._flows import Listener, told, unanswered
from .._frames import call_frame
from .._methods import Flow, Method, Question
from .._outcomes import FlowResult
from .._questions import Verdict, verdict
from .._records import Record
from .._socket import lost
from .answering import Answering
from .channel import AsyncChannel
from .stream import AsyncStream

Reply = TypeVar("Reply", bound=Record)
Result = TypeVar("Result", bound=FlowResult)
Answerer = Callable[[Any], Awaitable[str | None] | str | None] | None

# Connections that are kept open between calls.
KEPT = 4


class AsyncCaller:
    """Calls modemd's methods; several tasks of one loop may do so at the same time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._idle: list[AsyncChannel] = []
        self._busy: set[AsyncChannel] = set()
        self._is_closed = False

    async def call(
        self, method: Method[Reply], parameters: Mapping[str, Any], timeout: float | None
    ) -> Reply:
        """The one reply of a call."""
        return await self._call(method, parameters, Deadline(timeout))

    def stream(
        self, method: Method[Reply], parameters: Mapping[str, Any], timeout: float | None
    ) -> AsyncStream[Reply]:
        """The replies of a call with `more`, on a connection of its own."""
        return self._stream(method, parameters, Deadline(timeout))

    async def run(
        self,
        flow: Flow[Reply, Result],
        parameters: Mapping[str, Any],
        listeners: Mapping[str, Listener],
        answerers: Mapping[str, Answerer],
        on_reply: Listener,
        timeout: float | None,
    ) -> Result:
        """Runs a flow to its outcome, tells what happens, and answers what it asks for."""
        deadline = Deadline(timeout)
        if not flow.answers and on_reply is None and not any(listeners.values()):
            return await self._call(flow.only_result, parameters, deadline)
        last: Reply | None = None
        answering = Answering()
        async with self._stream(flow.method, parameters, deadline) as replies, answering:
            while not replies.is_over:
                last = await answering.beside(replies.__anext__())
                question = flow.question(last)
                if question is not None or replies.is_over:
                    await answering.take_back()
                for listener, value in told(last, listeners, on_reply):
                    waiting = listener(value)
                    if inspect.isawaitable(waiting):
                        await waiting
                if question is not None:
                    answering.begin(self._answer(question, answerers, deadline))
        if last is None:
            raise lost()
        return flow.result_of(last)

    async def take_socket(
        self,
        method: Method[Reply],
        index: str,
        parameters: Mapping[str, Any],
        timeout: float | None,
    ) -> tuple[Reply, socket.socket]:
        """The reply of a call and the socket that comes with it; `index` is the reply's field."""
        deadline = Deadline(timeout)
        frame = call_frame(method.name, parameters, more=False)
        reader = DescriptorReply(method.name)
        channel = await self._made(deadline)
        try:
            await channel.send(frame, deadline)
            reply = method.read((await channel.receive_only(reader, deadline)).parameters)
            taken = reader.take(getattr(reply, index))
        finally:
            reader.close()
            self._end(channel)
        taken.setblocking(False)
        return reply, taken

    async def open_stream(
        self, method: Method[Reply], parameters: Mapping[str, Any], timeout: float | None
    ) -> tuple[Reply, asyncio.StreamReader, asyncio.StreamWriter]:
        """The reply of a call with `upgrade`, and its connection, which is a stream now."""
        deadline = Deadline(timeout)
        frame = call_frame(method.name, parameters, more=False, upgrade=True)
        channel = await self._made(deadline)
        try:
            await channel.send(frame, deadline)
            answer = await channel.receive_only(UpgradeReply(method.name), deadline)
            reply = method.read(answer.parameters)
            reader, writer = await asyncio.open_unix_connection(sock=channel.detach())
        except BaseException:
            self._end(channel)
            raise
        self._busy.discard(channel)
        return reply, reader, writer

    def close(self) -> None:
        """Ends all connections; calls of other tasks end with Disconnected."""
        self._is_closed = True
        idle, self._idle = self._idle, []
        for channel in self._busy:
            channel.interrupt()
        for channel in idle:
            channel.close()

    async def _answer(
        self, question: Question, answerers: Mapping[str, Answerer], deadline: Deadline
    ) -> None:
        answerer = answerers.get(question.answer or "")
        while True:
            given = answerer(question.shown) if answerer is not None else None
            answer = await given if inspect.isawaitable(given) else given
            if answer is None:
                raise unanswered(question)
            try:
                await self._call(question.method, question.parameters(answer), deadline)
                return
            except ServiceError as error:
                match verdict(error):
                    case Verdict.LATE:
                        return
                    case Verdict.FAILED:
                        raise
                    case Verdict.AGAIN:
                        pass

    async def _call(
        self, method: Method[Reply], parameters: Mapping[str, Any], deadline: Deadline
    ) -> Reply:
        frame = call_frame(method.name, parameters, more=False)
        channel = await self._taken(deadline)
        try:
            await channel.send(frame, deadline)
            reply = await channel.receive(deadline)
            while reply.continues:
                reply = await channel.receive(deadline)
            typed = method.read(reply.parameters)
        except ServiceError:
            # The answer is complete, and the connection as good as before.
            self._give_back(channel)
            raise
        except BaseException:
            self._end(channel)
            raise
        self._give_back(channel)
        return typed

    def _stream(
        self, method: Method[Reply], parameters: Mapping[str, Any], deadline: Deadline
    ) -> AsyncStream[Reply]:
        frame = call_frame(method.name, parameters, more=True)
        begin = functools.partial(self._begin, frame, deadline)
        return AsyncStream(method, begin, deadline, self._end)

    async def _begin(self, frame: bytes, deadline: Deadline) -> AsyncChannel:
        channel = await self._taken(deadline)
        try:
            await channel.send(frame, deadline)
        except BaseException:
            self._end(channel)
            raise
        return channel

    async def _taken(self, deadline: Deadline) -> AsyncChannel:
        """A connection of this call alone: a kept one that is still good, else a new one."""
        while True:
            if self._is_closed:
                raise ValueError("the AsyncConnection is closed")
            if not self._idle:
                break
            kept = self._idle.pop()
            if kept.is_idle:
                self._busy.add(kept)
                return kept
            kept.close()
        return await self._made(deadline)

    async def _made(self, deadline: Deadline) -> AsyncChannel:
        made = await AsyncChannel.connect(self._path, deadline)
        if self._is_closed:
            made.close()
            raise ValueError("the AsyncConnection is closed")
        self._busy.add(made)
        return made

    def _give_back(self, channel: AsyncChannel) -> None:
        self._busy.discard(channel)
        if not self._is_closed and len(self._idle) < KEPT and channel.is_idle:
            self._idle.append(channel)
        else:
            channel.close()

    def _end(self, channel: AsyncChannel) -> None:
        self._busy.discard(channel)
        channel.close()
