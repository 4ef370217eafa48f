"""The service itself. Later versions may add fields, and new words to the enums of replies and
errors. Replies and errors always have all their fields; a field without a value is null.
"""
# Written by varlink-generate from org.modemd.Service.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from dataclasses import dataclass

from . import _wire

__all__ = ["ReloadFailed", "ReloadReply"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReloadReply(_wire.Record):
    """A reply of `Reload`."""

    summary: str


RELOAD = _wire.Method("org.modemd.Service.Reload", ReloadReply)


class ReloadFailed(_wire.ServiceError):
    """A file cannot be used, and nothing has changed."""

    NAME = "org.modemd.Service.ReloadFailed"

    @property
    def message(self) -> str | None:
        """Which file, what is wrong with it, and what was expected."""
        return self.field("message", str)
