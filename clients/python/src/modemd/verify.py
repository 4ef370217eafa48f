"""Asks whether a number is that of the SIM, from any provider that is configured and serves the
SIM. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those of
org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. The types Step, Hop and Outcome
are the same in every interface of a provider. Later versions may add fields, and new words to
the enums of replies and errors. Replies and errors always have all their fields; a field without
a value is null.
"""
# Written by varlink-generate from org.modemd.Verify.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from . import _wire

__all__ = [
    "CheckProviderReply",
    "CheckProviderReplyCoverage",
    "CheckProviderReplyCredentials",
    "Credential",
    "Hop",
    "HopScheme",
    "InvalidArgument",
    "MoreThanOneProvider",
    "NoProvider",
    "NumberParametersRoute",
    "NumberReply",
    "NumberReplyEvent",
    "NumberResult",
    "Outcome",
    "OutcomeNumber",
    "OutcomeProof",
    "OutcomeResult",
    "OutcomeSim",
    "Provider",
    "ProviderFault",
    "ProviderKey",
    "ProviderKeyForm",
    "ProviderKeyNeed",
    "ProviderKind",
    "ProviderKindsReply",
    "ProvidersReply",
    "Step",
    "StepLane",
    "TestProviderFileReply",
]


class StepLane(_wire.Word):
    """One of the values of `lane`."""

    BEARER = _wire.Known("bearer")
    HOST = _wire.Known("host")
    MODEM = _wire.Known("modem")
    CALLER = _wire.Known("caller")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Step(_wire.Record):
    """One action of the flow."""

    index: int
    """From 1."""

    name: str
    """The action, as in createCheck."""

    lane: StepLane
    """The path it took: the SIM's bearer, the machine's own network, the modem itself, or the
    caller.
    """

    host: str | None = None
    """The first host that was asked."""

    status: int | None = None
    """HTTP status of the answer; null if none came."""

    start: float
    """Milliseconds from the flow's start."""

    milliseconds: float
    """Milliseconds that it took."""

    failure: str | None = None
    """What went wrong, in one sentence for people; null if nothing did."""


class HopScheme(_wire.Word):
    """One of the values of `scheme`."""

    HTTP = _wire.Known("http")
    HTTPS = _wire.Known("https")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Hop(_wire.Record):
    """One request over the bearer and its answer."""

    step: int
    """Index of its step."""

    index: int
    """From 1 in its step."""

    scheme: HopScheme
    """Scheme of the URL."""

    host: str
    """Host of the URL. Path and query are never shown: they may hold secrets."""

    address: str | None = None
    """The server's address that was used."""

    status: int | None = None
    """HTTP status; null if no answer came."""

    next: str | None = None
    """The host that the answer redirects to."""

    start: float
    """Milliseconds from the step's start."""

    milliseconds: float | None = None
    """Milliseconds to the end of the answer; null if it did not end."""


class OutcomeResult(_wire.Word):
    """One of the values of `result`."""

    VERIFIED = _wire.Known("verified")
    NOT_VERIFIED = _wire.Known("notVerified")
    SIM_SWAPPED = _wire.Known("simSwapped")
    SIM_UNCHANGED = _wire.Known("simUnchanged")
    SIM_UNKNOWN = _wire.Known("simUnknown")
    COVERED = _wire.Known("covered")
    AUTHORIZED = _wire.Known("authorized")
    NUMBER_READ = _wire.Known("numberRead")
    SIGNED_IN = _wire.Known("signedIn")
    SIGNED = _wire.Known("signed")
    REGISTERED = _wire.Known("registered")
    ANSWERED = _wire.Known("answered")
    NOT_MOBILE_IP = _wire.Known("notMobileIP")
    OPERATOR_UNSUPPORTED = _wire.Known("operatorUnsupported")
    OPERATOR_MISMATCH = _wire.Known("operatorMismatch")
    OPERATOR_TIMEOUT = _wire.Known("operatorTimeout")
    OPERATOR_ERROR = _wire.Known("operatorError")
    SUBSCRIBER_UNKNOWN = _wire.Known("subscriberUnknown")
    HEADER_MISSING = _wire.Known("headerMissing")
    INTERACTION_REQUIRED = _wire.Known("interactionRequired")
    MESSAGE_APP_REQUIRED = _wire.Known("messageAppRequired")
    CODE_REQUIRED = _wire.Known("codeRequired")
    CODE_WRONG = _wire.Known("codeWrong")
    EXPIRED = _wire.Known("expired")
    RATE_LIMITED = _wire.Known("rateLimited")
    USER_REFUSED = _wire.Known("userRefused")
    TOKEN_REFUSED = _wire.Known("tokenRefused")
    PIN_WRONG = _wire.Known("pinWrong")
    IDENTITY_REVOKED = _wire.Known("identityRevoked")
    BAD_REQUEST = _wire.Known("badRequest")
    CLIENT_REFUSED = _wire.Known("clientRefused")
    NOT_CONFIGURED = _wire.Known("notConfigured")
    NO_SIM_ANSWER = _wire.Known("noSIMAnswer")
    NO_DATA_PATH = _wire.Known("noDataPath")
    REDIRECT_ERROR = _wire.Known("redirectError")
    TLS_ERROR = _wire.Known("tlsError")
    DNS_ERROR = _wire.Known("dnsError")
    TIMEOUT = _wire.Known("timeout")
    STATE_MISMATCH = _wire.Known("stateMismatch")
    PROVIDER_UNAVAILABLE = _wire.Known("providerUnavailable")
    BAD_ANSWER = _wire.Known("badAnswer")
    CAPTIVE_PORTAL = _wire.Known("captivePortal")
    CANCELLED = _wire.Known("cancelled")


class OutcomeNumber(_wire.Word):
    """One of the values of `number`."""

    MATCHES = _wire.Known("matches")
    DIFFERS = _wire.Known("differs")


class OutcomeProof(_wire.Word):
    """One of the values of `proof`."""

    BEARER = _wire.Known("bearer")
    SIM = _wire.Known("sim")


class OutcomeSim(_wire.Word):
    """One of the values of `sim`."""

    CHANGED = _wire.Known("changed")
    UNCHANGED = _wire.Known("unchanged")
    UNKNOWN = _wire.Known("unknown")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Outcome(_wire.OutcomeRecord):
    """How the flow ended."""

    result: OutcomeResult
    """The result, or why there is none. New words may be added."""

    number: OutcomeNumber | None = None
    """Whether the number is the SIM's; null if the flow does not determine it. Never read null as
    differs.
    """

    proof: OutcomeProof | None = None
    """How the number was proved: by the bearer that a request came over, or by the SIM's answer to
    a challenge of its operator; null if it was not, or in another way.
    """

    sim: OutcomeSim | None = None
    """Whether the number recently moved to another SIM; null if that was not asked."""

    code: str | None = None
    """The provider's own code, as in ip_msisdn_mismatch."""

    status: int | None = None
    """HTTP status of the decisive answer."""

    cause: str | None = None
    """With noDataPath and other failures of a chain: the cause, in the words of org.modemd.Check.
    """

    retry_after_milliseconds: int | None = None
    """With rateLimited: when the provider accepts requests again; null if it gave no time."""

    text: str
    """One sentence for people: what happened, and what to do if anything can be done."""

    provider: str | None = None
    """Name of the provider in the configuration."""

    kind: str | None = None
    """Kind of the provider, as in truID."""

    modem: str | None = None
    """Id of the modem."""

    source: str | None = None
    """The bearer's address from which the last chain was sent."""

    milliseconds: float
    """From the call to the end."""

    trace: str | None = None
    """Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Provider(_wire.Record):
    """A configured provider."""

    name: str
    """Its name: its file's name without .json."""

    kind: str
    """Its kind, as in truID."""

    networks: tuple[str, ...] | None = None
    """MCCs, or MCCs with MNC, of the SIMs that it is for; null for all."""

    abilities: tuple[str, ...] | None = None
    """What it can do, in words such as verifyNumber, simChange, readNumber, coverage, signIn, sign,
    numberRecycling.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProviderFault(_wire.Record):
    """A provider's file that cannot be used. Its provider is disabled."""

    name: str
    """The file's name without .json."""

    file: str
    """The file's path."""

    line: int | None = None
    """The line that is wrong, from 1; null if it is about no line."""

    text: str
    """One sentence for people: what is wrong, and what to do. It holds no secret."""


class ProviderKeyNeed(_wire.Word):
    """One of the values of `need`."""

    REQUIRED = _wire.Known("required")
    ASKED = _wire.Known("asked")
    OPTIONAL = _wire.Known("optional")


class ProviderKeyForm(_wire.Word):
    """One of the values of `form`."""

    TEXT = _wire.Known("text")
    NUMBER = _wire.Known("number")
    BOOLEAN = _wire.Known("boolean")
    LIST = _wire.Known("list")
    OBJECT = _wire.Known("object")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProviderKey(_wire.Record):
    """A key of a provider's file, or one of its credentials."""

    key: str
    """The key's path, as in backend.url; for a credential, its name after the provider's name and a
    dot, as in client-secret.
    """

    meaning: str
    """What it is."""

    standard: str | None = None
    """What holds without it; null if nothing does, or the meaning says it."""

    need: ProviderKeyNeed
    """Whether every file of this kind needs it, people are asked for it, or few files have it."""

    form: ProviderKeyForm
    """What kind of value it has."""

    secret: bool
    """Whether it is a credential, which never stands in the file."""

    companion: str | None = None
    """The key that needs this credential; null if it stands by itself."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProviderKind(_wire.Record):
    """A kind of provider."""

    kind: str
    """As in truID."""

    keys: tuple[ProviderKey, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Credential(_wire.Record):
    """A credential with its value."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["value"])

    key: str
    """As in client-secret."""

    value: str


NumberParametersRoute = Literal["any", "bearer", "network"]
"""One of the values of `route`."""


class NumberReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NumberReply(_wire.Record):
    """A reply of `Number`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["server_answer"])

    event: NumberReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    server_answer: Any | None = None
    """With a verdict of an app's server that the provider's file names: its answer, such as its
    session, if that is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NumberResult(_wire.FlowResult, NumberReply):
    """The last reply of `Number`, which has its outcome."""

    outcome: Outcome


NUMBER = _wire.Method("org.modemd.Verify.Number", NumberReply)
NUMBER_FLOW = _wire.Flow(NUMBER, NumberResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProvidersReply(_wire.Record):
    """A reply of `Providers`."""

    providers: tuple[Provider, ...]

    faults: tuple[ProviderFault, ...] | None = None

    reloads: int | None = None
    """How often the service has read its files anew since it started, whether that changed anything
    or not.
    """

    reload_failure: str | None = None
    """Why the last time changed nothing; null if the files could be used."""


PROVIDERS = _wire.Method("org.modemd.Verify.Providers", ProvidersReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ProviderKindsReply(_wire.Record):
    """A reply of `ProviderKinds`."""

    kinds: tuple[ProviderKind, ...]


PROVIDER_KINDS = _wire.Method("org.modemd.Verify.ProviderKinds", ProviderKindsReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TestProviderFileReply(_wire.Record):
    """A reply of `TestProviderFile`."""

    fault: ProviderFault | None = None
    """Null if the file can be used."""


TEST_PROVIDER_FILE = _wire.Method("org.modemd.Verify.TestProviderFile", TestProviderFileReply)


class CheckProviderReplyCredentials(_wire.Word):
    """One of the values of `credentials`."""

    ACCEPTED = _wire.Known("accepted")
    REFUSED = _wire.Known("refused")
    UNKNOWN = _wire.Known("unknown")
    NOT_NEEDED = _wire.Known("notNeeded")
    NOT_FREE = _wire.Known("notFree")


class CheckProviderReplyCoverage(_wire.Word):
    """One of the values of `coverage`."""

    SERVED = _wire.Known("served")
    NOT_SERVED = _wire.Known("notServed")
    UNKNOWN = _wire.Known("unknown")
    NOT_ASKED = _wire.Known("notAsked")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckProviderReply(_wire.Record):
    """A reply of `CheckProvider`."""

    kind: str
    """Its kind, as in truID."""

    credentials: CheckProviderReplyCredentials
    """Whether the service accepts the credentials. `unknown` if it gave no answer that shows it,
    `notNeeded` without credentials, `notFree` if every request with them costs something.
    """

    credentials_text: str
    """One sentence for people."""

    coverage: CheckProviderReplyCoverage
    """Whether the SIM's operator is served. `notAsked` without a modem, or if the kind has no free
    request for it.
    """

    coverage_text: str
    """One sentence for people."""

    modem: str | None = None
    """The modem whose SIM it is about; null without one."""


CHECK_PROVIDER = _wire.Method("org.modemd.Verify.CheckProvider", CheckProviderReply)


class InvalidArgument(_wire.ServiceError):
    """An argument is not valid."""

    NAME = "org.modemd.Verify.InvalidArgument"

    @property
    def argument(self) -> str | None:
        return self.field("argument", str)

    @property
    def expected(self) -> str | None:
        """What was expected."""
        return self.field("expected", str)


class NoProvider(_wire.ServiceError):
    """No configured provider can do this."""

    NAME = "org.modemd.Verify.NoProvider"

    @property
    def text(self) -> str | None:
        """One sentence that explains what is configured, and what to do."""
        return self.field("text", str)


class MoreThanOneProvider(_wire.ServiceError):
    """Several providers can do this: name one."""

    NAME = "org.modemd.Verify.MoreThanOneProvider"

    @property
    def providers(self) -> tuple[str, ...] | None:
        return self.texts("providers")
