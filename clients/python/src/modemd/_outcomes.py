"""How flows end: as values, which `unwrap` turns into an exception where somebody wants one."""

from __future__ import annotations

from typing import Any, TypeVar

from ._errors import OutcomeError
from ._records import Record

O = TypeVar("O", bound="OutcomeRecord")  # noqa: E741
F = TypeVar("F", bound="FlowResult")

# The results of flows that did what they were for.
GOOD = frozenset(
    [
        "verified",
        "simUnchanged",
        "covered",
        "authorized",
        "numberRead",
        "signedIn",
        "signed",
        "registered",
        "answered",
        "answer",
        "redirectReached",
    ]
)


class OutcomeRecord(Record):
    """The outcome of a flow or a chain."""

    __slots__ = ()

    @property
    def succeeded(self) -> bool:
        """Whether the flow did what it is for. A word that is unknown to this client did not."""
        return str(getattr(self, "result")) in GOOD

    def unwrap(self: O) -> O:
        """This outcome, if it succeeded.

        Raises:
          OutcomeError: it did not.
        """
        if not self.succeeded:
            raise OutcomeError(self)
        return self


class FlowResult(Record):
    """The last reply of a flow."""

    __slots__ = ()

    def unwrap(self: F) -> F:
        """This result, if its outcome succeeded.

        Raises:
          OutcomeError: it did not.
        """
        outcome: Any = getattr(self, "outcome")
        outcome.unwrap()
        return self
