"""The methods of org.modemd.TruID."""
# Written by varlink-generate from org.modemd.TruID.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable

from .. import truid as _types
from .caller import Caller
from .stream import Stream


class TruIDMethods:
    """tru.ID: PhoneCheck, SubscriberCheck, SIMCheck, coverage and traces, through an application's
    backend or the API, as configured. Errors about modems (NoModem, MoreThanOneModem,
    NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of
    org.modemd.Check, and InvalidArgument, NoProvider and MoreThanOneProvider are those of
    org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
    provider.

    Every method is a stream: `ready`, then a `step` for each action with a `hop` for each
    request over the bearer, then the `outcome`. Without `more`, only the outcome. Later versions
    may add fields, and new words to the enums of replies and errors. Replies and errors always
    have all their fields; a field without a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def phone_check(
        self,
        number: str,
        *,
        version: str | None = None,
        way: _types.Way | None = None,
        reference: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.PhoneCheckReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.PhoneCheckResult:
        """Whether a number is that of the SIM.

        Parameters:
          number: In international form, as in +447700900123.
          version: v0.1 or v0.2; null for the configured one.
          way: Null for the configured one.
          reference: The caller's own id of the check, 1 to 64 printable characters without
            blanks; it must not contain personal data.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.PHONE_CHECK_FLOW,
            {
                "number": number,
                "version": version,
                "way": way,
                "reference": reference,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def phone_check_replies(
        self,
        number: str,
        *,
        version: str | None = None,
        way: _types.Way | None = None,
        reference: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.PhoneCheckReply]:
        """The replies of `phone_check`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          version: v0.1 or v0.2; null for the configured one.
          way: Null for the configured one.
          reference: The caller's own id of the check, 1 to 64 printable characters without
            blanks; it must not contain personal data.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.PHONE_CHECK,
            {
                "number": number,
                "version": version,
                "way": way,
                "reference": reference,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def subscriber_check(
        self,
        number: str,
        *,
        period_minutes: int | None = None,
        version: str | None = None,
        way: _types.Way | None = None,
        reference: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.SubscriberCheckReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.SubscriberCheckResult:
        """Whether a number is that of the SIM, and whether it recently moved to another SIM.

        Parameters:
          number: In international form, as in +447700900123.
          period_minutes: How many minutes back a change of the SIM counts, 60 to 540000; null
            for tru.ID's seven days. A backend decides by itself.
          version: v0.1 or v0.2; null for the configured one.
          way: Null for the configured one.
          reference: The caller's own id of the check, 1 to 64 printable characters without
            blanks; it must not contain personal data.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.SUBSCRIBER_CHECK_FLOW,
            {
                "number": number,
                "periodMinutes": period_minutes,
                "version": version,
                "way": way,
                "reference": reference,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def subscriber_check_replies(
        self,
        number: str,
        *,
        period_minutes: int | None = None,
        version: str | None = None,
        way: _types.Way | None = None,
        reference: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.SubscriberCheckReply]:
        """The replies of `subscriber_check`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          period_minutes: How many minutes back a change of the SIM counts, 60 to 540000; null
            for tru.ID's seven days. A backend decides by itself.
          version: v0.1 or v0.2; null for the configured one.
          way: Null for the configured one.
          reference: The caller's own id of the check, 1 to 64 printable characters without
            blanks; it must not contain personal data.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.SUBSCRIBER_CHECK,
            {
                "number": number,
                "periodMinutes": period_minutes,
                "version": version,
                "way": way,
                "reference": reference,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def sim_check(
        self,
        number: str,
        *,
        period_minutes: int | None = None,
        way: _types.Way | None = None,
        reference: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.SIMCheckReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.SIMCheckResult:
        """Whether a number recently moved to another SIM. Nothing goes over the bearer, and the
        number may be anybody's.

        Parameters:
          number: In international form, as in +447700900123.
          period_minutes: How many minutes back a change of the SIM counts, 60 to 540000; null
            for tru.ID's seven days. A backend decides by itself.
          way: Null for the configured one.
          reference: The caller's own id of the check, 1 to 64 printable characters without
            blanks; it must not contain personal data.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.SIM_CHECK_FLOW,
            {
                "number": number,
                "periodMinutes": period_minutes,
                "way": way,
                "reference": reference,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def sim_check_replies(
        self,
        number: str,
        *,
        period_minutes: int | None = None,
        way: _types.Way | None = None,
        reference: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.SIMCheckReply]:
        """The replies of `sim_check`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          period_minutes: How many minutes back a change of the SIM counts, 60 to 540000; null
            for tru.ID's seven days. A backend decides by itself.
          way: Null for the configured one.
          reference: The caller's own id of the check, 1 to 64 printable characters without
            blanks; it must not contain personal data.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.SIM_CHECK,
            {
                "number": number,
                "periodMinutes": period_minutes,
                "way": way,
                "reference": reference,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def coverage(
        self,
        *,
        address: str | None = None,
        country: str | None = None,
        product: _types.CoverageParametersProduct | None = None,
        way: _types.Way | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.CoverageReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.CoverageResult:
        """Whether tru.ID serves the operator of the bearer's address, of a given address, or
        operators in a country.

        Parameters:
          address: An IPv4 or IPv6 address; null for the bearer's own, which is determined over
            the bearer.
          country: Two letters or a dialling code, as in GB and 44; not together with `address`.
          product: The product that must be served; null for any. Only for the bearer's own
            address.
          way: Null for the configured one.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.COVERAGE_FLOW,
            {
                "address": address,
                "country": country,
                "product": product,
                "way": way,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def coverage_replies(
        self,
        *,
        address: str | None = None,
        country: str | None = None,
        product: _types.CoverageParametersProduct | None = None,
        way: _types.Way | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.CoverageReply]:
        """The replies of `coverage`, one by one.

        Parameters:
          address: An IPv4 or IPv6 address; null for the bearer's own, which is determined over
            the bearer.
          country: Two letters or a dialling code, as in GB and 44; not together with `address`.
          product: The product that must be served; null for any. Only for the bearer's own
            address.
          way: Null for the configured one.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.COVERAGE,
            {
                "address": address,
                "country": country,
                "product": product,
                "way": way,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def traces(
        self,
        check: str,
        kind: _types.TracesParametersKind,
        *,
        version: str | None = None,
        trace: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.TracesReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.TracesResult:
        """What tru.ID recorded while it handled a check, for seven days. It requires credentials of
        the API.

        Parameters:
          check: tru.ID's id of the check.
          kind: What the check was.
          version: v0.1 or v0.2; null for the configured one.
          trace: Id of one trace; null for all.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.TRACES_FLOW,
            {
                "check": check,
                "kind": kind,
                "version": version,
                "trace": trace,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def traces_replies(
        self,
        check: str,
        kind: _types.TracesParametersKind,
        *,
        version: str | None = None,
        trace: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.TracesReply]:
        """The replies of `traces`, one by one.

        Parameters:
          check: tru.ID's id of the check.
          kind: What the check was.
          version: v0.1 or v0.2; null for the configured one.
          trace: Id of one trace; null for all.
          provider: Name of the provider in the configuration; null for the only one that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.TRACES,
            {
                "check": check,
                "kind": kind,
                "version": version,
                "trace": trace,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )
