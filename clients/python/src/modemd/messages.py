"""The SIM's short messages (SMS), and the one-time codes in them. Nothing is deleted without a
request. Access is configured separately from the other interfaces: access.messageGroups, by
default only root. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
enums of replies and errors. Replies and errors always have all their fields; a field without a
value is null.
"""
# Written by varlink-generate from org.modemd.Messages.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from . import _wire

__all__ = [
    "DeleteReply",
    "GetReply",
    "InvalidOption",
    "ListReply",
    "Message",
    "MessageSenderKind",
    "MessagesUnavailable",
    "NoCode",
    "NoSuchMessage",
    "StorageFull",
    "TooManyWaits",
    "WaitForCodeReply",
    "WatchReply",
    "WatchReplyEvent",
]


class MessageSenderKind(_wire.Word):
    """One of the values of `senderKind`."""

    INTERNATIONAL = _wire.Known("international")
    NUMBER = _wire.Known("number")
    ALPHANUMERIC = _wire.Known("alphanumeric")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Message(_wire.Record):
    """A message, its parts joined."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["id", "sender", "text", "base64"])

    id: str
    """Identifies it for as long as the modem keeps it, even over restarts."""

    modem: str
    """Id of the modem."""

    sender: str
    """A number, with + if it is international, or a name."""

    sender_kind: MessageSenderKind
    """What `sender` is."""

    text: str | None = None
    """Its text; null for data. For an incomplete message, the available parts."""

    base64: str | None = None
    """The bytes of a message for a program."""

    sent: str | None = None
    """RFC 3339: when the service centre received it; null if that is not given."""

    sent_zone_minutes: int | None = None
    """Time zone of the service centre, minutes east of UTC."""

    received: str | None = None
    """RFC 3339: when its last part arrived; null if it was there before modemd-port looked."""

    message_class: int | None = None
    """0 to 3 (3GPP TS 23.038, 4). A message of class 0 should be shown at once, and no modem stores
    it.
    """

    port: int | None = None
    """The application that it is for, unless it is for a person (3GPP TS 23.040, 9.2.3.24.4)."""

    parts: int
    """How many parts it has."""

    parts_present: int
    """How many of them have arrived."""

    stored: bool
    """Whether the modem keeps it. Otherwise, it stays in memory for a day, until modemd-port stops.
    """

    service_centre: str | None = None
    """The service centre that passed it on, if the modem reports it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ListReply(_wire.Record):
    """A reply of `List`."""

    messages: tuple[Message, ...]
    """Includes incomplete ones. Status reports and silent messages are left out."""

    storage_full: bool
    """The modem's store is full: no more messages arrive until some are deleted."""


LIST = _wire.Method("org.modemd.Messages.List", ListReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GetReply(_wire.Record):
    """A reply of `Get`."""

    message: Message
    """The message."""


GET = _wire.Method("org.modemd.Messages.Get", GetReply)


class WatchReplyEvent(_wire.Word):
    """One of the values of `event`."""

    READY = _wire.Known("ready")
    ARRIVED = _wire.Known("arrived")
    STORAGE_FULL = _wire.Known("storageFull")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WatchReply(_wire.Record):
    """A reply of `Watch`."""

    event: WatchReplyEvent
    """What this reply is."""

    message: Message | None = None
    """Set when `event` is arrived."""


WATCH = _wire.Method("org.modemd.Messages.Watch", WatchReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WaitForCodeReply(_wire.Record):
    """A reply of `WaitForCode`."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset(["code"])

    code: str
    """The code."""

    message: Message
    """The message that contains it."""


WAIT_FOR_CODE = _wire.Method("org.modemd.Messages.WaitForCode", WaitForCodeReply)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeleteReply(_wire.Record):
    """A reply of `Delete`."""


DELETE = _wire.Method("org.modemd.Messages.Delete", DeleteReply)


class NoSuchMessage(_wire.ServiceError):
    """No message has this id."""

    NAME = "org.modemd.Messages.NoSuchMessage"

    @property
    def id(self) -> str | None:
        """The id that was given."""
        return self.field("id", str)


class MessagesUnavailable(_wire.ServiceError):
    """The messages cannot be read at present."""

    NAME = "org.modemd.Messages.MessagesUnavailable"

    @property
    def text(self) -> str | None:
        """Why, in one sentence."""
        return self.field("text", str)


class StorageFull(_wire.ServiceError):
    """The modem's store is full, so no message can arrive."""

    NAME = "org.modemd.Messages.StorageFull"

    @property
    def text(self) -> str | None:
        """One sentence that explains what to do."""
        return self.field("text", str)


class NoCode(_wire.ServiceError):
    """No message with a code arrived in time."""

    NAME = "org.modemd.Messages.NoCode"

    @property
    def messages_seen(self) -> int | None:
        """How many messages came meanwhile."""
        return self.field("messagesSeen", int)

    @property
    def text(self) -> str | None:
        """One sentence that explains what to check."""
        return self.field("text", str)


class TooManyWaits(_wire.ServiceError):
    """Too many callers wait for codes."""

    NAME = "org.modemd.Messages.TooManyWaits"

    @property
    def limit(self) -> int | None:
        """How many may."""
        return self.field("limit", int)


class InvalidOption(_wire.ServiceError):
    """An option is out of range."""

    NAME = "org.modemd.Messages.InvalidOption"

    @property
    def option(self) -> str | None:
        """Its name."""
        return self.field("option", str)

    @property
    def expected(self) -> str | None:
        """What it may be."""
        return self.field("expected", str)
