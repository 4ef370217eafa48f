"""GSMA TS.43: the SIM answers a challenge of its operator over any network, and the operator's
entitlement server tells its number. Errors about modems are those of org.modemd.Modem, and
TooManyFlows is that of org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are
those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
provider. Later versions may add fields, and new words to the enums of replies and errors.
Replies and errors always have all their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.TS43.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "Hop",
    "Outcome",
    "PhoneNumberReply",
    "PhoneNumberReplyEvent",
    "PhoneNumberResult",
    "Step",
    "SubscriberInfoReply",
    "SubscriberInfoReplyEvent",
    "SubscriberInfoResult",
    "TemporaryTokenParametersOperation",
    "TemporaryTokenReply",
    "TemporaryTokenReplyEvent",
    "TemporaryTokenResult",
    "VerifyReply",
    "VerifyReplyEvent",
    "VerifyResult",
]


class VerifyReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifyReply(_wire.Record):
    """A reply of `Verify`."""

    event: VerifyReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifyResult(_wire.FlowResult, VerifyReply):
    """The last reply of `Verify`, which has its outcome."""

    outcome: Outcome


VERIFY = _wire.Method("org.modemd.TS43.Verify", VerifyReply)
VERIFY_FLOW = _wire.Flow(VERIFY, VerifyResult, {})


class PhoneNumberReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PhoneNumberReply(_wire.Record):
    """A reply of `PhoneNumber`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["number", "sim_number"])

    event: PhoneNumberReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    number: str | None = None
    """With the result `numberRead`: the number that the operator has for the SIM, in international
    form.
    """

    sim_number: str | None = None
    """With the result `numberRead`: the number that stands on the SIM (EF_MSISDN); null if it has
    none, or if the caller may not call org.modemd.Modem.Get.
    """

    same: bool | None = None
    """Whether the two are the same; null if one of them is. Operators keep the first; the second is
    what was once written on the card.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PhoneNumberResult(_wire.FlowResult, PhoneNumberReply):
    """The last reply of `PhoneNumber`, which has its outcome."""

    outcome: Outcome


PHONE_NUMBER = _wire.Method("org.modemd.TS43.PhoneNumber", PhoneNumberReply)
PHONE_NUMBER_FLOW = _wire.Flow(PHONE_NUMBER, PhoneNumberResult, {})


class SubscriberInfoReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubscriberInfoReply(_wire.Record):
    """A reply of `SubscriberInfo`."""

    NAMES: ClassVar[Mapping[str, str]] = {"sim_id_type": "simIDType", "sim_id": "simID"}
    HIDDEN: ClassVar[frozenset[str]] = frozenset(["number", "sim_id"])

    event: SubscriberInfoReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    number: str | None = None
    """With the result `answered`: the number, in international form; null if the operator does not
    tell.
    """

    sim_id_type: str | None = None
    """With the result `answered`: the kind of the SIM's id, as in iccid, in the operator's words;
    null if it does not tell.
    """

    sim_id: str | None = None
    """With the result `answered`: that id; null if the operator does not tell."""

    virtual_operator: str | None = None
    """With the result `answered`: the virtual operator; null if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubscriberInfoResult(_wire.FlowResult, SubscriberInfoReply):
    """The last reply of `SubscriberInfo`, which has its outcome."""

    outcome: Outcome


SUBSCRIBER_INFO = _wire.Method("org.modemd.TS43.SubscriberInfo", SubscriberInfoReply)
SUBSCRIBER_INFO_FLOW = _wire.Flow(SUBSCRIBER_INFO, SubscriberInfoResult, {})


TemporaryTokenParametersOperation = Literal["phoneNumber", "verify"]
"""One of the values of `operation`."""


class TemporaryTokenReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TemporaryTokenReply(_wire.Record):
    """A reply of `TemporaryToken`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["token"])

    event: TemporaryTokenReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    token: str | None = None
    """With the result `authorized`: the token. It is a secret."""

    expires: str | None = None
    """With the result `authorized`: when it ends (RFC 3339); null if the operator does not tell."""

    mcc: str | None = None
    """With the result `authorized`: mobile country code of the operator that has to be asked."""

    mnc: str | None = None
    """With the result `authorized`: its mobile network code, of two or three digits."""

    gid1: str | None = None
    """With the result `authorized`: the SIM's Group Identifier Level 1 in hexadecimal digits, by
    which virtual operators are told apart; null if the SIM has none.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TemporaryTokenResult(_wire.FlowResult, TemporaryTokenReply):
    """The last reply of `TemporaryToken`, which has its outcome."""

    outcome: Outcome


TEMPORARY_TOKEN = _wire.Method("org.modemd.TS43.TemporaryToken", TemporaryTokenReply)
TEMPORARY_TOKEN_FLOW = _wire.Flow(TEMPORARY_TOKEN, TemporaryTokenResult, {})
