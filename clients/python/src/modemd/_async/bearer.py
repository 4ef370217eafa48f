"""The methods of org.modemd.Bearer."""
# Written by varlink-generate from org.modemd.Bearer.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

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
