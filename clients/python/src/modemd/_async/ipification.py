"""The methods of org.modemd.IPification."""
# Written by varlink-generate from org.modemd.IPification.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import ipification as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncIPificationMethods:
    """IPification: whether the operator of the SIM is served, an authorization over the bearer, and
    its result. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are
    those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check, and those about
    arguments and providers (InvalidArgument, NoProvider, MoreThanOneProvider) are those of
    org.modemd.Verify. The types Step, Hop and Outcome are the same in every interface of a
    provider. Later versions may add fields, and new words to the enums of replies and errors.
    Replies and errors always have all their fields; a field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def coverage(
        self,
        *,
        number: str | None = None,
        address: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.CoverageReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.CoverageResult:
        """Asks whether the provider serves the operator of the bearer's address. The replies are a
        stream like that of Verify.Number.

        Parameters:
          number: In international form: also asks whether the number is that operator's. Null
            only asks for the address.
          address: An IPv4 or IPv6 address to ask about instead of the bearer's, over the
            machine's own network.
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
            _types.COVERAGE_FLOW,
            {
                "number": number,
                "address": address,
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
        number: str | None = None,
        address: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.CoverageReply]:
        """The replies of `coverage`, one by one.

        Parameters:
          number: In international form: also asks whether the number is that operator's. Null
            only asks for the address.
          address: An IPv4 or IPv6 address to ask about instead of the bearer's, over the
            machine's own network.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.COVERAGE,
            {
                "number": number,
                "address": address,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def authorize(
        self,
        *,
        number: str | None = None,
        scope: Sequence[str] | None = None,
        state: str | None = None,
        nonce: str | None = None,
        locales: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        request_object: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.AuthorizeReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.AuthorizeResult:
        """Gets an authorization code over the bearer, for the application's own backend. The
        replies are a stream like that of Verify.Number.

        Parameters:
          number: In international form; required for the scopes openid alone, ip:phone_verify
            and ip:profile.
          scope: Null for the configured ones.
          state: Compared with the answer's; null for a random one.
          locales: Language tags; null for the configured ones.
          channels: ip, wa, viber, telegram; null for the configured ones.
          request_object: A signed request (JWT) that is passed on unchanged. Scope, consent and
            number are then omitted from the URL.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.run(
            _types.AUTHORIZE_FLOW,
            {
                "number": number,
                "scope": scope,
                "state": state,
                "nonce": nonce,
                "locales": locales,
                "channels": channels,
                "requestObject": request_object,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def authorize_replies(
        self,
        *,
        number: str | None = None,
        scope: Sequence[str] | None = None,
        state: str | None = None,
        nonce: str | None = None,
        locales: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        request_object: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.AuthorizeReply]:
        """The replies of `authorize`, one by one.

        Parameters:
          number: In international form; required for the scopes openid alone, ip:phone_verify
            and ip:profile.
          scope: Null for the configured ones.
          state: Compared with the answer's; null for a random one.
          locales: Language tags; null for the configured ones.
          channels: ip, wa, viber, telegram; null for the configured ones.
          request_object: A signed request (JWT) that is passed on unchanged. Scope, consent and
            number are then omitted from the URL.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.AUTHORIZE,
            {
                "number": number,
                "scope": scope,
                "state": state,
                "nonce": nonce,
                "locales": locales,
                "channels": channels,
                "requestObject": request_object,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def verify(
        self,
        *,
        number: str | None = None,
        scope: Sequence[str] | None = None,
        state: str | None = None,
        nonce: str | None = None,
        locales: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        request_object: str | None = None,
        earlier_mobile_id: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.VerifyReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.VerifyResult:
        """Asks whether a number is the SIM's: coverage, authorization, and its exchange by this
        machine or by the application's backend, as configured. The replies are a stream like
        that of Verify.Number.

        Parameters:
          number: In international form; required as for Authorize.
          scope: Null for the configured ones.
          earlier_mobile_id: The mobileID of an earlier answer: a different one now counts as a
            changed SIM.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return await self._caller.run(
            _types.VERIFY_FLOW,
            {
                "number": number,
                "scope": scope,
                "state": state,
                "nonce": nonce,
                "locales": locales,
                "channels": channels,
                "requestObject": request_object,
                "earlierMobileID": earlier_mobile_id,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def verify_replies(
        self,
        *,
        number: str | None = None,
        scope: Sequence[str] | None = None,
        state: str | None = None,
        nonce: str | None = None,
        locales: Sequence[str] | None = None,
        channels: Sequence[str] | None = None,
        request_object: str | None = None,
        earlier_mobile_id: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.VerifyReply]:
        """The replies of `verify`, one by one.

        Parameters:
          number: In international form; required as for Authorize.
          scope: Null for the configured ones.
          earlier_mobile_id: The mobileID of an earlier answer: a different one now counts as a
            changed SIM.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.VERIFY,
            {
                "number": number,
                "scope": scope,
                "state": state,
                "nonce": nonce,
                "locales": locales,
                "channels": channels,
                "requestObject": request_object,
                "earlierMobileID": earlier_mobile_id,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )
