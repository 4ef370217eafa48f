"""Whether a number has got another subscriber, from CAMARA's Number Recycling. Errors about modems
are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. InvalidArgument,
NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and
Outcome are the same in every interface of a provider. Later versions may add fields, and new
words to the enums of replies and errors. Replies and errors always have all their fields; a
field without a value is null.
"""
# Written by varlink-generate from org.modemd.NumberRecycling.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass

from . import _wire
from .verify import Hop, Outcome, Step

__all__ = ["CheckReply", "CheckReplyEvent", "CheckResult", "Hop", "Outcome", "Step"]


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

    changed: bool | None = None
    """With the outcome: whether the number has another subscriber than on that day, or had none for
    a time; null without an answer.
    """

    correlator: str | None = None
    """With the outcome: the word by which the operator finds the calls of this flow; null without
    an answer.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CheckResult(_wire.FlowResult, CheckReply):
    """The last reply of `Check`, which has its outcome."""

    outcome: Outcome


CHECK = _wire.Method("org.modemd.NumberRecycling.Check", CheckReply)
CHECK_FLOW = _wire.Flow(CHECK, CheckResult, {})
