"""The methods of org.modemd.NumberVerification."""
# Written by varlink-generate from org.modemd.NumberVerification.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable

from .. import number_verification as _types
from .caller import Caller
from .stream import Stream


class NumberVerificationMethods:
    """CAMARA's Number Verification: the operator recognises the SIM by its bearer. Errors about
    modems are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check.
    InvalidArgument, NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The types
    Step, Hop and Outcome are the same in every interface of a provider. Later versions may add
    fields, and new words to the enums of replies and errors. Replies and errors always have all
    their fields; a field without a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def verify(
        self,
        number: str,
        *,
        hashed: bool | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.VerifyReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.VerifyResult:
        """Asks whether a number is that of the SIM. The replies are a stream like that of
        Verify.Number.

        Parameters:
          number: In international form, as in +447700900123.
          hashed: Whether to send the number's SHA-256 instead of the number; null for the
            configured value.
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
            {
                "number": number,
                "hashed": hashed,
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
        number: str,
        *,
        hashed: bool | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.VerifyReply]:
        """The replies of `verify`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          hashed: Whether to send the number's SHA-256 instead of the number; null for the
            configured value.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.VERIFY,
            {
                "number": number,
                "hashed": hashed,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def device_phone_number(
        self,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.DevicePhoneNumberReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.DevicePhoneNumberResult:
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
            _types.DEVICE_PHONE_NUMBER_FLOW,
            {"provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def device_phone_number_replies(
        self,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.DevicePhoneNumberReply]:
        """The replies of `device_phone_number`, one by one.

        Parameters:
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.DEVICE_PHONE_NUMBER,
            {"provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )
