"""Whether and when a number moved to another SIM, from CAMARA's SIM Swap or another provider that
checks it. Errors about modems are those of org.modemd.Modem, and TooManyFlows is that of
org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are those of
org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a provider.
Later versions may add fields, and new words to the enums of replies and errors. Replies and
errors always have all their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.SIMSwap.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = [
    "CheckReply",
    "CheckReplyEvent",
    "CheckResult",
    "Hop",
    "Outcome",
    "RetrieveDateReply",
    "RetrieveDateReplyEvent",
    "RetrieveDateResult",
    "Step",
]


class CheckReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckReply(_wire.Record):
    """A reply of `Check`."""

    event: CheckReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    changed_at: str | None = None
    """With the outcome: when the number moved, in RFC 3339 form; null if the provider does not give
    it.
    """

    period_hours: int | None = None
    """With the outcome: the hours that the answer covers."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckResult(_wire.FlowResult, CheckReply):
    """The last reply of `Check`, which has its outcome."""

    outcome: Outcome


CHECK = _wire.Method("org.modemd.SIMSwap.Check", CheckReply)
CHECK_FLOW = _wire.Flow(CHECK, CheckResult, {})


class RetrieveDateReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    STEP = _wire.Known("step")
    HOP = _wire.Known("hop")
    OUTCOME = _wire.Known("outcome")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RetrieveDateReply(_wire.Record):
    """A reply of `RetrieveDate`."""

    event: RetrieveDateReplyEvent

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    changed_at: str | None = None
    """With the outcome: when the number moved, in RFC 3339 form, or when the SIM was first used;
    null if it did not move in the monitored time, or if that must not be disclosed.
    """

    monitored_days: int | None = None
    """With the outcome: how many days back the operator monitors changes; null if it does not give
    it.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RetrieveDateResult(_wire.FlowResult, RetrieveDateReply):
    """The last reply of `RetrieveDate`, which has its outcome."""

    outcome: Outcome


RETRIEVE_DATE = _wire.Method("org.modemd.SIMSwap.RetrieveDate", RetrieveDateReply)
RETRIEVE_DATE_FLOW = _wire.Flow(RETRIEVE_DATE, RetrieveDateResult, {})
