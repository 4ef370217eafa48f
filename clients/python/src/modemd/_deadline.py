"""Time limits of calls."""

from __future__ import annotations

import time

from ._errors import CallTimeout


class Deadline:
    """The moment at which a call ends; without a limit it never comes."""

    def __init__(self, seconds: float | None) -> None:
        if seconds is not None and not seconds > 0:
            raise ValueError("timeout is the number of seconds for the call, more than 0; or None")
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Seconds until then; None without a limit.

        Raises:
          CallTimeout: it has passed.
        """
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise self.passed()
        return left

    def passed(self) -> CallTimeout:
        """The error of a call that reached its limit."""
        return CallTimeout(f"the call did not end within {self._seconds} s")
