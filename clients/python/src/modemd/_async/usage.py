"""The methods of org.modemd.Usage."""
# Written by varlink-generate from org.modemd.Usage.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from .. import usage as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncUsageMethods:
    """What passes over the bearers, who caused it, and what is left of budgets. A user learns his
    own; root learns everybody's. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem)
    are those of org.modemd.Modem. Later versions may add fields, and new words to the enums of
    replies and errors. Replies and errors always have all their fields; a field without a value
    is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def sockets(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.SocketsReply:
        """The sockets and streams that programs have over bearers.

        Parameters:
          modem: Id, device or interface; null for all modems.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.SOCKETS,
            {"modem": modem},
            timeout,
        )

    async def end_socket(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> _types.EndSocketReply:
        """Ends a socket or stream. NoSuchSocket if it is another user's, except for root.

        Parameters:
          id: As Sockets has it.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.END_SOCKET,
            {"id": id},
            timeout,
        )

    async def get(
        self,
        *,
        modem: str | None = None,
        user: int | None = None,
        days: int | None = None,
        timeout: float | None = None,
    ) -> _types.GetReply:
        """What was used.

        Parameters:
          modem: Id, device or interface; null for all modems.
          user: User id; null for the caller, and for root: for everybody.
          days: How many days to list, today among them, 0 to 400; null for none.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.GET,
            {"modem": modem, "user": user, "days": days},
            timeout,
        )

    def watch(
        self,
        *,
        timeout: float | None = None,
    ) -> AsyncStream[_types.WatchReply]:
        """With `more`: first `ready`, then one reply when a budget of the caller, for root
        anybody's, passes 80 % (`warned`) or is spent (`spent`). Without: only `ready`.

        Parameters:
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.WATCH,
            {},
            timeout,
        )
