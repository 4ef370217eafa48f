"""Client of modemd: proves which phone number a machine's SIM has.

    from modemd import Connection

    with Connection() as modemd:
        result = modemd.verify.number("+447700900123", on_step=lambda step: print(step.name))
        print(result.outcome.result, result.outcome.text)

Each interface of modemd is a module with its types and errors (`modemd.verify`, `modemd.modem`, …),
and an attribute of the connection with its methods.
"""

from ._async.stream import AsyncStream
from ._connection import AsyncConnection, Connection
from ._errors import (
    BadReply,
    CallTimeout,
    Disconnected,
    ExpectedMore,
    InterfaceNotFound,
    InvalidParameter,
    MethodNotFound,
    MethodNotImplemented,
    ModemdError,
    OutcomeError,
    PermissionDenied,
    QuestionUnanswered,
    ServiceError,
)
from ._sync.stream import Stream
from ._words import Word

__all__ = [
    "AsyncConnection",
    "AsyncStream",
    "BadReply",
    "CallTimeout",
    "Connection",
    "Disconnected",
    "ExpectedMore",
    "InterfaceNotFound",
    "InvalidParameter",
    "MethodNotFound",
    "MethodNotImplemented",
    "ModemdError",
    "OutcomeError",
    "PermissionDenied",
    "QuestionUnanswered",
    "ServiceError",
    "Stream",
    "Word",
]
