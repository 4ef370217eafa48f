"""tru.ID: PhoneCheck, SubscriberCheck, SIMCheck, coverage and traces, through an application's
backend or the API, as configured. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and
InvalidArgument, NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types
Step, Hop and Outcome are the same in every interface of a provider.

Every method is a stream: `ready`, then a `step` for each action with a `hop` for each request
over the bearer, then the `outcome`. Without `more`, only the outcome. Later versions may add
fields, and new words to the enums of replies and errors. Replies and errors always have all
their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.TruID.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from . import _wire
from .mobile_connect import Event
from .verify import Hop, Outcome, Step

__all__ = [
    "Check",
    "CoverageParametersProduct",
    "CoverageReply",
    "CoverageResult",
    "Entry",
    "Event",
    "Hop",
    "Outcome",
    "PhoneCheckReply",
    "PhoneCheckResult",
    "Product",
    "SIMCheckReply",
    "SIMCheckResult",
    "Served",
    "Step",
    "SubscriberCheckReply",
    "SubscriberCheckResult",
    "Trace",
    "TracesParametersKind",
    "TracesReply",
    "TracesResult",
    "Way",
]


Way = Literal["backend", "api"]
"""Who makes checks: an application's backend, or tru.ID's API with the project's credentials."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Check(_wire.Record):
    """tru.ID's data about a check besides its outcome."""

    NAMES: ClassVar[Mapping[str, str]] = {"last_sim_change": "lastSIMChange"}

    id: str | None = None
    """tru.ID's id of the check; null if a backend does not give it."""

    network: str | None = None
    """MCC and MNC of the number's network."""

    sim_change_within_minutes: int | None = None
    """Minutes within which the SIM was changed, as far as the operator reports it; 525601 for more
    than a year.
    """

    sim_change_period_minutes: int | None = None
    """Minutes that were looked back."""

    last_sim_change: str | None = None
    """When the SIM was last changed, as tru.ID wrote it."""

    rate_limit: int | None = None
    """Requests per hour that tru.ID allows."""

    rate_remaining: int | None = None
    """How many of them are left."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Product(_wire.Record):
    """A product of tru.ID, and where it can be used."""

    id: str
    """As in pck, sck, suk."""

    name: str | None = None

    extent: str | None = None
    """As in FULL, PARTIAL, COMING_SOON; null if the answer is about one address."""

    networks: tuple[str, ...]
    """MCCs with MNCs."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Served(_wire.Record):
    """What tru.ID serves at an address or in a country."""

    network: str | None = None
    """MCC and MNC."""

    network_name: str | None = None

    aliases: tuple[str, ...]
    """Other codes of the same network."""

    country: str | None = None
    """Two letters."""

    dialing_code: str | None = None
    """As in 44."""

    address: str | None = None
    """The address that tru.ID saw: the bearer's public one."""

    products: tuple[Product, ...] | None = None
    """Null if tru.ID does not list them."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Entry(_wire.Record):
    """A line of a trace."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["message", "attributes"])

    time: str
    """As tru.ID wrote it."""

    message: str
    """It may name the number."""

    attributes: Any | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Trace(_wire.Record):
    """What tru.ID recorded while it handled a check."""

    id: str

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PhoneCheckReply(_wire.Record):
    """A reply of `PhoneCheck`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["server_answer"])

    event: Event

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    check: Check | None = None
    """Set with `outcome`, if there was a check."""

    server_answer: Any | None = None
    """With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
    session, if that is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PhoneCheckResult(_wire.FlowResult, PhoneCheckReply):
    """The last reply of `PhoneCheck`, which has its outcome."""

    outcome: Outcome


PHONE_CHECK = _wire.Method("org.modemd.TruID.PhoneCheck", PhoneCheckReply)
PHONE_CHECK_FLOW = _wire.Flow(PHONE_CHECK, PhoneCheckResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubscriberCheckReply(_wire.Record):
    """A reply of `SubscriberCheck`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["server_answer"])

    event: Event

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    check: Check | None = None
    """Set with `outcome`, if there was a check."""

    server_answer: Any | None = None
    """With a verdict of an app's backend (way backend, redirect.fetch): its answer, such as its
    session, if that is a JSON object.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubscriberCheckResult(_wire.FlowResult, SubscriberCheckReply):
    """The last reply of `SubscriberCheck`, which has its outcome."""

    outcome: Outcome


SUBSCRIBER_CHECK = _wire.Method("org.modemd.TruID.SubscriberCheck", SubscriberCheckReply)
SUBSCRIBER_CHECK_FLOW = _wire.Flow(SUBSCRIBER_CHECK, SubscriberCheckResult, {})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SIMCheckReply(_wire.Record):
    """A reply of `SIMCheck`."""

    event: Event

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    check: Check | None = None
    """Set with `outcome`, if there was a check."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SIMCheckResult(_wire.FlowResult, SIMCheckReply):
    """The last reply of `SIMCheck`, which has its outcome."""

    outcome: Outcome


SIM_CHECK = _wire.Method("org.modemd.TruID.SIMCheck", SIMCheckReply)
SIM_CHECK_FLOW = _wire.Flow(SIM_CHECK, SIMCheckResult, {})


CoverageParametersProduct = Literal["phoneCheck", "subscriberCheck"]
"""One of the values of `product`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CoverageReply(_wire.Record):
    """A reply of `Coverage`."""

    event: Event

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    served: Served | None = None
    """Set with `outcome`, if tru.ID answered."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CoverageResult(_wire.FlowResult, CoverageReply):
    """The last reply of `Coverage`, which has its outcome."""

    outcome: Outcome


COVERAGE = _wire.Method("org.modemd.TruID.Coverage", CoverageReply)
COVERAGE_FLOW = _wire.Flow(COVERAGE, CoverageResult, {})


TracesParametersKind = Literal["phoneCheck", "subscriberCheck", "simCheck"]
"""One of the values of `kind`."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TracesReply(_wire.Record):
    """A reply of `Traces`."""

    event: Event

    step: Step | None = None
    """Set with `step`."""

    hop: Hop | None = None
    """Set with `hop`."""

    outcome: Outcome | None = None
    """Set with `outcome`."""

    traces: tuple[Trace, ...] | None = None
    """Set with `outcome`, if tru.ID answered."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TracesResult(_wire.FlowResult, TracesReply):
    """The last reply of `Traces`, which has its outcome."""

    outcome: Outcome


TRACES = _wire.Method("org.modemd.TruID.Traces", TracesReply)
TRACES_FLOW = _wire.Flow(TRACES, TracesResult, {})
