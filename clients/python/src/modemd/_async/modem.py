"""The methods of org.modemd.Modem."""
# Written by varlink-generate from org.modemd.Modem.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from .. import modem as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncModemMethods:
    """The modems of this machine, their SIMs, and where they are registered. Answers come from
    modemd's last known state, which indications from the modem keep up to date. Later versions
    may add fields, and new words to the enums of replies and errors. Replies and errors always
    have all their fields; a field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        timeout: float | None = None,
    ) -> _types.ListReply:
        """All modems, ordered by name.

        Parameters:
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.LIST,
            {},
            timeout,
        )

    async def get(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.GetReply:
        """One modem, by id, device or interface. If `modem` is null, the only one; MoreThanOneModem
        if there are several.

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
        """With `more`: first `ready` without a modem, then one reply for each change. Without: only
        `ready`.

        Parameters:
          modem: Id, device or interface; null for all modems.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.WATCH,
            {"modem": modem},
            timeout,
        )

    async def unlock_pin(
        self,
        pin: str,
        *,
        modem: str | None = None,
        last_attempt: bool | None = None,
        timeout: float | None = None,
    ) -> _types.UnlockPINReply:
        """Enters PIN1 once. modemd never tries a refused PIN a second time. Only for root, unless
        the access table names groups for this very method; only root may use the last attempt in
        any case.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          pin: 4 to 8 digits.
          last_attempt: Whether this may be the last attempt, or an attempt for which the modem
            does not report how many are left. Only root may set it. Null means no.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.UNLOCK_PIN,
            {"modem": modem, "pin": pin, "lastAttempt": last_attempt},
            timeout,
        )

    async def slots(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.SlotsReply:
        """The slots of a modem.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.SLOTS,
            {"modem": modem},
            timeout,
        )

    async def switch_slot(
        self,
        slot: int,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.SwitchSlotReply:
        """Makes a modem use the SIM in another slot. InUse while its bearer is up: disconnect it
        first. Only for root, unless the access table names groups for this very method.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          slot: From 1.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.SWITCH_SLOT,
            {"modem": modem, "slot": slot},
            timeout,
        )
