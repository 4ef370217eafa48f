"""Opens an operator-bound URL over the bearer and follows its redirects, hop by hop. Later versions
may add fields, and new words to the enums of replies and errors. Replies and errors always have
all their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.Check.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from . import _wire

__all__ = [
    "Answer",
    "Failure",
    "FailureCause",
    "Field",
    "HistoryReply",
    "Hop",
    "HopFamily",
    "HopMethod",
    "HopScheme",
    "InvalidOption",
    "InvalidURL",
    "OpenParametersMethod",
    "OpenParametersTlsAtMost",
    "OpenReply",
    "OpenReplyEvent",
    "OpenResult",
    "Outcome",
    "OutcomeResult",
    "PastCheck",
    "PastCheckResult",
    "PrepareReply",
    "Redirect",
    "Times",
    "TooManyFlows",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Times(_wire.Record):
    """Milliseconds from the start of the hop; null for steps that did not happen."""

    dns: float | None = None
    """The name was resolved."""

    connect: float | None = None
    """TCP was connected."""

    tls: float | None = None
    """TLS was ready."""

    first_byte: float | None = None
    """The first byte of the answer arrived."""

    end: float | None = None
    """The answer was complete."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Field(_wire.Record):
    """A field of a request or an answer."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["value"])

    name: str
    """Its name as it came."""

    value: str | None = None
    """Its value; null if it may be secret and `reveal` was not set."""


class HopScheme(_wire.Word):
    """One of the values of `scheme`."""

    HTTP = _wire.Known("http")
    HTTPS = _wire.Known("https")


class HopMethod(_wire.Word):
    """One of the values of `method`."""

    GET = _wire.Known("get")
    POST = _wire.Known("post")


class HopFamily(_wire.Word):
    """One of the values of `family`."""

    IPV4 = _wire.Known("ipv4")
    IPV6 = _wire.Known("ipv6")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Hop(_wire.Record):
    """One request and its answer."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["url"])

    index: int
    """From 1."""

    scheme: HopScheme
    """Scheme of the URL."""

    host: str
    """Host of the URL. Path and query are never shown: they may hold secrets."""

    port: int
    """Port, 1 to 65535."""

    address: str | None = None
    """The server's address that was used."""

    reused: bool
    """Whether a connection of an earlier hop was reused."""

    status: int | None = None
    """HTTP status; null if no answer came."""

    times: Times
    """How long each part took."""

    cookies: tuple[str, ...]
    """Names of the cookies that were sent."""

    next: str | None = None
    """The host that the answer redirects to."""

    start: float | None = None
    """Milliseconds from the call to the start of the hop."""

    method: HopMethod | None = None
    """The request's method."""

    url: str | None = None
    """The URL; in full with `reveal`, else scheme and host, with an ellipsis for the rest."""

    family: HopFamily | None = None
    """Family of `address`."""

    addresses: tuple[str, ...] | None = None
    """The usable addresses of the host, in order of preference. Addresses that no hop may reach,
    and those of a family that the bearer does not have, are left out. Empty if a connection was
    reused.
    """

    tls_version: str | None = None
    """Version of TLS, as in 1.3; null for cleartext."""

    body_bytes: int | None = None
    """Bytes of the answer's decompressed body; for a redirect, the announced length."""

    set_cookies: tuple[str, ...] | None = None
    """Names of the cookies that the answer sets."""

    request_fields: tuple[Field, ...] | None = None
    """Fields of the request."""

    answer_fields: tuple[Field, ...] | None = None
    """Fields of the answer."""

    trace_fields: tuple[Field, ...] | None = None
    """Fields of the answer with which an operator finds the request in its logs, such as
    X-Request-ID, with their values.
    """

    opened_ahead: bool | None = None
    """Whether the connection was opened ahead, to a host of earlier chains, before this chain
    reached it.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(_wire.Record):
    """An answer of a server."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["json", "text", "base64"])

    status: int
    """HTTP status."""

    content_type: str | None = None
    """Media type as it came."""

    json: Any | None = None
    """The body if it is JSON. At most one of `json`, `text` and `base64` is set."""

    text: str | None = None
    """The body if it is other text in UTF-8."""

    base64: str | None = None
    """Any other body."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Redirect(_wire.Record):
    """The registered redirect URI that was reached and not fetched."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["uri", "parameters"])

    uri: str
    """As it came."""

    parameters: Mapping[str, str]
    """From its query and fragment."""


class FailureCause(_wire.Word):
    """One of the values of `cause`."""

    NO_MODEM = _wire.Known("noModem")
    PORT_UNAVAILABLE = _wire.Known("portUnavailable")
    SIM_ABSENT = _wire.Known("simAbsent")
    SIM_LOCKED = _wire.Known("simLocked")
    SIM_NOT_READY = _wire.Known("simNotReady")
    NOT_REGISTERED = _wire.Known("notRegistered")
    BEARER_REFUSED = _wire.Known("bearerRefused")
    NO_ADDRESS = _wire.Known("noAddress")
    MODEM_FAILED = _wire.Known("modemFailed")
    BEARER_LOST = _wire.Known("bearerLost")
    DNS_FAILED = _wire.Known("dnsFailed")
    CONNECT_FAILED = _wire.Known("connectFailed")
    TLS_FAILED = _wire.Known("tlsFailed")
    TOO_MANY_REDIRECTS = _wire.Known("tooManyRedirects")
    REDIRECT_LOOP = _wire.Known("redirectLoop")
    BAD_REDIRECT = _wire.Known("badRedirect")
    REFUSED_BY_POLICY = _wire.Known("refusedByPolicy")
    TIMEOUT = _wire.Known("timeout")
    TOO_LARGE = _wire.Known("tooLarge")
    BAD_ANSWER = _wire.Known("badAnswer")
    STATE_MISMATCH = _wire.Known("stateMismatch")
    INTERACTION_REQUIRED = _wire.Known("interactionRequired")
    POSSIBLE_CAPTIVE_PORTAL = _wire.Known("possibleCaptivePortal")
    RATE_LIMITED = _wire.Known("rateLimited")
    CANCELLED = _wire.Known("cancelled")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Failure(_wire.Record):
    """Why a chain ended without an answer."""

    cause: FailureCause
    """What a program can act on."""

    hop: int | None = None
    """The hop in which it happened, from 1; null before the first."""

    text: str
    """One sentence for people: what happened and what to do."""

    retry_after_milliseconds: int | None = None
    """With the cause rateLimited: when the server accepts requests again; null if it gave no time.
    """


class OutcomeResult(_wire.Word):
    """One of the values of `result`."""

    ANSWER = _wire.Known("answer")
    REDIRECT_REACHED = _wire.Known("redirectReached")
    FAILED = _wire.Known("failed")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Outcome(_wire.OutcomeRecord):
    """How the chain ended."""

    result: OutcomeResult
    """An HTTP answer of any status, the redirect URI, or neither."""

    answer: Answer | None = None
    """Set if `result` is answer, and if it is failed with the cause rateLimited."""

    redirect: Redirect | None = None
    """Set when `result` is redirectReached."""

    failure: Failure | None = None
    """Set when `result` is failed."""

    modem: str | None = None
    """Id of the modem."""

    source: str | None = None
    """The bearer's address from which the chain's requests were sent."""

    milliseconds: float
    """From the call to the end."""

    waited_milliseconds: float | None = None
    """How much of that time the chain waited for its turn."""

    trace: str | None = None
    """Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it."""


class PastCheckResult(_wire.Word):
    """One of the values of `result`."""

    ANSWER = _wire.Known("answer")
    REDIRECT_REACHED = _wire.Known("redirectReached")
    FAILED = _wire.Known("failed")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PastCheck(_wire.Record):
    """A finished check. It holds nothing secret."""

    number: int
    """Counts the checks since modemd started, from 1: everybody's for root, one's own for other
    users.
    """

    began: str
    """When it was requested, RFC 3339 in UTC."""

    user: int
    """User id of who asked."""

    host: str
    """Host of the URL."""

    modem: str | None = None
    """Id of the modem."""

    source: str | None = None
    """The bearer's address from which the chain's requests were sent."""

    hops: int
    """How many hops ended."""

    result: PastCheckResult
    """How it ended."""

    status: int | None = None
    """HTTP status if `result` is answer."""

    failure: Failure | None = None
    """Set when `result` is failed."""

    milliseconds: float
    """From the call to the end."""

    waited_milliseconds: float
    """How much of that time the chain waited for its turn."""

    trace: str | None = None
    """Id of the trace that it belonged to."""


OpenParametersMethod = Literal["get", "post"]
"""One of the values of `method`."""


OpenParametersTlsAtMost = Literal["tls12", "tls13"]
"""One of the values of `tlsAtMost`."""


class OpenReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenReply(_wire.Record):
    """A reply of `Open`."""

    event: OpenReplyEvent
    """What this reply is."""

    hop: Hop | None = None
    """Set when `event` is hop."""

    outcome: Outcome | None = None
    """Set when `event` is outcome."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenResult(_wire.FlowResult, OpenReply):
    """The last reply of `Open`, which has its outcome."""

    outcome: Outcome


OPEN = _wire.Method("org.modemd.Check.Open", OpenReply)
OPEN_FLOW = _wire.Flow(OPEN, OpenResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PrepareReply(_wire.Record):
    """A reply of `Prepare`."""

    modem: str
    """Id of the modem."""

    source: str | None = None
    """The bearer's address."""

    resolved: tuple[str, ...]
    """Hosts whose addresses are now known."""

    unresolved: tuple[str, ...]
    """Hosts without an answer."""

    milliseconds: float
    """From the call to the end."""

    trace: str | None = None
    """Id of the trace: 32 hexadecimal digits. Entries of the journal have it."""

    connected: int | None = None
    """Connections that are ready, TLS included. Null if none are made ahead: because bytes are
    metered (bearer.metered), or because too many of the caller's were not used.
    """


PREPARE = _wire.Method("org.modemd.Check.Prepare", PrepareReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HistoryReply(_wire.Record):
    """A reply of `History`."""

    checks: tuple[PastCheck, ...]
    """The results and durations of the checks."""


HISTORY = _wire.Method("org.modemd.Check.History", HistoryReply)


class InvalidURL(_wire.ServiceError):
    """The URL cannot be opened."""

    NAME = "org.modemd.Check.InvalidURL"

    @property
    def reason(self) -> str | None:
        """What is wrong with it."""
        return self.field("reason", str)


class InvalidOption(_wire.ServiceError):
    """A limit, header or other option is out of range."""

    NAME = "org.modemd.Check.InvalidOption"

    @property
    def option(self) -> str | None:
        """Its name."""
        return self.field("option", str)

    @property
    def expected(self) -> str | None:
        """What it may be."""
        return self.field("expected", str)


class TooManyFlows(_wire.ServiceError):
    """Too many flows are running and waiting; this one may not even wait."""

    NAME = "org.modemd.Check.TooManyFlows"

    @property
    def limit(self) -> int | None:
        """How many may wait."""
        return self.field("limit", int)

    @property
    def retry_after_milliseconds(self) -> int | None:
        """When to ask again: by then, the waiting flows will probably have had their turn."""
        return self.field("retryAfterMilliseconds", int)
