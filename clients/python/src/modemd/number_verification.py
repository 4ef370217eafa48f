"""CAMARA's Number Verification: the operator recognises the SIM by its bearer. Errors about modems
are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. InvalidArgument,
NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and
Outcome are the same in every interface of a provider. Later versions may add fields, and new
words to the enums of replies and errors. Replies and errors always have all their fields; a
field without a value is null.
"""
# Written by varlink-generate from org.modemd.NumberVerification.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "DevicePhoneNumberReply",
    "DevicePhoneNumberReplyEvent",
    "DevicePhoneNumberResult",
    "Hop",
    "Outcome",
    "Step",
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

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["server_answer"])

    event: VerifyReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    correlator: str | None = None
    """With the outcome: the id with which the operator finds the calls of this flow."""

    server_answer: Any | None = None
    """With an answer of the app's own server (redirectIsBackend): that answer, such as its session,
    if it is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VerifyResult(_wire.FlowResult, VerifyReply):
    """The last reply of `Verify`, which has its outcome."""

    outcome: Outcome


VERIFY = _wire.Method("org.modemd.NumberVerification.Verify", VerifyReply)
VERIFY_FLOW = _wire.Flow(VERIFY, VerifyResult, {})


class DevicePhoneNumberReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DevicePhoneNumberReply(_wire.Record):
    """A reply of `DevicePhoneNumber`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["number", "server_answer"])

    event: DevicePhoneNumberReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    number: str | None = None
    """With the result `numberRead`: in international form."""

    correlator: str | None = None
    """With the outcome: the id with which the operator finds the calls of this flow."""

    server_answer: Any | None = None
    """With an answer of the app's own server (redirectIsBackend): that answer, such as its session,
    if it is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DevicePhoneNumberResult(_wire.FlowResult, DevicePhoneNumberReply):
    """The last reply of `DevicePhoneNumber`, which has its outcome."""

    outcome: Outcome


DEVICE_PHONE_NUMBER = _wire.Method(
    "org.modemd.NumberVerification.DevicePhoneNumber",
    DevicePhoneNumberReply,
)
DEVICE_PHONE_NUMBER_FLOW = _wire.Flow(DEVICE_PHONE_NUMBER, DevicePhoneNumberResult, {})
