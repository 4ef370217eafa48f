"""The client's two entrances."""

from __future__ import annotations

import os
import types

from ._async.caller import AsyncCaller
from ._async.interfaces import AsyncInterfaces
from ._socket import socket_path
from ._sync.caller import Caller
from ._sync.interfaces import Interfaces


class Connection(Interfaces):
    """modemd, for callers that wait.

    Each interface has its methods under its name, as in `connection.verify.number(…)`. Calls of
    several threads do not hold up each other: each has a socket of its own while it runs.

        with Connection() as modemd:
            print(modemd.modem.list().modems)
    """

    def __init__(self, socket: str | os.PathLike[str] | None = None) -> None:
        """Nothing is connected before the first call.

        Parameters:
          socket: path of modemd's socket; None for that of MODEMD_SOCKET, else
            /run/modemd/org.modemd.
        """
        self._caller = Caller(socket_path(socket))
        super().__init__(self._caller)

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all calls of this object, and the flows behind them. Any thread may do it."""
        self._caller.close()


class AsyncConnection(AsyncInterfaces):
    """modemd, for tasks of an asyncio loop.

    Cancelling a task ends its call, and the flow behind it.

        async with AsyncConnection() as modemd:
            print((await modemd.modem.list()).modems)
    """

    def __init__(self, socket: str | os.PathLike[str] | None = None) -> None:
        """Nothing is connected before the first call.

        Parameters:
          socket: path of modemd's socket; None for that of MODEMD_SOCKET, else
            /run/modemd/org.modemd.
        """
        self._caller = AsyncCaller(socket_path(socket))
        super().__init__(self._caller)

    async def __aenter__(self) -> AsyncConnection:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all calls of this object, and the flows behind them."""
        self._caller.close()
