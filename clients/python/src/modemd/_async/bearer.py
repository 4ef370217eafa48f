"""The methods of org.modemd.Bearer."""
# Written by varlink-generate from org.modemd.Bearer.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

import asyncio
import socket

from .. import bearer as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncBearerMethods:
    """The data bearer: bringing it up, taking it down, and its state. It never becomes the
    machine's default route. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
    PortUnavailable, ModemFailed) are those of org.modemd.Modem. Later versions may add fields,
    and new words to the enums of replies and errors. Replies and errors always have all their
    fields; a field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def connect(
        self,
        *,
        modem: str | None = None,
        apn: str | None = None,
        ip_type: _types.ConnectParametersIpType | None = None,
        timeout: float | None = None,
    ) -> _types.ConnectReply:
        """Brings the bearer up, or returns it unchanged if it is already up. Null options use the
        configuration, else what the modem, the network or the list of providers offers. Until
        Disconnect, a lost bearer is brought up again. With the same SIM, that also applies after
        the port's process has ended or the modem returns, unless the port's settings forbid it.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          apn: Access point name.
          ip_type: Address families.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.CONNECT,
            {"modem": modem, "apn": apn, "ipType": ip_type},
            timeout,
        )

    async def disconnect(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.DisconnectReply:
        """Takes the bearer down. When it returns, the machine's part is gone. It waits a short time
        for the modem's part, which otherwise continues in the background (`releasing`). InUse
        while flows run on it.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.DISCONNECT,
            {"modem": modem},
            timeout,
        )

    async def get(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.GetReply:
        """The bearer as it is.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.GET,
            {"modem": modem},
            timeout,
        )

    def watch(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.WatchReply]:
        """With `more`: first `ready` with the present state, then one reply for each change.
        Without: only `ready`.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.WATCH,
            {"modem": modem},
            timeout,
        )

    async def resolve(
        self,
        name: str,
        *,
        modem: str | None = None,
        family: _types.ResolveParametersFamily | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> _types.ResolveReply:
        """Resolves a name over the bearer, by the bearer's DNS servers alone. Brings the bearer up
        if it is down. Only for root, unless the access table names this method.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          name: A host name, or an address, which is returned as it is.
          family: The family to ask for; null for both.
          timeout_milliseconds: For the whole call, 1 to 120,000; null for 10,000.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.RESOLVE,
            {
                "modem": modem,
                "name": name,
                "family": family,
                "timeoutMilliseconds": timeout_milliseconds,
            },
            timeout,
        )

    async def open_socket(
        self,
        *,
        modem: str | None = None,
        host: str | None = None,
        port: int | None = None,
        kind: _types.OpenSocketParametersKind | None = None,
        family: _types.OpenSocketParametersFamily | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> socket.socket:
        """Makes a socket that is bound to the bearer's interface, and hands it to the caller. The
        reply carries one file descriptor with its first byte (SCM_RIGHTS), by sd-varlink's
        convention. One reply only: a call with `more` is refused. The socket ends when the
        bearer is lost, when its addresses or the SIM change, when a budget is spent, and by
        org.modemd.Usage.EndSocket. A datagram socket also ends with the process that asked for
        it; its bytes are not counted. Only for root, unless the access table names this method;
        datagrams also need the entry `org.modemd.Bearer.OpenSocket.datagram`.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          host: Where to connect to: a host name, which is resolved over the bearer, or an
            address. Null for a socket that is bound and not connected.
          port: 1 to 65535; with `host`, and only then.
          kind: TCP or UDP; null for `stream`.
          family: The address family of a socket without `host`; null for the bearer's first.
          timeout_milliseconds: For the whole call, 1 to 120,000; null for 30,000.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        _, taken = await self._caller.take_socket(
            _types.OPEN_SOCKET,
            "socket_file_descriptor",
            {
                "modem": modem,
                "host": host,
                "port": port,
                "kind": kind,
                "family": family,
                "timeoutMilliseconds": timeout_milliseconds,
            },
            timeout,
        )
        return taken

    async def open_socket_with_reply(
        self,
        *,
        modem: str | None = None,
        host: str | None = None,
        port: int | None = None,
        kind: _types.OpenSocketParametersKind | None = None,
        family: _types.OpenSocketParametersFamily | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> tuple[_types.OpenSocketReply, socket.socket]:
        """As `open_socket`, with the reply before it.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          host: Where to connect to: a host name, which is resolved over the bearer, or an
            address. Null for a socket that is bound and not connected.
          port: 1 to 65535; with `host`, and only then.
          kind: TCP or UDP; null for `stream`.
          family: The address family of a socket without `host`; null for the bearer's first.
          timeout_milliseconds: For the whole call, 1 to 120,000; null for 30,000.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.take_socket(
            _types.OPEN_SOCKET,
            "socket_file_descriptor",
            {
                "modem": modem,
                "host": host,
                "port": port,
                "kind": kind,
                "family": family,
                "timeoutMilliseconds": timeout_milliseconds,
            },
            timeout,
        )

    async def open_stream(
        self,
        host: str,
        port: int,
        *,
        modem: str | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens a TCP connection over the bearer. The call must be sent with `upgrade`: after the
        reply, this connection to modemd carries the bytes of that connection, in both
        directions. It ends as a socket of OpenSocket does. Only for root, unless the access
        table names this method.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          host: A host name, which is resolved over the bearer, or an address.
          port: 1 to 65535.
          timeout_milliseconds: For the whole call, 1 to 120,000; null for 30,000.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        _, reader, writer = await self._caller.open_stream(
            _types.OPEN_STREAM,
            {
                "modem": modem,
                "host": host,
                "port": port,
                "timeoutMilliseconds": timeout_milliseconds,
            },
            timeout,
        )
        return reader, writer

    async def open_stream_with_reply(
        self,
        host: str,
        port: int,
        *,
        modem: str | None = None,
        timeout_milliseconds: int | None = None,
        timeout: float | None = None,
    ) -> tuple[_types.OpenStreamReply, asyncio.StreamReader, asyncio.StreamWriter]:
        """As `open_stream`, with the reply before it.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          host: A host name, which is resolved over the bearer, or an address.
          port: 1 to 65535.
          timeout_milliseconds: For the whole call, 1 to 120,000; null for 30,000.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.open_stream(
            _types.OPEN_STREAM,
            {
                "modem": modem,
                "host": host,
                "port": port,
                "timeoutMilliseconds": timeout_milliseconds,
            },
            timeout,
        )
