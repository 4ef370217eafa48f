"""The driver of the conformance suite: calls the client as an app would, and prints what happens.

clients/conformance/README.md says what it reads and prints. It looks methods up by their wire
names, and calls the client's own functions with Python's.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import socket
import sys
import threading
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import modemd  # noqa: E402
from modemd._methods import Method  # noqa: E402
from modemd._records import reader_of, to_json  # noqa: E402

MODULES = [
    "modem", "bearer", "verify", "check", "messages", "truid", "ipification", "mobile_connect",
    "number_verification", "sim_swap", "phone_sign_in", "miracl", "number_recycling", "usage",
]  # fmt: skip


class Cancelled(Exception):
    """The case wants the call to be cancelled here."""


class Target:
    """The function of the client for a method of the wire."""

    def __init__(self, connection: Any, wire: str) -> None:
        for name in MODULES:
            module = importlib.import_module(f"modemd.{name}")
            for constant, value in vars(module).items():
                if isinstance(value, Method) and value.name == wire:
                    self.methods = getattr(connection, name)
                    self.name = constant.lower()
                    self.wire = wire
                    self.is_flow = f"{constant}_FLOW" in vars(module)
                    return
        raise KeyError(wire)

    def bound(self, more: bool, takes: str | None = None) -> Any:
        if takes is not None:
            return getattr(self.methods, f"{self.name}_with_reply")
        streams = more and self.is_flow
        return getattr(self.methods, f"{self.name}_replies" if streams else self.name)

    def arguments(self, function: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        """The call's parameters under Python's names, and as the types that the function takes."""
        module = sys.modules[type(self.methods).__module__]
        hints = typing.get_type_hints(function, vars(module))
        found = {}
        for wire, value in parameters.items():
            name = python_name(wire)
            found[name] = value if value is None else reader_of(hints[name])(value)
        return found


def python_name(wire: str) -> str:
    name = ""
    for index, letter in enumerate(wire):
        after = index > 0 and wire[index - 1].isupper()
        before = wire[index + 1 : index + 2].islower()
        if index > 0 and letter.isupper() and (not after or before):
            name += "_"
        name += letter.lower()
    return name


class Call:
    """One call of the case, and what is printed of it."""

    lock = threading.Lock()

    def __init__(self, connection: Any, index: int, call: dict[str, Any]) -> None:
        self.index = index
        self.answers = {key: iter([value] * 99 if isinstance(value, str) else value)
                        for key, value in call.get("answers", {}).items()}  # fmt: skip
        self.cancel_after = call.get("cancelAfterReplies")
        self.seen = 0
        self.target = Target(connection, call["method"])
        self.connection_path = connection._caller._path
        self.more = bool(call.get("more"))
        self.takes = call.get("takes")
        self.sends = [call.get("send"), call.get("sendAtEnd")]
        limit = call.get("limitMilliseconds")
        self.limit = None if limit is None else limit / 1000
        asking = self.more and bool(self.answers or self._asks())
        self.is_stream = self.more and not asking
        self.function = self.target.bound(self.is_stream, self.takes)
        self.arguments = self.target.arguments(self.function, call["parameters"])
        self.arguments["timeout"] = self.limit
        if asking:
            self.arguments["on_reply"] = self.reply
            for question in ("code", "pin", "mail"):
                if f"on_{question}" in typing.get_type_hints(
                    self.function, vars(sys.modules[type(self.target.methods).__module__])
                ):
                    self.arguments[f"on_{question}"] = self.answerer(question)

    def _asks(self) -> bool:
        return any(f"on_{each}" in self.target.bound(False).__annotations__ for each in ("code", "pin", "mail"))

    def print(self, **line: Any) -> None:
        with self.lock:
            print(json.dumps({"call": self.index, **line}), flush=True)

    def reply(self, reply: Any) -> None:
        self.print(reply=to_json(reply))
        self.seen += 1
        self.cancel_if_wanted()

    def cancel_if_wanted(self) -> None:
        if self.cancel_after is not None and self.seen >= self.cancel_after:
            raise Cancelled

    def answerer(self, question: str) -> Callable[[Any], str | None]:
        def answer(_: Any) -> str | None:
            given: str | None = next(self.answers.get(question, iter(())), None)
            if given is not None:
                self.print(question=question)
            return given

        return answer

    def end(self, error: BaseException | None) -> None:
        match error:
            case None:
                self.print(end="done")
            case Cancelled() | asyncio.CancelledError():
                self.print(end="cancelled")
            case modemd.ServiceError():
                self.print(error={"name": error.name, "parameters": error.parameters})
            case modemd.CallTimeout():
                self.print(end="limit")
            case modemd.BadReply():
                self.print(end="badReply")
            case modemd.QuestionUnanswered():
                self.print(end="unanswered")
            case ConnectionError():
                self.print(end="disconnected")
            case _:
                raise error

    def carry(self, taken: socket.socket) -> None:
        """Sends and reads over what came with the reply, as the case has it."""
        with taken:
            before, after = self.sends
            if before is not None:
                taken.sendall(before.encode())
                taken.shutdown(socket.SHUT_WR)
            received = b""
            while data := taken.recv(1 << 16):
                received += data
            if after is not None:
                taken.sendall(after.encode())
            self.print(received=received.decode())

    async def carry_async(self, taken: tuple[Any, ...]) -> None:
        if isinstance(taken[0], socket.socket):
            reader, writer = await asyncio.open_connection(sock=taken[0])
        else:
            reader, writer = taken
        try:
            before, after = self.sends
            if before is not None:
                writer.write(before.encode())
                writer.write_eof()
            received = await reader.read()
            if after is not None:
                writer.write(after.encode())
                await writer.drain()
            self.print(received=received.decode())
        finally:
            writer.close()

    def play_taking(self) -> None:
        if self.cancel_after == 0:
            # Another thread closes what the call waits on.
            connection = modemd.Connection(self.connection_path)
            cut = threading.Timer(0.2, connection.close)
            cut.start()
            try:
                Target(connection, self.target.wire).bound(False, self.takes)(**self.arguments)
            except ConnectionError:
                raise Cancelled from None
            finally:
                cut.join()
            return
        reply, taken = self.function(**self.arguments)
        with taken:
            self.reply(reply)
            self.carry(taken)

    async def play_taking_async(self) -> None:
        if self.cancel_after == 0:
            waiting = asyncio.ensure_future(self.function(**self.arguments))
            await asyncio.sleep(0.2)
            waiting.cancel()
            await waiting
        reply, *taken = await self.function(**self.arguments)
        try:
            self.reply(reply)
        except Cancelled:
            for each in taken:
                if hasattr(each, "close"):
                    each.close()
            raise
        await self.carry_async(tuple(taken))

    def play(self) -> None:
        try:
            if self.takes is not None:
                self.play_taking()
            elif self.is_stream:
                with self.function(**self.arguments) as replies:
                    self.cancel_if_wanted()
                    for reply in replies:
                        self.reply(reply)
            else:
                result = self.function(**self.arguments)
                if "on_reply" not in self.arguments:
                    self.reply(result)
        except Exception as error:
            self.end(error)
        else:
            self.end(None)

    async def play_async(self) -> None:
        try:
            if self.takes is not None:
                await self.play_taking_async()
            elif self.is_stream:
                async with self.function(**self.arguments) as replies:
                    self.cancel_if_wanted()
                    async for reply in replies:
                        self.reply(reply)
            else:
                result = await self.function(**self.arguments)
                if "on_reply" not in self.arguments:
                    self.reply(result)
        except (Exception, asyncio.CancelledError) as error:
            self.end(error)
        else:
            self.end(None)


def play(case: dict[str, Any]) -> None:
    with modemd.Connection(case["socket"]) as connection:
        calls = [Call(connection, index, call) for index, call in enumerate(case["calls"])]
        if not case.get("together"):
            for call in calls:
                call.play()
            return
        threads = [threading.Thread(target=call.play) for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


async def play_async(case: dict[str, Any]) -> None:
    async with modemd.AsyncConnection(case["socket"]) as connection:
        calls = [Call(connection, index, call) for index, call in enumerate(case["calls"])]
        if case.get("together"):
            await asyncio.gather(*(call.play_async() for call in calls))
        else:
            for call in calls:
                await call.play_async()


def main() -> None:
    case = json.load(sys.stdin)
    if case.get("mode") == "async":
        asyncio.run(play_async(case))
    else:
        play(case)


if __name__ == "__main__":
    main()
