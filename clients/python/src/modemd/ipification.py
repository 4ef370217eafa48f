"""IPification: whether the operator of the SIM is served, an authorization over the bearer, and its
result. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those
of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and those about arguments and
providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify. The
types Step, Hop and Outcome are the same in every interface of a provider. Later versions may add
fields, and new words to the enums of replies and errors. Replies and errors always have all
their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.IPification.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "Authorization",
    "AuthorizeReply",
    "AuthorizeReplyEvent",
    "AuthorizeResult",
    "CoverageReply",
    "CoverageReplyEvent",
    "CoverageResult",
    "Hop",
    "Messages",
    "Outcome",
    "Step",
    "Subject",
    "VerifyReply",
    "VerifyReplyEvent",
    "VerifyResult",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Authorization(_wire.Record):
    """What the application's backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and
    soon expires.
    """

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["code", "state", "nonce", "redirect"])

    code: str

    state: str
    """As it was sent and came back."""

    nonce: str | None = None
    """For the ID token to repeat; null if none was sent."""

    redirect: str
    """The complete redirect URI with its parameters."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Messages(_wire.Record):
    """An answer that leads into a messaging application. The links hold secrets."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["session", "endpoint", "links"])

    session: str

    endpoint: str | None = None
    """Where to ask about the session."""

    links: Mapping[str, str]
    """By channel: wa, telegram, viber."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Subject(_wire.Record):
    """The provider's data about the subscriber, depending on the requested scope."""

    NAMES: ClassVar[Mapping[str, str]] = {"mobile_id": "mobileID"}
    HIDDEN: ClassVar[frozenset[str]] = frozenset(["id", "number", "mobile_id", "id_token"])

    id: str | None = None
    """The provider's id of the subscriber for this client."""

    number: str | None = None
    """With the scope ip:phone."""

    mobile_id: str | None = None
    """With the scope ip:mobile_id: the operator's hash of number, SIM and device. It changes with
    the SIM or device.
    """

    id_token: str | None = None
    """Unchanged, for the application's own use."""


class CoverageReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CoverageReply(_wire.Record):
    """A reply of `Coverage`."""

    event: CoverageReplyEvent

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    operator_code: str | None = None
    """With the outcome: the provider's code for the operator; null if it gives none."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CoverageResult(_wire.FlowResult, CoverageReply):
    """The last reply of `Coverage`, which has its outcome."""

    outcome: Outcome


COVERAGE = _wire.Method("org.modemd.IPification.Coverage", CoverageReply)
COVERAGE_FLOW = _wire.Flow(COVERAGE, CoverageResult, {})


class AuthorizeReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuthorizeReply(_wire.Record):
    """A reply of `Authorize`."""

    event: AuthorizeReplyEvent

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    authorization: Authorization | None = None
    """With the result `authorized`."""

    messages: Messages | None = None
    """With the result `messageAppRequired`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuthorizeResult(_wire.FlowResult, AuthorizeReply):
    """The last reply of `Authorize`, which has its outcome."""

    outcome: Outcome


AUTHORIZE = _wire.Method("org.modemd.IPification.Authorize", AuthorizeReply)
AUTHORIZE_FLOW = _wire.Flow(AUTHORIZE, AuthorizeResult, {})


class VerifyReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifyReply(_wire.Record):
    """A reply of `Verify`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["server_answer"])

    event: VerifyReplyEvent

    step: Step | None = None

    hop: Hop | None = None

    outcome: Outcome | None = None

    subject: Subject | None = None
    """Set with the outcome of an answer."""

    messages: Messages | None = None
    """With the result `messageAppRequired`."""

    server_answer: Any | None = None
    """With a verdict of the app's own server (backend, redirectIsBackend): its answer, such as its
    session, if that is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifyResult(_wire.FlowResult, VerifyReply):
    """The last reply of `Verify`, which has its outcome."""

    outcome: Outcome


VERIFY = _wire.Method("org.modemd.IPification.Verify", VerifyReply)
VERIFY_FLOW = _wire.Flow(VERIFY, VerifyResult, {})
