"""Registers users with a MIRACL Trust project, logs them in at its websites with a PIN, and signs.
This machine stores a user's identity but never the PIN, which is asked for each time. Access
needs its own entry in the access table. Without one, only root may call, because callers can try
PINs and use up an identity's attempts. Errors about modems (NoModem, MoreThanOneModem,
NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of
org.modemd.Check, and InvalidArgument, NoProvider and MoreThanOneProvider are those of
org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
Later versions may add fields, and new words to the enums of replies and errors. Replies and
errors always have all their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.MIRACL.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "AbortSessionReply",
    "AbortSessionReplyEvent",
    "AbortSessionResult",
    "ForgetReply",
    "GetSessionReply",
    "GetSessionReplyEvent",
    "GetSessionResult",
    "GiveMailReply",
    "GivePINReply",
    "GivenBefore",
    "Hop",
    "IdentitiesReply",
    "Identity",
    "IdentityState",
    "LoginReply",
    "LoginReplyEvent",
    "LoginResult",
    "NoSuchFlow",
    "NoSuchIdentity",
    "Outcome",
    "Question",
    "QuestionWhat",
    "QuickCodeReply",
    "QuickCodeReplyEvent",
    "QuickCodeResult",
    "RegisterParametersVerification",
    "RegisterReply",
    "RegisterReplyEvent",
    "RegisterResult",
    "Session",
    "SignReply",
    "SignReplyEvent",
    "SignResult",
    "Signature",
    "Step",
    "StoreFailed",
    "VerifySignatureReply",
    "VerifySignatureReplyEvent",
    "VerifySignatureResult",
]


class QuestionWhat(_wire.Word):
    """One of the values of `what`."""

    PIN = _wire.Known("pin")
    MAIL_LINK = _wire.Known("mailLink")
    MAIL_CODE = _wire.Known("mailCode")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Question(_wire.Record):
    """What a flow asks for, by GivePIN or GiveMail."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["purpose"])

    what: QuestionWhat
    """What is needed: a PIN, or the link or the code from a mail."""

    shortest: int | None = None
    """With pin: the least number of digits."""

    longest: int | None = None
    """With pin: the greatest number of digits."""

    is_new: bool | None = None
    """With pin: whether the user chooses a new one, in which case it is best asked for twice."""

    purpose: str | None = None
    """What the answer is for, in the words of the requester: the website's name, or what is to be
    signed. Show it before the PIN is typed.
    """

    seconds: int
    """How long to wait for the answer."""


class IdentityState(_wire.Word):
    """One of the values of `state`."""

    ACTIVE = _wire.Known("active")
    REVOKED = _wire.Known("revoked")
    EXPIRED = _wire.Known("expired")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Identity(_wire.Record):
    """A user's identity on this machine."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["user"])

    user: str
    """The user's name in the project, usually a mail address."""

    project: str
    """The project's id."""

    service: str
    """The platform's URL."""

    state: IdentityState
    """Revoked and expired identities cannot be used: register the user again."""

    pin_length: int
    """The number of digits of the PIN."""

    created: str
    """RFC 3339."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Session(_wire.Record):
    """A website's description of its session."""

    NAMES: ClassVar[Mapping[str, str]] = {"verification_url": "verificationURL"}
    HIDDEN: ClassVar[frozenset[str]] = frozenset(["user", "hash", "description"])

    project: str | None = None
    """The project's name."""

    logo: str | None = None
    """A picture of it."""

    user: str | None = None
    """The user that the website expects; null for any user."""

    pin_length: int | None = None
    """How many digits PINs have."""

    verification_method: str | None = None
    """How users are verified, in the platform's words."""

    verification_url: str | None = None
    """The project's own page for verification."""

    verification_text: str | None = None

    identity_type: str | None = None
    """The kind of a user's name, as in email, and its label."""

    identity_label: str | None = None

    allows_quick_code: bool | None = None
    """Whether a quick code registers another device."""

    limits_quick_code: bool | None = None
    """Whether that is only for verified users."""

    hash: str | None = None
    """Set if something must be signed: its hash in hexadecimal digits."""

    description: str | None = None
    """What it is, for people."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Signature(_wire.Record):
    """A signature of a document's hash."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["document"])

    document: Any
    """For the verifier: hash, u, v, mpinId, publicKey, dtas and timestamp. The M-Pin id contains
    the user's name.
    """

    timestamp: int
    """Seconds since 1970."""


class GetSessionReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetSessionReply(_wire.Record):
    """A reply of `GetSession`."""

    event: GetSessionReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    session: Session | None = None
    """Set with `outcome` if there is such a session."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetSessionResult(_wire.FlowResult, GetSessionReply):
    """The last reply of `GetSession`, which has its outcome."""

    outcome: Outcome


GET_SESSION = _wire.Method("org.modemd.MIRACL.GetSession", GetSessionReply)
GET_SESSION_FLOW = _wire.Flow(GET_SESSION, GetSessionResult, {})


class AbortSessionReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AbortSessionReply(_wire.Record):
    """A reply of `AbortSession`."""

    event: AbortSessionReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AbortSessionResult(_wire.FlowResult, AbortSessionReply):
    """The last reply of `AbortSession`, which has its outcome."""

    outcome: Outcome


ABORT_SESSION = _wire.Method("org.modemd.MIRACL.AbortSession", AbortSessionReply)
ABORT_SESSION_FLOW = _wire.Flow(ABORT_SESSION, AbortSessionResult, {})


RegisterParametersVerification = Literal["mail", "backend", "link", "activation"]
"""One of the values of `verification`."""


class RegisterReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    QUESTION = _wire.Known("question")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RegisterReply(_wire.Record):
    """A reply of `Register`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["flow"])

    event: RegisterReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    flow: str | None = None
    """Set with `ready` and `question`: identifies this call for GivePIN and GiveMail. A caller who
    knows it and is the same user may answer.
    """

    question: Question | None = None
    """Set with `question`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    identity: Identity | None = None
    """Set with `outcome` if the user is registered."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RegisterResult(_wire.FlowResult, RegisterReply):
    """The last reply of `Register`, which has its outcome."""

    outcome: Outcome


REGISTER = _wire.Method("org.modemd.MIRACL.Register", RegisterReply)
REGISTER_FLOW = _wire.Flow(
    REGISTER,
    RegisterResult,
    {"pin": "org.modemd.MIRACL.GivePIN", "mail": "org.modemd.MIRACL.GiveMail"},
)


class LoginReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    QUESTION = _wire.Known("question")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoginReply(_wire.Record):
    """A reply of `Login`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["flow", "user", "token"])

    event: LoginReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    flow: str | None = None
    """As with Register."""

    question: Question | None = None
    """Set with `question`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    user: str | None = None
    """Set with `outcome` if the user is known."""

    session: Session | None = None
    """Set with `outcome` if there is one."""

    token: str | None = None
    """Set with `outcome` if no website was named: a JSON Web Token for the application's backend,
    which verifies it.
    """

    renewed: bool | None = None
    """Set with `outcome`: whether the identity's secret was renewed in the process."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LoginResult(_wire.FlowResult, LoginReply):
    """The last reply of `Login`, which has its outcome."""

    outcome: Outcome


LOGIN = _wire.Method("org.modemd.MIRACL.Login", LoginReply)
LOGIN_FLOW = _wire.Flow(
    LOGIN,
    LoginResult,
    {"pin": "org.modemd.MIRACL.GivePIN", "mail": "org.modemd.MIRACL.GiveMail"},
)


class SignReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    QUESTION = _wire.Known("question")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SignReply(_wire.Record):
    """A reply of `Sign`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["flow", "user", "description"])

    event: SignReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    flow: str | None = None
    """As with Register."""

    question: Question | None = None
    """Set with `question`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    user: str | None = None
    """Set with `outcome` if the user is known."""

    description: str | None = None
    """The website's description of what is signed."""

    signature: Signature | None = None
    """Set with `outcome` if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SignResult(_wire.FlowResult, SignReply):
    """The last reply of `Sign`, which has its outcome."""

    outcome: Outcome


SIGN = _wire.Method("org.modemd.MIRACL.Sign", SignReply)
SIGN_FLOW = _wire.Flow(
    SIGN,
    SignResult,
    {"pin": "org.modemd.MIRACL.GivePIN", "mail": "org.modemd.MIRACL.GiveMail"},
)


class VerifySignatureReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifySignatureReply(_wire.Record):
    """A reply of `VerifySignature`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["certificate"])

    event: VerifySignatureReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    certificate: str | None = None
    """Set with `outcome` if the signature is valid: a JSON Web Token of the platform."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifySignatureResult(_wire.FlowResult, VerifySignatureReply):
    """The last reply of `VerifySignature`, which has its outcome."""

    outcome: Outcome


VERIFY_SIGNATURE = _wire.Method("org.modemd.MIRACL.VerifySignature", VerifySignatureReply)
VERIFY_SIGNATURE_FLOW = _wire.Flow(VERIFY_SIGNATURE, VerifySignatureResult, {})


class QuickCodeReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    QUESTION = _wire.Known("question")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuickCodeReply(_wire.Record):
    """A reply of `QuickCode`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["flow", "code"])

    event: QuickCodeReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    flow: str | None = None
    """As with Register."""

    question: Question | None = None
    """Set with `question`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    code: str | None = None
    """Set with `outcome` if there is one."""

    expires: int | None = None
    """Seconds since 1970."""

    seconds: int | None = None
    """Seconds for which it is valid."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuickCodeResult(_wire.FlowResult, QuickCodeReply):
    """The last reply of `QuickCode`, which has its outcome."""

    outcome: Outcome


QUICK_CODE = _wire.Method("org.modemd.MIRACL.QuickCode", QuickCodeReply)
QUICK_CODE_FLOW = _wire.Flow(
    QUICK_CODE,
    QuickCodeResult,
    {"pin": "org.modemd.MIRACL.GivePIN", "mail": "org.modemd.MIRACL.GiveMail"},
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GivePINReply(_wire.Record):
    """A reply of `GivePIN`."""


GIVE_PIN = _wire.Method("org.modemd.MIRACL.GivePIN", GivePINReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GiveMailReply(_wire.Record):
    """A reply of `GiveMail`."""


GIVE_MAIL = _wire.Method("org.modemd.MIRACL.GiveMail", GiveMailReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IdentitiesReply(_wire.Record):
    """A reply of `Identities`."""

    identities: tuple[Identity, ...]

    damaged: tuple[str, ...]
    """One sentence for each file that cannot be read."""


IDENTITIES = _wire.Method("org.modemd.MIRACL.Identities", IdentitiesReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ForgetReply(_wire.Record):
    """A reply of `Forget`."""


FORGET = _wire.Method("org.modemd.MIRACL.Forget", ForgetReply)


class NoSuchFlow(_wire.ServiceError):
    """No call of this user has the id, or it does not wait for this now."""

    NAME = "org.modemd.MIRACL.NoSuchFlow"


class GivenBefore(_wire.ServiceError):
    """The same answer was given before for this call, and was wrong. The call continues to wait."""

    NAME = "org.modemd.MIRACL.GivenBefore"


class NoSuchIdentity(_wire.ServiceError):
    """This machine has no identity of this user."""

    NAME = "org.modemd.MIRACL.NoSuchIdentity"


class StoreFailed(_wire.ServiceError):
    """The identities on this machine cannot be read or written."""

    NAME = "org.modemd.MIRACL.StoreFailed"

    @property
    def text(self) -> str | None:
        """One sentence that names the file."""
        return self.field("text", str)
