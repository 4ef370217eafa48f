"""The methods of org.modemd.SIMSwap."""
# Written by varlink-generate from org.modemd.SIMSwap.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable

from .. import sim_swap as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncSIMSwapMethods:
    """Whether and when a number moved to another SIM, from CAMARA's SIM Swap or another provider
    that checks it. Errors about modems are those of org.modemd.Modem, and TooManyFlows is that
    of org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider are those of
    org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
    provider. Later versions may add fields, and new words to the enums of replies and errors.
    Replies and errors always have all their fields; a field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def check(
        self,
        *,
        number: str | None = None,
        maximum_age_hours: int | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.CheckReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.CheckResult:
        """Asks whether a number recently moved to another SIM. The replies are a stream like that
        of Verify.Number.

        Parameters:
          number: In international form; null for the SIM in this machine, which the operator
            recognises by the bearer.
          maximum_age_hours: How many hours back a change counts, 1 to 2400; null for 240.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.run(
            _types.CHECK_FLOW,
            {
                "number": number,
                "maximumAgeHours": maximum_age_hours,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def check_replies(
        self,
        *,
        number: str | None = None,
        maximum_age_hours: int | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.CheckReply]:
        """The replies of `check`, one by one.

        Parameters:
          number: In international form; null for the SIM in this machine, which the operator
            recognises by the bearer.
          maximum_age_hours: How many hours back a change counts, 1 to 2400; null for 240.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.CHECK,
            {
                "number": number,
                "maximumAgeHours": maximum_age_hours,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def retrieve_date(
        self,
        *,
        number: str | None = None,
        maximum_age_hours: int | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.RetrieveDateReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.RetrieveDateResult:
        """Asks CAMARA's SIM Swap when a number moved to another SIM. The outcome states whether
        that was within the hours. The replies are a stream like that of Verify.Number.

        Parameters:
          number: In international form; null for the SIM in this machine, which the operator
            recognises by the bearer.
          maximum_age_hours: As with Check.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.run(
            _types.RETRIEVE_DATE_FLOW,
            {
                "number": number,
                "maximumAgeHours": maximum_age_hours,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def retrieve_date_replies(
        self,
        *,
        number: str | None = None,
        maximum_age_hours: int | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.RetrieveDateReply]:
        """The replies of `retrieve_date`, one by one.

        Parameters:
          number: In international form; null for the SIM in this machine, which the operator
            recognises by the bearer.
          maximum_age_hours: As with Check.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.RETRIEVE_DATE,
            {
                "number": number,
                "maximumAgeHours": maximum_age_hours,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )
