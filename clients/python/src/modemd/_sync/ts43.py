"""The methods of org.modemd.TS43."""
# Written by varlink-generate from org.modemd.TS43.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable

from .. import ts43 as _types
from .caller import Caller
from .stream import Stream


class TS43Methods:
    """GSMA TS.43: the SIM answers a challenge of its operator over any network, and the operator's
    entitlement server tells its number. Errors about modems are those of org.modemd.Modem, and
    TooManyFlows is that of org.modemd.Check. InvalidArgument, NoProvider and MoreThanOneProvider
    are those of org.modemd.Verify. The types Step, Hop and Outcome are the same in every
    interface of a provider. Later versions may add fields, and new words to the enums of replies
    and errors. Replies and errors always have all their fields; a field without a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def verify(
        self,
        number: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.VerifyReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.VerifyResult:
        """Asks whether a number is that of the SIM. The server is told the number and answers yes
        or no; this machine does not learn the SIM's number. The replies are a stream like that
        of Verify.Number.

        Parameters:
          number: In international form, as in +447700900123.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.VERIFY_FLOW,
            {"number": number, "provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def verify_replies(
        self,
        number: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.VerifyReply]:
        """The replies of `verify`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.VERIFY,
            {"number": number, "provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )

    def phone_number(
        self,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.PhoneNumberReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.PhoneNumberResult:
        """Asks for the SIM's number. The replies are a stream like that of Verify.Number.

        Parameters:
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.PHONE_NUMBER_FLOW,
            {"provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def phone_number_replies(
        self,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.PhoneNumberReply]:
        """The replies of `phone_number`, one by one.

        Parameters:
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.PHONE_NUMBER,
            {"provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )

    def subscriber_info(
        self,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.SubscriberInfoReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.SubscriberInfoResult:
        """Asks what the operator has about the SIM's subscription. The replies are a stream like
        that of Verify.Number.

        Parameters:
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.SUBSCRIBER_INFO_FLOW,
            {"provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def subscriber_info_replies(
        self,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.SubscriberInfoReply]:
        """The replies of `subscriber_info`, one by one.

        Parameters:
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.SUBSCRIBER_INFO,
            {"provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )

    def temporary_token(
        self,
        operation: _types.TemporaryTokenParametersOperation,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.TemporaryTokenReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.TemporaryTokenResult:
        """Gets a token for one operation, which the caller's own server then asks of the operator.
        Whoever has it may ask in the SIM's name, once, within minutes. modemd does not keep it.
        It needs its own entry in the access table; without one, only root may call. The replies
        are a stream like that of Verify.Number.

        Parameters:
          operation: What the token is for.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.TEMPORARY_TOKEN_FLOW,
            {
                "operation": operation,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def temporary_token_replies(
        self,
        operation: _types.TemporaryTokenParametersOperation,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.TemporaryTokenReply]:
        """The replies of `temporary_token`, one by one.

        Parameters:
          operation: What the token is for.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.TEMPORARY_TOKEN,
            {
                "operation": operation,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )
