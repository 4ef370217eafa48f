"""Makes calls: each on a connection that no other call uses meanwhile."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
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
from .channel import Channel
from .stream import Stream

Reply = TypeVar("Reply", bound=Record)
Result = TypeVar("Result", bound=FlowResult)
Answerer = Callable[[Any], str | None] | None

# Connections that are kept open between calls.
KEPT = 4


class Caller:
    """Calls modemd's methods; several threads may do so at the same time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._idle: list[Channel] = []
        self._busy: set[Channel] = set()
        self._is_closed = False

    def call(
        self, method: Method[Reply], parameters: Mapping[str, Any], timeout: float | None
    ) -> Reply:
        """The one reply of a call."""
        return self._call(method, parameters, Deadline(timeout))

    def stream(
        self, method: Method[Reply], parameters: Mapping[str, Any], timeout: float | None
    ) -> Stream[Reply]:
        """The replies of a call with `more`, on a connection of its own."""
        return self._stream(method, parameters, Deadline(timeout))

    def run(
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
            return self._call(flow.only_result, parameters, deadline)
        last: Reply | None = None
        with self._stream(flow.method, parameters, deadline) as replies:
            for last in replies:
                for listener, value in told(last, listeners, on_reply):
                    listener(value)
                question = flow.question(last)
                if question is not None:
                    self._answer(question, answerers, deadline)
        if last is None:
            raise lost()
        return flow.result_of(last)

    def take_socket(
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
        channel = self._noted(Channel.connect(self._path, deadline))
        try:
            channel.send(frame, deadline)
            reply = method.read(channel.receive_only(reader, deadline).parameters)
            taken = reader.take(getattr(reply, index))
        finally:
            reader.close()
            self._end(channel)
        taken.settimeout(None)
        return reply, taken

    def open_stream(
        self, method: Method[Reply], parameters: Mapping[str, Any], timeout: float | None
    ) -> tuple[Reply, socket.socket]:
        """The reply of a call with `upgrade`, and its connection, which is a stream now."""
        deadline = Deadline(timeout)
        frame = call_frame(method.name, parameters, more=False, upgrade=True)
        channel = self._noted(Channel.connect(self._path, deadline))
        try:
            channel.send(frame, deadline)
            answer = channel.receive_only(UpgradeReply(method.name), deadline)
            reply = method.read(answer.parameters)
            taken = channel.detach()
            taken.settimeout(None)
        except BaseException:
            self._end(channel)
            raise
        with self._lock:
            self._busy.discard(channel)
        return reply, taken

    def close(self) -> None:
        """Ends all connections; calls of other threads end with Disconnected."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            for channel in self._busy:
                channel.interrupt()
        for channel in idle:
            channel.close()

    def _answer(
        self, question: Question, answerers: Mapping[str, Answerer], deadline: Deadline
    ) -> None:
        answerer = answerers.get(question.answer or "")
        while True:
            answer = answerer(question.shown) if answerer is not None else None
            if answer is None:
                raise unanswered(question)
            try:
                self._call(question.method, question.parameters(answer), deadline)
                return
            except ServiceError as error:
                match verdict(error):
                    case Verdict.LATE:
                        return
                    case Verdict.FAILED:
                        raise
                    case Verdict.AGAIN:
                        pass

    def _call(
        self, method: Method[Reply], parameters: Mapping[str, Any], deadline: Deadline
    ) -> Reply:
        frame = call_frame(method.name, parameters, more=False)
        channel = self._taken(deadline)
        try:
            channel.send(frame, deadline)
            reply = channel.receive(deadline)
            while reply.continues:
                reply = channel.receive(deadline)
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
    ) -> Stream[Reply]:
        frame = call_frame(method.name, parameters, more=True)
        channel = self._taken(deadline)
        try:
            channel.send(frame, deadline)
        except BaseException:
            self._end(channel)
            raise
        return Stream(method, channel, deadline, self._end)

    def _taken(self, deadline: Deadline) -> Channel:
        """A connection of this call alone: a kept one that is still good, else a new one."""
        while True:
            with self._lock:
                if self._is_closed:
                    raise ValueError("the Connection is closed")
                kept = self._idle.pop() if self._idle else None
            if kept is None:
                return self._noted(Channel.connect(self._path, deadline))
            if kept.is_idle:
                return self._noted(kept)
            kept.close()

    def _noted(self, channel: Channel) -> Channel:
        with self._lock:
            if not self._is_closed:
                self._busy.add(channel)
                return channel
        channel.close()
        raise ValueError("the Connection is closed")

    def _give_back(self, channel: Channel) -> None:
        with self._lock:
            self._busy.discard(channel)
            if not self._is_closed and len(self._idle) < KEPT and channel.is_idle:
                self._idle.append(channel)
                return
        channel.close()

    def _end(self, channel: Channel) -> None:
        with self._lock:
            self._busy.discard(channel)
        channel.close()
