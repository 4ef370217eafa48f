"""The modems of this machine, their SIMs, and where they are registered. Answers come from modemd's
last known state, which indications from the modem keep up to date. Later versions may add
fields, and new words to the enums of replies and errors. Replies and errors always have all
their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.Modem.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from . import _wire

__all__ = [
    "Cause",
    "Fault",
    "GetReply",
    "InUse",
    "LastAttempt",
    "ListReply",
    "Modem",
    "ModemFailed",
    "ModemProtocol",
    "MoreThanOneModem",
    "Network",
    "NoModem",
    "NoSuchModem",
    "NoSuchSlot",
    "PINNotRequired",
    "PhoneNumber",
    "PhoneNumberSource",
    "PortUnavailable",
    "Registration",
    "RegistrationState",
    "RegistrationTechnology",
    "SIM",
    "SIMState",
    "Sharing",
    "SharingManagerState",
    "SharingWay",
    "Slot",
    "SlotCard",
    "SlotsNotSupported",
    "SlotsReply",
    "SwitchSlotReply",
    "UnlockPINReply",
    "WatchReply",
    "WatchReplyChange",
    "WrongPIN",
]


class PhoneNumberSource(_wire.Word):
    """One of the values of `source`."""

    SUBSCRIBER_READY = _wire.Known("subscriberReady")
    DMS = _wire.Known("dms")
    EF_MSISDN = _wire.Known("efMsisdn")
    CONFIGURED = _wire.Known("configured")
    UNKNOWN = _wire.Known("unknown")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PhoneNumber(_wire.Record):
    """A phone number that the SIM or the modem reports for this subscription."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["number"])

    number: str
    """E.164 with its leading + if `normalised`, else unchanged."""

    normalised: bool
    """Whether `number` is E.164."""

    source: PhoneNumberSource
    """Where it was read; unknown if the port's version is later than modemd's and uses a word of
    its own.
    """


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Network(_wire.Record):
    """A network by its codes. Digits are text: the MNC keeps its two or three digits."""

    mcc: str
    """Mobile country code."""

    mnc: str
    """Mobile network code."""

    name: str | None = None
    """The network's name, if the modem knows it."""


class SIMState(_wire.Word):
    """One of the values of `state`."""

    UNKNOWN = _wire.Known("unknown")
    ABSENT = _wire.Known("absent")
    INITIALISING = _wire.Known("initialising")
    PIN_REQUIRED = _wire.Known("pinRequired")
    PUK_REQUIRED = _wire.Known("pukRequired")
    NOT_ACTIVATED = _wire.Known("notActivated")
    FAILED = _wire.Known("failed")
    READY = _wire.Known("ready")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SIM(_wire.Record):
    """The SIM and its subscription data."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["iccid", "imsi"])

    state: SIMState
    """What prevents the use of the SIM."""

    retries_left: int | None = None
    """PIN or PUK attempts left, if the modem reports them."""

    slot: int | None = None
    """Physical slot, from 1."""

    iccid: str | None = None
    """Serial number. Null if the caller may not see subscriber identity, or if the modem has none.
    """

    imsi: str | None = None
    """Subscriber identity. Null if the caller may not see it, or if the modem has none."""

    numbers: tuple[PhoneNumber, ...]
    """Empty if the SIM carries no number, as many do, or if the caller may not see it."""

    home: Network | None = None
    """The network that issued the SIM."""


class SlotCard(_wire.Word):
    """One of the values of `card`."""

    UNKNOWN = _wire.Known("unknown")
    ABSENT = _wire.Known("absent")
    PRESENT = _wire.Known("present")
    FAILED = _wire.Known("failed")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Slot(_wire.Record):
    """A place for a SIM in the modem, including soldered eSIMs."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["iccid"])

    slot: int
    """From 1."""

    active: bool
    """Whether the modem uses this one."""

    card: SlotCard
    """Its content, as far as the modem reports it."""

    iccid: str | None = None
    """Serial number of its card. Null if the caller may not see subscriber identity; many modems
    only report that of the active slot.
    """

    esim: bool | None = None
    """Whether it is an eSIM; null if the modem does not report it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cause(_wire.Record):
    """A reason in 3GPP's words."""

    code: int | None = None
    """3GPP's number for it, if there is one."""

    text: str
    """The reason in words."""


class RegistrationState(_wire.Word):
    """One of the values of `state`."""

    UNKNOWN = _wire.Known("unknown")
    DEREGISTERED = _wire.Known("deregistered")
    SEARCHING = _wire.Known("searching")
    HOME = _wire.Known("home")
    ROAMING = _wire.Known("roaming")
    PARTNER = _wire.Known("partner")
    DENIED = _wire.Known("denied")


class RegistrationTechnology(_wire.Word):
    """One of the values of `technology`."""

    GSM = _wire.Known("gsm")
    UMTS = _wire.Known("umts")
    LTE = _wire.Known("lte")
    NR_NON_STANDALONE = _wire.Known("nrNonStandalone")
    NR = _wire.Known("nr")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Registration(_wire.Record):
    """Where the modem is registered, and its signal strength."""

    state: RegistrationState
    """As MBIM names the states; QMI's are mapped to them."""

    serving: Network | None = None
    """The network it is registered with."""

    technology: RegistrationTechnology | None = None
    """Radio access technology of the serving cell."""

    rssi: int | None = None
    """Received signal strength in dBm."""

    rsrp: int | None = None
    """Power of the serving cell's reference signals in dBm, -156 to -31 (3GPP TS 36.133, 9.1.4; TS
    38.133, 10.1.6). Null with GSM and UMTS, and if the modem does not report it. With
    nrNonStandalone, this field and the next two are those of the LTE cell.
    """

    rsrq: int | None = None
    """Quality of these signals in dB, -43 to 20. MBIM does not have it."""

    sinr: int | None = None
    """Ratio of the signal to interference and noise in dB, -23 to 40."""

    cause: Cause | None = None
    """Why the network denied registration (3GPP TS 24.008, 24.301, 24.501)."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Fault(_wire.Record):
    """Why a modem does not work."""

    cause: str
    """One sentence."""

    since: str
    """RFC 3339."""


class SharingWay(_wire.Word):
    """One of the values of `way`."""

    OWN = _wire.Known("own")
    SHARE = _wire.Known("share")
    FOLLOW = _wire.Known("follow")


class SharingManagerState(_wire.Word):
    """One of the values of `managerState`."""

    WITHOUT = _wire.Known("without")
    IDLE = _wire.Known("idle")
    CONNECTED = _wire.Known("connected")
    INHIBITED = _wire.Known("inhibited")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Sharing(_wire.Record):
    """How modemd and ModemManager share one modem."""

    way: SharingWay
    """`own`: only modemd uses it. `share`: both use it through the proxies, and modemd has its own
    bearer. `follow`: ModemManager's bearer is used as it is.
    """

    reason: str
    """The reason for this way, in one sentence."""

    session: int | None = None
    """MBIM session or QMI multiplexing id of modemd's own bearer; null if the bearer is the
    interface itself.
    """

    manager: str | None = None
    """ModemManager's version while it runs."""

    manager_state: SharingManagerState | None = None
    """What ModemManager does with the modem; null while it does not run. `without`: it does not
    have the modem. `idle`: it has the modem, without a connected bearer. `connected`: it has a
    connected bearer on the modem. `inhibited`: it was asked to release the modem, and has.
    """

    passed_over: str | None = None
    """The ways that come before this one, each with the obstacle; null if there are none."""


class ModemProtocol(_wire.Word):
    """One of the values of `protocol`."""

    MBIM = _wire.Known("mbim")
    QMI = _wire.Known("qmi")
    UNKNOWN = _wire.Known("unknown")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Modem(_wire.Record):
    """A modem and its SIM."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["imei"])

    id: str
    """Stable across reboots and replugging: made from the IMEI, or else from the device path, with
    a key of this machine.
    """

    device: str
    """Path of the control port."""

    protocol: ModemProtocol
    """Control protocol; unknown as with `source` of a number."""

    manufacturer: str | None = None
    """Who made it."""

    model: str | None = None
    """What they call it."""

    firmware: str | None = None
    """Firmware revision."""

    imei: str | None = None
    """15 digits. Null if the caller may not see subscriber identity, or if the modem hides it."""

    interface: str | None = None
    """The network interface of its bearer."""

    sim: SIM
    """The SIM in it."""

    registration: Registration
    """Where it is registered."""

    fault: Fault | None = None
    """Set while the modem or its port does not work; the rest is then the last known state."""

    sharing: Sharing | None = None
    """How it is shared with ModemManager; null before the decision."""

    software: str | None = None
    """The port's program and libraries with their versions."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListReply(_wire.Record):
    """A reply of `List`."""

    modems: tuple[Modem, ...]
    """Empty where there is none."""


LIST = _wire.Method("org.modemd.Modem.List", ListReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetReply(_wire.Record):
    """A reply of `Get`."""

    modem: Modem
    """As it was known last."""


GET = _wire.Method("org.modemd.Modem.Get", GetReply)


class WatchReplyChange(_wire.Word):
    """One of the values of `change`."""

    READY = _wire.Known("ready")
    ADDED = _wire.Known("added")
    CHANGED = _wire.Known("changed")
    REMOVED = _wire.Known("removed")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchReply(_wire.Record):
    """A reply of `Watch`."""

    change: WatchReplyChange
    """What happened."""

    modem: Modem | None = None
    """The modem after the change."""


WATCH = _wire.Method("org.modemd.Modem.Watch", WatchReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class UnlockPINReply(_wire.Record):
    """A reply of `UnlockPIN`."""

    modem: Modem
    """With the SIM's new state."""


UNLOCK_PIN = _wire.Method("org.modemd.Modem.UnlockPIN", UnlockPINReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SlotsReply(_wire.Record):
    """A reply of `Slots`."""

    slots: tuple[Slot, ...]
    """In the order of their numbers."""

    switchable: bool
    """Whether SwitchSlot can change to another one."""


SLOTS = _wire.Method("org.modemd.Modem.Slots", SlotsReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SwitchSlotReply(_wire.Record):
    """A reply of `SwitchSlot`."""

    modem: Modem
    """With the SIM's new state: at first, most modems are still reading it."""


SWITCH_SLOT = _wire.Method("org.modemd.Modem.SwitchSlot", SwitchSlotReply)


class NoModem(_wire.ServiceError):
    """There is no modem."""

    NAME = "org.modemd.Modem.NoModem"

    @property
    def hint(self) -> str | None:
        """One sentence that explains where to look."""
        return self.field("hint", str)


class MoreThanOneModem(_wire.ServiceError):
    """No modem was named and there are several."""

    NAME = "org.modemd.Modem.MoreThanOneModem"

    @property
    def modems(self) -> tuple[str, ...] | None:
        """Their ids."""
        return self.texts("modems")


class NoSuchModem(_wire.ServiceError):
    """No modem has this id, device or interface."""

    NAME = "org.modemd.Modem.NoSuchModem"

    @property
    def modem(self) -> str | None:
        """The name that was given."""
        return self.field("modem", str)


class PortUnavailable(_wire.ServiceError):
    """The port of this modem does not run at present."""

    NAME = "org.modemd.Modem.PortUnavailable"

    @property
    def modem(self) -> str | None:
        """Id of the modem, if it is known."""
        return self.field("modem", str)

    @property
    def cause(self) -> str | None:
        """Why, in one sentence."""
        return self.field("cause", str)


class WrongPIN(_wire.ServiceError):
    """The SIM refused the PIN."""

    NAME = "org.modemd.Modem.WrongPIN"

    @property
    def retries_left(self) -> int | None:
        """Attempts left; null if the modem does not count them."""
        return self.field("retriesLeft", int)


class LastAttempt(_wire.ServiceError):
    """One more wrong PIN would block the SIM, and the call does not allow that. Nothing was
    entered.
    """

    NAME = "org.modemd.Modem.LastAttempt"

    @property
    def retries_left(self) -> int | None:
        """Attempts left: 1; null if the modem does not count them, and this one may be the last."""
        return self.field("retriesLeft", int)

    @property
    def text(self) -> str | None:
        """What to do, in one sentence."""
        return self.field("text", str)


class PINNotRequired(_wire.ServiceError):
    """The SIM does not wait for a PIN."""

    NAME = "org.modemd.Modem.PINNotRequired"

    @property
    def state(self) -> str | None:
        """What it is instead."""
        return self.field("state", str)


class InUse(_wire.ServiceError):
    """The bearer uses the SIM."""

    NAME = "org.modemd.Modem.InUse"

    @property
    def text(self) -> str | None:
        """What to do first, in one sentence."""
        return self.field("text", str)


class NoSuchSlot(_wire.ServiceError):
    """The modem has no slot of this number."""

    NAME = "org.modemd.Modem.NoSuchSlot"

    @property
    def text(self) -> str | None:
        """How many there are, in one sentence."""
        return self.field("text", str)


class SlotsNotSupported(_wire.ServiceError):
    """The modem does not report its slots, or cannot change to another one."""

    NAME = "org.modemd.Modem.SlotsNotSupported"

    @property
    def text(self) -> str | None:
        """Which of the two, in one sentence."""
        return self.field("text", str)


class ModemFailed(_wire.ServiceError):
    """The modem failed."""

    NAME = "org.modemd.Modem.ModemFailed"

    @property
    def operation(self) -> str | None:
        """The kind of failure."""
        return self.field("operation", str)

    @property
    def cause(self) -> str | None:
        """The request to the modem, and its answer."""
        return self.field("cause", str)
