"""Signs users in at Firebase by their phone number, after checking that the number has not moved to
another SIM: a changed SIM stops it before any message is sent. Access needs its own entry in the
access table. Without one, only root may call, because the codes are read from the SIM's
messages. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those
of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and InvalidArgument,
NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and
Outcome are the same in every interface of a provider. Later versions may add fields, and new
words to the enums of replies and errors. Replies and errors always have all their fields; a
field without a value is null.
"""
# Written by varlink-generate from org.modemd.PhoneSignIn.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "CodeRefused",
    "GiveCodeReply",
    "Hop",
    "NoSuchFlow",
    "Outcome",
    "RefreshReply",
    "RefreshReplyEvent",
    "RefreshResult",
    "SignInParametersCodeFrom",
    "SignInParametersOperation",
    "SignInReply",
    "SignInReplyEvent",
    "SignInResult",
    "Step",
    "User",
]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class User(_wire.Record):
    """Firebase's answer. modemd verifies none of it: the backend that trusts it must do so."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset([
        "user",
        "number",
        "id_token",
        "refresh_token",
        "temporary_proof",
    ])

    user: str | None = None
    """The user's id in the project."""

    number: str | None = None
    """In international form."""

    id_token: str | None = None
    """A JSON Web Token that identifies the user."""

    refresh_token: str | None = None
    """Refresh exchanges it for a new ID token."""

    expires_in: int | None = None
    """Seconds for which the ID token is valid."""

    is_new: bool | None = None
    """Whether this call created the user; null if Firebase does not report it."""

    temporary_proof: str | None = None
    """With userRefused, instead of tokens: proves the number, which belongs to another account."""

    temporary_proof_expires_in: int | None = None
    """Seconds for which the proof is valid."""


SignInParametersCodeFrom = Literal["messages", "caller"]
"""One of the values of `codeFrom`."""


SignInParametersOperation = Literal["signUpOrIn", "reauthenticate", "update", "link"]
"""One of the values of `operation`."""


class SignInReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    CODE_WANTED = _wire.Known("codeWanted")
    MESSAGE_SENT = _wire.Known("messageSent")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SignInReply(_wire.Record):
    """A reply of `SignIn`."""

    NAMES: ClassVar[Mapping[str, str]] = {"verification_id": "verificationID"}
    HIDDEN: ClassVar[frozenset[str]] = frozenset(["flow", "verification_id"])

    event: SignInReplyEvent
    """`messageSent` comes once a message was sent whose code is read from the modem's messages."""

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    flow: str | None = None
    """Set with `ready` and `codeWanted`: identifies this call for GiveCode. A caller who knows it
    and is the same user may give the code.
    """

    code_wrong: bool | None = None
    """Set with `codeWanted`: whether the code that was given last was wrong."""

    attempts_left: int | None = None
    """Set with `codeWanted` after a wrong code: how many more are tried."""

    verification_id: str | None = None
    """Set with `messageSent` and `codeWanted`, and with `outcome` if a message was sent and no code
    was the right one: a later call goes on with it. It is worth nothing without the code, and
    expires soon.
    """

    outcome: Outcome | None = None
    """Set with `outcome`."""

    user: User | None = None
    """Set with `outcome` if Firebase gave anything."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SignInResult(_wire.FlowResult, SignInReply):
    """The last reply of `SignIn`, which has its outcome."""

    outcome: Outcome


SIGN_IN = _wire.Method("org.modemd.PhoneSignIn.SignIn", SignInReply)
SIGN_IN_FLOW = _wire.Flow(SIGN_IN, SignInResult, {"code": "org.modemd.PhoneSignIn.GiveCode"})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GiveCodeReply(_wire.Record):
    """A reply of `GiveCode`."""


GIVE_CODE = _wire.Method("org.modemd.PhoneSignIn.GiveCode", GiveCodeReply)


class RefreshReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RefreshReply(_wire.Record):
    """A reply of `Refresh`."""

    event: RefreshReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    user: User | None = None
    """Set with `outcome` if Firebase gave anything."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RefreshResult(_wire.FlowResult, RefreshReply):
    """The last reply of `Refresh`, which has its outcome."""

    outcome: Outcome


REFRESH = _wire.Method("org.modemd.PhoneSignIn.Refresh", RefreshReply)
REFRESH_FLOW = _wire.Flow(REFRESH, RefreshResult, {})


class NoSuchFlow(_wire.ServiceError):
    """No call of SignIn by this user has the id, or it does not wait for a code now."""

    NAME = "org.modemd.PhoneSignIn.NoSuchFlow"


class CodeRefused(_wire.ServiceError):
    """The code was given before for this call, and was wrong. The call continues to wait."""

    NAME = "org.modemd.PhoneSignIn.CodeRefused"
