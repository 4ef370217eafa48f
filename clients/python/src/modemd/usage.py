"""What passes over the bearers, who caused it, and what is left of budgets. A user learns his own;
root learns everybody's. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem) are those
of org.modemd.Modem. Later versions may add fields, and new words to the enums of replies and
errors. Replies and errors always have all their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.Usage.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from . import _wire

__all__ = [
    "Budget",
    "BudgetUnit",
    "Day",
    "EndSocketReply",
    "GetReply",
    "NoSuchSocket",
    "OtherUser",
    "Socket",
    "SocketKind",
    "SocketWay",
    "SocketsReply",
    "Usage",
    "UsagePurpose",
    "WatchReply",
    "WatchReplyEvent",
]


class SocketKind(_wire.Word):
    """One of the values of `kind`."""

    STREAM = _wire.Known("stream")
    DATAGRAM = _wire.Known("datagram")


class SocketWay(_wire.Word):
    """One of the values of `way`."""

    SOCKET = _wire.Known("socket")
    STREAM = _wire.Known("stream")
    PROXY = _wire.Known("proxy")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Socket(_wire.Record):
    """A socket or stream over a bearer that a program has."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["id"])

    id: str
    """Identifies it while modemd runs."""

    modem: str
    """Id of the modem."""

    interface: str
    """Name of the bearer's network interface."""

    user: int
    """User id of the program that asked for it."""

    process: int | None = None
    """The process that asked for it. Another one may have it by now."""

    program: str | None = None
    """That process's program, as the kernel names it; null if the process had ended, or modemd may
    not look: its unit hides other users' processes from it.
    """

    kind: SocketKind
    """TCP or UDP."""

    way: SocketWay
    """How the program got it: OpenSocket, OpenStream, or the proxy."""

    host: str | None = None
    """The host that the program named; null if it named none."""

    port: int | None = None
    """The port that the program named."""

    source: str
    """The bearer's address."""

    address: str | None = None
    """The address that it is connected to; null if it is not, or is not known yet."""

    opened: str
    """RFC 3339."""

    sent: int | None = None
    """Bytes of the program's data that went out. Null for datagrams handed over: the kernel does
    not count them.
    """

    received: int | None = None
    """Bytes of the program's data that came in. Null as `sent`."""


class UsagePurpose(_wire.Word):
    """One of the values of `purpose`."""

    CHAINS = _wire.Known("chains")
    FLOWS = _wire.Known("flows")
    WARMING = _wire.Known("warming")
    SOCKETS = _wire.Known("sockets")
    STREAMS = _wire.Known("streams")
    PROXY = _wire.Known("proxy")
    PROBES = _wire.Known("probes")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Usage(_wire.Record):
    """Bytes of one user and one purpose over one modem."""

    modem: str
    """Id of the modem."""

    user: int | None = None
    """User id; null for what modemd does for itself, such as probes."""

    purpose: UsagePurpose
    """What they were for: `chains` of Check.Open, `flows` of the providers' methods, `warming` for
    both, `sockets` of OpenSocket, `streams` of OpenStream, and what went through the `proxy`.
    """

    sent: int
    """Bytes that went out, without the headers of IP and TCP. Those of names that were resolved are
    among them.
    """

    received: int
    """Bytes that came in, without the headers of IP and TCP."""

    roaming: int
    """Of `sent` and `received` together: while roaming."""

    connections: int
    """Connections."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Day(_wire.Record):
    """The usage of one day."""

    day: str
    """The date in the machine's time zone, as 2026-11-26."""

    usage: tuple[Usage, ...]
    """One for each modem, user and purpose."""


class BudgetUnit(_wire.Word):
    """One of the values of `unit`."""

    BYTES = _wire.Known("bytes")
    CONNECTIONS = _wire.Known("connections")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Budget(_wire.Record):
    """A budget and what is left of it."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["name"])

    name: str
    """The key of the settings."""

    user: int
    """Id of the user that it applies to."""

    unit: BudgetUnit
    """Bytes, or connections."""

    limit: int
    """How much there is."""

    used: int
    """How much is used."""

    resets: str | None = None
    """RFC 3339: when it starts anew; null for connections at one time."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SocketsReply(_wire.Record):
    """A reply of `Sockets`."""

    sockets: tuple[Socket, ...]
    """The oldest first."""


SOCKETS = _wire.Method("org.modemd.Usage.Sockets", SocketsReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EndSocketReply(_wire.Record):
    """A reply of `EndSocket`."""


END_SOCKET = _wire.Method("org.modemd.Usage.EndSocket", EndSocketReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetReply(_wire.Record):
    """A reply of `Get`."""

    bearer: tuple[Usage, ...]
    """Since the present bearers came up; without those that are down."""

    month: tuple[Usage, ...]
    """Since the first day of this month."""

    days: tuple[Day, ...]
    """The latest first, without days on which nothing was used."""

    budgets: tuple[Budget, ...]
    """Budgets that apply."""


GET = _wire.Method("org.modemd.Usage.Get", GetReply)


class WatchReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    WARNED = _wire.Known("warned")
    SPENT = _wire.Known("spent")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchReply(_wire.Record):
    """A reply of `Watch`."""

    event: WatchReplyEvent
    """What this reply is."""

    budgets: tuple[Budget, ...]
    """With `ready`: all budgets that apply. Otherwise: the one."""


WATCH = _wire.Method("org.modemd.Usage.Watch", WatchReply)


class NoSuchSocket(_wire.ServiceError):
    """There is no such socket, or it is another user's."""

    NAME = "org.modemd.Usage.NoSuchSocket"

    @property
    def id(self) -> str | None:
        """The id that was named."""
        return self.field("id", str)


class OtherUser(_wire.ServiceError):
    """The caller is not root and asked for another user's usage."""

    NAME = "org.modemd.Usage.OtherUser"

    @property
    def user(self) -> int | None:
        """The user id that was named."""
        return self.field("user", int)
