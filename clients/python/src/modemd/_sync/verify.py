"""The methods of org.modemd.Verify."""
# Written by varlink-generate from org.modemd.Verify.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import verify as _types
from .caller import Caller
from .stream import Stream


class VerifyMethods:
    """Asks whether a number is that of the SIM, from any provider that is configured and serves the
    SIM. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable) are those
    of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check. The types Step, Hop and
    Outcome are the same in every interface of a provider. Later versions may add fields, and new
    words to the enums of replies and errors. Replies and errors always have all their fields; a
    field without a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def number(
        self,
        number: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        route: _types.NumberParametersRoute | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.NumberReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.NumberResult:
        """Asks whether a number is that of the SIM. A stream: `ready`, then a `step` for each
        action with a `hop` for each request over the bearer, then the `outcome`. Without `more`,
        only the outcome.

        Parameters:
          number: In international form, as in +447700900123.
          provider: Name of the provider; null for all configured ones that serve the SIM's
            network, in order, until one gives an answer.
          modem: Id, device or interface of the modem; null for the only one.
          route: Which providers are asked: those that recognise the SIM by its bearer, those
            that the SIM answers over any network, or both; null for the configured value, which
            is `any` by default.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.NUMBER_FLOW,
            {
                "number": number,
                "provider": provider,
                "modem": modem,
                "route": route,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def number_replies(
        self,
        number: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        route: _types.NumberParametersRoute | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.NumberReply]:
        """The replies of `number`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          provider: Name of the provider; null for all configured ones that serve the SIM's
            network, in order, until one gives an answer.
          modem: Id, device or interface of the modem; null for the only one.
          route: Which providers are asked: those that recognise the SIM by its bearer, those
            that the SIM answers over any network, or both; null for the configured value, which
            is `any` by default.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.NUMBER,
            {
                "number": number,
                "provider": provider,
                "modem": modem,
                "route": route,
                "traceparent": traceparent,
            },
            timeout,
        )

    def providers(
        self,
        *,
        timeout: float | None = None,
    ) -> _types.ProvidersReply:
        """Lists the configured providers, and the files that cannot be used.

        Parameters:
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.PROVIDERS,
            {},
            timeout,
        )

    def provider_kinds(
        self,
        *,
        timeout: float | None = None,
    ) -> _types.ProviderKindsReply:
        """Lists the kinds of providers, with the keys of their files.

        Parameters:
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.PROVIDER_KINDS,
            {},
            timeout,
        )

    def test_provider_file(
        self,
        name: str,
        text: str,
        credentials: Sequence[_types.Credential],
        *,
        timeout: float | None = None,
    ) -> _types.TestProviderFileReply:
        """Reads the text of a provider's file as the service would, without using it.

        Parameters:
          name: The provider's name: the file's name without .json.
          credentials: Credentials that the service does not have yet.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.TEST_PROVIDER_FILE,
            {"name": name, "text": text, "credentials": credentials},
            timeout,
        )

    def check_provider(
        self,
        provider: str,
        *,
        modem: str | None = None,
        timeout: float | None = None,
    ) -> _types.CheckProviderReply:
        """Checks a configured provider with requests that cost nothing: whether its service accepts
        the credentials, and whether it serves the SIM's operator. The second may bring the
        bearer up.

        Parameters:
          provider: Name of the provider.
          modem: Id, device or interface of the modem; null for the only one, or for none if
            there are several.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.CHECK_PROVIDER,
            {"provider": provider, "modem": modem},
            timeout,
        )
