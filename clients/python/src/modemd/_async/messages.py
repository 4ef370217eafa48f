"""The methods of org.modemd.Messages."""
# Written by varlink-generate from org.modemd.Messages.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from .. import messages as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncMessagesMethods:
    """The SIM's short messages (SMS), and the one-time codes in them. Nothing is deleted without a
    request. Access is configured separately from the other interfaces: access.messageGroups, by
    default only root. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
    PortUnavailable, ModemFailed) are those of org.modemd.Modem. Later versions may add fields,
    and new words to the enums of replies and errors. Replies and errors always have all their
    fields; a field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def list(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.ListReply:
        """The messages of one modem, in the order of arrival.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.LIST,
            {"modem": modem},
            timeout,
        )

    async def get(
        self,
        id: str,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.GetReply:
        """One message.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          id: As List has it.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.GET,
            {"modem": modem, "id": id},
            timeout,
        )

    def watch(
        self,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.WatchReply]:
        """With `more`: first `ready`, then one reply for each complete message, and `storageFull`
        if one did not fit. Without: only `ready`.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.WATCH,
            {"modem": modem},
            timeout,
        )

    async def wait_for_code(
        self,
        *,
        modem: str | None = None,
        sender: str | None = None,
        pattern: str | None = None,
        timeout_seconds: int | None = None,
        look_back_seconds: int | None = None,
        timeout: float | None = None,
    ) -> _types.WaitForCodeReply:
        """Waits for the next message with a one-time code. Several callers may wait at the same
        time, even for the same message: nothing is consumed.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          sender: The complete sender, in upper or lower case; null for any.
          pattern: Text with one place for the code: {digits}, {digits:6}, {digits:4-8},
            {alnum:4-8}. {any} stands for other text, {{ and }} for braces. Letters match
            regardless of case, white space matches any white space, and the rest of the message
            may be anything. Null: the text after # in a last line `@host #code`, else the first 6
            digits, else 123-456, else the longest 4 to 8 digits.
          timeout_seconds: How long to wait, 1 to 600; null for 60.
          look_back_seconds: Also accepts a message, the latest first, that arrived up to this
            long before the call, 0 to 600; null for 0. A code can arrive before the call, but an
            old code can also be mistaken for it.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.WAIT_FOR_CODE,
            {
                "modem": modem,
                "sender": sender,
                "pattern": pattern,
                "timeoutSeconds": timeout_seconds,
                "lookBackSeconds": look_back_seconds,
            },
            timeout,
        )

    async def delete(
        self,
        id: str,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.DeleteReply:
        """Deletes a message with all its parts, from the modem's store too.

        Parameters:
          modem: Id, device or interface; null for the only modem.
          id: As List has it.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.DELETE,
            {"modem": modem, "id": id},
            timeout,
        )
