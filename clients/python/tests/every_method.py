"""every_method.py sync|async: calls each method of modemd once, in a simulated world.

What the service says to the calls is not the point here, but that it knows each method and each of
its parameters, and that its answers fit the client's types. It prints one line for each call.
"""

from __future__ import annotations

import asyncio
import inspect
import socket
import sys
import typing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import modemd  # noqa: E402
from modemd import mobile_connect, verify  # noqa: E402

NUMBER = "+4915112345678"

# What parameters are given, by their names; None leaves out what may be left out.
VALUES: dict[str, Any] = {
    "number": NUMBER, "url": "https://check.aggregator.example/checks/4915112345678",
    "provider": None, "modem": None, "timeout": 20.0, "timeout_seconds": 1, "limit": 5,
    "since": "2026-01-01", "user": "ada@shop.example", "code": "123456", "nonce": "n", "flow": "f",
    "pin": "4711", "mail": "https://mail.example/", "id": "none", "slot": 1, "name": "new",
    "text": "{}", "check": "none", "kind": "phoneCheck", "refresh_token": "none", "token": "none",
    "host": "check.aggregator.example", "port": 443,
    "access_token": "none", "link": "https://mcl.example/#1", "signature": {"hash": "00"},
    "credentials": [verify.Credential(key="client-secret", value="s")],
    "request": mobile_connect.Request(scope=["openid"]),
    "whose": mobile_connect.Whose(network="26201"),
}  # fmt: skip

# Where a method wants something else.
OTHERS: dict[str, dict[str, Any]] = {
    "revoke": {"kind": "access"},
    "check_provider": {"provider": "truid"},
    "number": {"provider": "truid"},
    "sign_in": {"code_from": "caller"},
    "open_socket": {"kind": "stream"},
    "temporary_token": {"operation": "verify"},
    "get": {"user": None},
    "ask_at_handset": {"timeout": 5.0},
}

# Errors that say that client and service are of different minds about the interface.
WRONG = (
    modemd.InterfaceNotFound, modemd.MethodNotFound, modemd.InvalidParameter, modemd.BadReply,
    modemd.Disconnected, modemd.PermissionDenied,
)  # fmt: skip


def functions(connection: Any) -> list[tuple[str, Any]]:
    """The client's functions, by their names with the interface."""
    found = []
    for interface, methods in vars(connection).items():
        if interface.startswith("_"):
            continue
        for name, function in inspect.getmembers(methods, inspect.ismethod):
            if not name.startswith("_"):
                found.append((f"{interface}.{name}", function))
    return found


def arguments(name: str, function: Any) -> dict[str, Any]:
    given = {}
    method = name.split(".")[1].removesuffix("_replies").removesuffix("_with_reply")
    for parameter in inspect.signature(function).parameters.values():
        others = OTHERS.get(method, {})
        if parameter.name in others:
            given[parameter.name] = others[parameter.name]
        elif parameter.name in VALUES:
            given[parameter.name] = VALUES[parameter.name]
        elif parameter.default is inspect.Parameter.empty:
            raise SystemExit(f"{name} needs {parameter.name}, for which there is no value here")
    return given


def line(name: str, result: Any) -> None:
    if isinstance(result, WRONG):
        raise SystemExit(f"{name}: {type(result).__name__}: {result}")
    for each in result if isinstance(result, tuple) else [result]:
        if isinstance(each, (socket.socket, asyncio.StreamWriter)):
            each.close()
    print(f"{name}: {type(result).__name__}", flush=True)


def call_all(connection: modemd.Connection) -> None:
    for name, function in functions(connection):
        result: Any = None
        try:
            result = function(**arguments(name, function))
            if isinstance(result, modemd.Stream):
                with result as replies:
                    result = next(iter(replies))
        except modemd.ModemdError as error:
            result = error
        line(name, result)


async def call_all_async(connection: modemd.AsyncConnection) -> None:
    for name, function in functions(connection):
        result: Any = None
        try:
            result = function(**arguments(name, function))
            if isinstance(result, modemd.AsyncStream):
                async with result as replies:
                    result = await typing.cast(Any, aiter(replies)).__anext__()
            else:
                result = await result
        except modemd.ModemdError as error:
            result = error
        line(name, result)


async def main_async() -> None:
    async with modemd.AsyncConnection() as connection:
        await call_all_async(connection)


if __name__ == "__main__":
    if sys.argv[1:] == ["async"]:
        asyncio.run(main_async())
    else:
        with modemd.Connection() as connection:
            call_all(connection)
