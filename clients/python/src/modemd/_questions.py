"""What becomes of an answer to a flow's question."""

from __future__ import annotations

import enum

from ._errors import ServiceError

# The last parts of the names of errors after which the flow still waits for an answer: it was
# wrong before, or is not of the form that is needed.
ASK_AGAIN = frozenset(["CodeRefused", "GivenBefore", "InvalidArgument"])


class Verdict(enum.Enum):
    """What an error of the method that gives an answer means."""

    AGAIN = enum.auto()
    # The flow no longer waits; its own replies say what became of it.
    LATE = enum.auto()
    FAILED = enum.auto()


def verdict(error: ServiceError) -> Verdict:
    """What the client does after this error."""
    word = error.name.rpartition(".")[2]
    if word in ASK_AGAIN:
        return Verdict.AGAIN
    return Verdict.LATE if word == "NoSuchFlow" else Verdict.FAILED
