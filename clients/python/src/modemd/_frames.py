"""Messages on the connection: JSON objects, each with a NUL byte at its end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from ._errors import BadReply, ServiceError
from ._records import to_json

# Of one message of modemd, in bytes.
LONGEST = 16 << 20


class ReplyFrame(NamedTuple):
    """A reply that is no error."""

    parameters: dict[str, Any]
    # Whether further replies to the same call follow.
    continues: bool


class Splitter:
    """Makes messages of the bytes that come."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        # How many of them are known to have no end of a message.
        self._searched = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self._bytes

    def append(self, data: bytes) -> None:
        """Takes what was read."""
        self._bytes += data

    def next(self) -> bytes | None:
        """The next message without its end; None if more bytes are needed.

        Raises:
          BadReply: the message is longer than any message of modemd.
        """
        end = self._bytes.find(b"\0", self._searched)
        if (end if end >= 0 else len(self._bytes)) > LONGEST:
            raise BadReply(f"modemd's answer is longer than {LONGEST} bytes")
        if end < 0:
            self._searched = len(self._bytes)
            return None
        frame = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self._searched = 0
        return frame


def call_frame(
    method: str, parameters: Mapping[str, Any], more: bool, upgrade: bool = False
) -> bytes:
    """A call as it goes out; parameters that are None are left out.

    Raises:
      ValueError: a parameter cannot be written as JSON.
    """
    given = {key: to_json(value) for key, value in parameters.items() if value is not None}
    call: dict[str, Any] = {"method": method, "parameters": given}
    if more:
        call["more"] = True
    if upgrade:
        call["upgrade"] = True
    try:
        text = json.dumps(call, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode() + b"\0"
    except (TypeError, ValueError, RecursionError):
        # The message of the exception would quote the value.
        raise ValueError(f"a parameter of {method} is nothing that JSON can hold") from None


def read_reply(frame: bytes) -> ReplyFrame:
    """Reads a message of modemd.

    Raises:
      ServiceError: it is an error.
      BadReply: it is no reply.
    """
    try:
        reply = json.loads(frame.decode(), parse_constant=refuse_constant)
        if b"\\u" in frame:
            # Half a character cannot be written again.
            json.dumps(reply, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise BadReply("modemd's answer is no JSON") from None
    if not isinstance(reply, dict):
        raise BadReply("modemd's answer is no object")
    parameters = reply.get("parameters", {})
    error = reply.get("error")
    if error is not None:
        if not isinstance(error, str):
            raise BadReply("modemd's answer has an error without a name")
        raise ServiceError.named(error, parameters if isinstance(parameters, dict) else {})
    continues = reply.get("continues")
    if not isinstance(parameters, dict) or not isinstance(continues, (bool, type(None))):
        raise BadReply("modemd's answer is no reply")
    return ReplyFrame(parameters, bool(continues))


def refuse_constant(_: str) -> NoReturn:
    """NaN and Infinity, which Python's reader takes, are no JSON."""
    raise ValueError("a number that is none")
