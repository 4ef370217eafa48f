"""The data bearer: bringing it up, taking it down, and its state. It never becomes the machine's
default route. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
enums of replies and errors. Replies and errors always have all their fields; a field without a
value is null.
"""
# Written by varlink-generate from org.modemd.Bearer.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from . import _wire
from .modem import Cause

__all__ = [
    "Address",
    "Bearer",
    "BearerApnSource",
    "BearerGuard",
    "BearerResumption",
    "BearerState",
    "BearerTraffic",
    "BudgetSpent",
    "Cause",
    "ConnectParametersIpType",
    "ConnectReply",
    "DestinationNotAllowed",
    "DisconnectReply",
    "GetReply",
    "InUse",
    "NoAddress",
    "NotConnected",
    "NotConnectedReason",
    "NotReady",
    "NotReadyReason",
    "NotResolved",
    "OpenSocketParametersFamily",
    "OpenSocketParametersKind",
    "OpenSocketReply",
    "OpenStreamReply",
    "Refused",
    "ResolveParametersFamily",
    "ResolveReply",
    "ResolvedAddress",
    "Settings",
    "WatchReply",
    "WatchReplyEvent",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Address(_wire.Record):
    """The address of one family."""

    address: str
    """Without the prefix length."""

    prefix_length: int
    """Bits."""

    gateway: str | None = None
    """Null on a point-to-point link."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Settings(_wire.Record):
    """The bearer's settings from the network, and where it is installed."""

    interface: str
    """Name of the network interface."""

    ipv4: Address | None = None
    """IPv4, if the bearer has it."""

    ipv6: Address | None = None
    """IPv6, if the bearer has it."""

    dns: tuple[str, ...]
    """DNS servers, in the network's order."""

    mtu: int | None = None
    """Bytes."""

    table: int
    """The routing table that holds the bearer's default route."""


class BearerState(_wire.Word):
    """One of the values of `state`."""

    DOWN = _wire.Known("down")
    ATTACHING = _wire.Known("attaching")
    CONNECTING = _wire.Known("connecting")
    CONFIGURING = _wire.Known("configuring")
    UP = _wire.Known("up")
    DISCONNECTING = _wire.Known("disconnecting")
    FAILED = _wire.Known("failed")


class BearerApnSource(_wire.Word):
    """One of the values of `apnSource`."""

    ASKED = _wire.Known("asked")
    CONFIGURED = _wire.Known("configured")
    MODEM = _wire.Known("modem")
    NETWORK = _wire.Known("network")
    DATABASE = _wire.Known("database")


class BearerTraffic(_wire.Word):
    """One of the values of `traffic`."""

    UNTESTED = _wire.Known("untested")
    ANSWERED = _wire.Known("answered")
    SILENT = _wire.Known("silent")


class BearerGuard(_wire.Word):
    """One of the values of `guard`."""

    VRF = _wire.Known("vrf")
    NFTABLES = _wire.Known("nftables")
    NONE = _wire.Known("none")


class BearerResumption(_wire.Word):
    """One of the values of `resumption`."""

    PENDING = _wire.Known("pending")
    RESUMED = _wire.Known("resumed")
    REFUSED = _wire.Known("refused")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Bearer(_wire.Record):
    """A bearer."""

    modem: str
    """Id of its modem."""

    state: BearerState
    """Its present state."""

    apn: str | None = None
    """The access point name that was last requested; null for the subscription's default."""

    settings: Settings | None = None
    """Set while `state` is up."""

    since: str
    """RFC 3339: when this state began."""

    cause: Cause | None = None
    """Why it failed or went down, unless that was requested."""

    apn_source: BearerApnSource | None = None
    """Where `apn` comes from: the caller, the configuration, the modem, the list of providers, or
    (null name) the network.
    """

    next_attempt: str | None = None
    """RFC 3339: when the bearer is brought up again automatically. Null while it is up, and if it
    will not be brought up.
    """

    failures: int | None = None
    """Failed attempts, or bearers lost early, since the last stable bearer."""

    traffic: BearerTraffic | None = None
    """While it is up: whether a DNS server of the bearer answered. Null if it is not probed."""

    traffic_text: str | None = None
    """While `traffic` is silent: the most likely reason, in one sentence."""

    guard: BearerGuard | None = None
    """While it is up: what prevents other users' programs from sending over it, and the network
    behind it from reaching this machine.
    """

    guard_text: str | None = None
    """What the guard does not cover, or why there is none, in one sentence."""

    releasing: bool | None = None
    """True while the modem must still confirm the end of its part; nothing of the bearer is left on
    this machine. Null means no.
    """

    resumption: BearerResumption | None = None
    """What happens to a bearer that was kept when its port's process ended or the modem vanished:
    `pending`, it will be brought up; `resumed`, it was brought up; `refused`, it stays down.
    Null without such a bearer, and after Connect or Disconnect.
    """

    resumption_text: str | None = None
    """If `resumption` is refused: why. If it is pending: what the bearer waits for, unless it is
    coming up. In one sentence.
    """


ConnectParametersIpType = Literal["ipv4", "ipv6", "ipv4v6"]
"""One of the values of `ipType`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConnectReply(_wire.Record):
    """A reply of `Connect`."""

    bearer: Bearer
    """Up, with its settings."""


CONNECT = _wire.Method("org.modemd.Bearer.Connect", ConnectReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DisconnectReply(_wire.Record):
    """A reply of `Disconnect`."""

    bearer: Bearer
    """Down."""


DISCONNECT = _wire.Method("org.modemd.Bearer.Disconnect", DisconnectReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetReply(_wire.Record):
    """A reply of `Get`."""

    bearer: Bearer
    """As it was known last."""


GET = _wire.Method("org.modemd.Bearer.Get", GetReply)


class WatchReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    CHANGED = _wire.Known("changed")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchReply(_wire.Record):
    """A reply of `Watch`."""

    event: WatchReplyEvent
    """What this reply is."""

    bearer: Bearer
    """The bearer now."""


WATCH = _wire.Method("org.modemd.Bearer.Watch", WatchReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResolvedAddress(_wire.Record):
    """An address of a resolved name."""

    address: str
    """IPv4, or IPv6 without a zone."""

    translated: bool
    """Made from the IPv4 address of a name that has no IPv6 address, for a bearer without IPv4: the
    network translates (NAT64, RFC 6052).
    """

    refused: str | None = None
    """Why no connection is made to this address, in one sentence; null if one may be made."""


ResolveParametersFamily = Literal["ipv4", "ipv6"]
"""One of the values of `family`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ResolveReply(_wire.Record):
    """A reply of `Resolve`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["name"])

    modem: str
    """Id of the modem."""

    interface: str
    """Name of the bearer's network interface."""

    name: str
    """The name that was asked for, as it was sent (IDNA A-labels)."""

    addresses: tuple[ResolvedAddress, ...]
    """In the order in which connections would try them."""

    servers: tuple[str, ...] | None = None
    """The DNS servers that answered; null for an address, and for a name that was still known."""

    translation_prefix: str | None = None
    """The network's prefix of NAT64, as `64:ff9b::/96`; null if it has none, or was not asked."""

    milliseconds: int
    """How long it took."""


RESOLVE = _wire.Method("org.modemd.Bearer.Resolve", ResolveReply)


OpenSocketParametersKind = Literal["stream", "datagram"]
"""One of the values of `kind`."""


OpenSocketParametersFamily = Literal["ipv4", "ipv6"]
"""One of the values of `family`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenSocketReply(_wire.Record):
    """A reply of `OpenSocket`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["id"])

    socket_file_descriptor: int
    """Index into the file descriptors of this reply."""

    id: str
    """Identifies the socket in org.modemd.Usage."""

    modem: str
    """Id of the modem."""

    interface: str
    """Name of the bearer's network interface."""

    source: str
    """The bearer's address that it sends from."""

    address: str | None = None
    """The address that it is connected to; null if it is not."""


OPEN_SOCKET = _wire.Method("org.modemd.Bearer.OpenSocket", OpenSocketReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenStreamReply(_wire.Record):
    """A reply of `OpenStream`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["id"])

    id: str
    """Identifies the stream in org.modemd.Usage."""

    modem: str
    """Id of the modem."""

    interface: str
    """Name of the bearer's network interface."""

    source: str
    """The bearer's address that it sends from."""

    address: str
    """The address that it is connected to."""


OPEN_STREAM = _wire.Method("org.modemd.Bearer.OpenStream", OpenStreamReply)


class NotReadyReason(_wire.Word):
    """One of the values of `reason`."""

    SIM_ABSENT = _wire.Known("simAbsent")
    SIM_LOCKED = _wire.Known("simLocked")
    SIM_NOT_READY = _wire.Known("simNotReady")
    NOT_REGISTERED = _wire.Known("notRegistered")


class NotReady(_wire.ServiceError):
    """The SIM or the network is not ready."""

    NAME = "org.modemd.Bearer.NotReady"

    @property
    def reason(self) -> NotReadyReason | None:
        """What is missing."""
        return self.field("reason", NotReadyReason)

    @property
    def text(self) -> str | None:
        """One sentence that explains what to do."""
        return self.field("text", str)


class Refused(_wire.ServiceError):
    """The network refused the bearer."""

    NAME = "org.modemd.Bearer.Refused"

    @property
    def code(self) -> int | None:
        """3GPP's session management cause, if there is one."""
        return self.field("code", int)

    @property
    def text(self) -> str | None:
        """The reason in words."""
        return self.field("text", str)


class NoAddress(_wire.ServiceError):
    """The network gave no usable address."""

    NAME = "org.modemd.Bearer.NoAddress"

    @property
    def text(self) -> str | None:
        """What the network gave, in one sentence."""
        return self.field("text", str)


class InUse(_wire.ServiceError):
    """Flows use the bearer."""

    NAME = "org.modemd.Bearer.InUse"

    @property
    def flows(self) -> int | None:
        """How many."""
        return self.field("flows", int)


class NotResolved(_wire.ServiceError):
    """The bearer's DNS servers have no address for the name, or did not answer."""

    NAME = "org.modemd.Bearer.NotResolved"

    @property
    def name_(self) -> str | None:
        """The name."""
        return self.field("name", str)

    @property
    def text(self) -> str | None:
        """What they answered, in one sentence."""
        return self.field("text", str)


class NotConnectedReason(_wire.Word):
    """One of the values of `reason`."""

    REFUSED = _wire.Known("refused")
    TIMED_OUT = _wire.Known("timedOut")
    UNREACHABLE = _wire.Known("unreachable")
    REFUSED_ADDRESS = _wire.Known("refusedAddress")
    BEARER_LOST = _wire.Known("bearerLost")
    FAILED = _wire.Known("failed")


class NotConnected(_wire.ServiceError):
    """No connection was made."""

    NAME = "org.modemd.Bearer.NotConnected"

    @property
    def reason(self) -> NotConnectedReason | None:
        """What prevented it. `refusedAddress`: all addresses are of a kind that is not reached over
        a bearer, such as this machine's own. `bearerLost`: the bearer ended meanwhile.
        """
        return self.field("reason", NotConnectedReason)

    @property
    def text(self) -> str | None:
        """In one sentence."""
        return self.field("text", str)


class DestinationNotAllowed(_wire.ServiceError):
    """The administrator does not allow this destination."""

    NAME = "org.modemd.Bearer.DestinationNotAllowed"

    @property
    def host(self) -> str | None:
        """The host that was named."""
        return self.field("host", str)

    @property
    def port(self) -> int | None:
        """The port that was named."""
        return self.field("port", int)

    @property
    def text(self) -> str | None:
        """Which setting refuses it, in one sentence."""
        return self.field("text", str)


class BudgetSpent(_wire.ServiceError):
    """The caller's budget is spent, or he has as many connections as he may have."""

    NAME = "org.modemd.Bearer.BudgetSpent"

    @property
    def budget(self) -> str | None:
        """Which budget: the key of the settings."""
        return self.field("budget", str)

    @property
    def resets(self) -> str | None:
        """RFC 3339: when it starts anew; null if that needs the end of a connection or of roaming.
        """
        return self.field("resets", str)

    @property
    def text(self) -> str | None:
        """In one sentence."""
        return self.field("text", str)
