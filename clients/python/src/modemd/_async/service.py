"""The methods of org.modemd.Service."""
# Written by varlink-generate from org.modemd.Service.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from .. import service as _types
from .caller import AsyncCaller


class AsyncServiceMethods:
    """The service itself. Later versions may add fields, and new words to the enums of replies and
    errors. Replies and errors always have all their fields; a field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def reload(
        self,
        *,
        timeout: float | None = None,
    ) -> _types.ReloadReply:
        """Reads the settings and the providers' files anew, as `systemctl reload modemd` does, and
        replies when what they say applies. Calls under way end with what they began with. Only
        root may call it, and groups that access.table gives it under its own name.

        summary: what is configured now, in one line

        Parameters:
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.call(
            _types.RELOAD,
            {},
            timeout,
        )
