"""The methods of org.modemd.MobileConnect."""
# Written by varlink-generate from org.modemd.MobileConnect.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import mobile_connect as _types
from .caller import AsyncCaller
from .stream import AsyncStream


class AsyncMobileConnectMethods:
    """Mobile Connect: the SIM's operator, and that operator's statements about who its user is.
    Authorizations go over the bearer, without a browser. Errors about modems (NoModem,
    MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and
    TooManyFlows is that of org.modemd.Check, and those about arguments and providers
    (InvalidArgument, NoProvider, MoreThanOneProvider) are those of org.modemd.Verify. Every
    method is a stream: `ready`, then a `step` for each action with a `hop` for each request over
    the bearer, then the `outcome`. Without `more`, only the outcome. The types Step, Hop and
    Outcome are the same in every interface of a provider. Later versions may add fields, and new
    words to the enums of replies and errors. Replies and errors always have all their fields; a
    field without a value is null.
    """

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    async def discover(
        self,
        *,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.DiscoverReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.DiscoverResult:
        """Finds the SIM's operator with its endpoints and metadata. With `interactionRequired`, a
        person selects it on the page, and the call is repeated with the URL to which the browser
        returns.

        Parameters:
          whose: Null for the SIM.
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
            _types.DISCOVER_FLOW,
            {"whose": whose, "provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def discover_replies(
        self,
        *,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.DiscoverReply]:
        """The replies of `discover`, one by one.

        Parameters:
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.DISCOVER,
            {"whose": whose, "provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )

    async def authorize(
        self,
        *,
        request: _types.Request | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.AuthorizeReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.AuthorizeResult:
        """Gets an authorization code over the bearer, for the application's own backend.

        Parameters:
          request: Null for what is configured.
          whose: Null for the SIM.
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
            _types.AUTHORIZE_FLOW,
            {
                "request": request,
                "whose": whose,
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
        request: _types.Request | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.AuthorizeReply]:
        """The replies of `authorize`, one by one.

        Parameters:
          request: Null for what is configured.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.AUTHORIZE,
            {
                "request": request,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def login(
        self,
        *,
        request: _types.Request | None = None,
        information: _types.LoginParametersInformation | None = None,
        app_server: bool | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.LoginReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.LoginResult:
        """Signs in the SIM's user. If the provider has an app's server, the device's address,
        network and number are sent to it, and the redirects that it returns are followed over
        the bearer to their end. The server then has the tokens. Otherwise, this machine does it
        all: discovery, authorization, tokens, and the validation of the ID token.

        Parameters:
          request: Null for the configured one. An app's server makes its own.
          information: Also requests this from the operator with the token.
          app_server: False to use this machine alone, even if there is an app's server; null
            for the app's server if there is one.
          whose: Null for the SIM.
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
            _types.LOGIN_FLOW,
            {
                "request": request,
                "information": information,
                "appServer": app_server,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def login_replies(
        self,
        *,
        request: _types.Request | None = None,
        information: _types.LoginParametersInformation | None = None,
        app_server: bool | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.LoginReply]:
        """The replies of `login`, one by one.

        Parameters:
          request: Null for the configured one. An app's server makes its own.
          information: Also requests this from the operator with the token.
          app_server: False to use this machine alone, even if there is an app's server; null
            for the app's server if there is one.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.LOGIN,
            {
                "request": request,
                "information": information,
                "appServer": app_server,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def exchange(
        self,
        code: str,
        nonce: str,
        *,
        request: _types.Request | None = None,
        information: _types.ExchangeParametersInformation | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.ExchangeReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.ExchangeResult:
        """Exchanges a code that Authorize gave earlier, or that the application got itself with the
        configured client and redirect URI, and validates the ID token. Nothing goes over the
        bearer.

        Parameters:
          nonce: The nonce of the code's authorization, which the ID token must repeat.
          request: The request of the code's authorization; null for what is configured.
          information: Also requests this from the operator with the token.
          whose: Null for the SIM.
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
            _types.EXCHANGE_FLOW,
            {
                "code": code,
                "nonce": nonce,
                "request": request,
                "information": information,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def exchange_replies(
        self,
        code: str,
        nonce: str,
        *,
        request: _types.Request | None = None,
        information: _types.ExchangeParametersInformation | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.ExchangeReply]:
        """The replies of `exchange`, one by one.

        Parameters:
          nonce: The nonce of the code's authorization, which the ID token must repeat.
          request: The request of the code's authorization; null for what is configured.
          information: Also requests this from the operator with the token.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.EXCHANGE,
            {
                "code": code,
                "nonce": nonce,
                "request": request,
                "information": information,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def validate(
        self,
        number: str,
        *,
        form: _types.ValidateParametersForm | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.ValidateReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.ValidateResult:
        """Asks the operator whether a number is the SIM's (Mobile Number Validation).

        Parameters:
          number: In international form.
          form: mc_mnv_validate, or mc_mnv_validate_plus; null for the configured one.
          whose: Null for the SIM.
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
            _types.VALIDATE_FLOW,
            {
                "number": number,
                "form": form,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def validate_replies(
        self,
        number: str,
        *,
        form: _types.ValidateParametersForm | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.ValidateReply]:
        """The replies of `validate`, one by one.

        Parameters:
          number: In international form.
          form: mc_mnv_validate, or mc_mnv_validate_plus; null for the configured one.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.VALIDATE,
            {
                "number": number,
                "form": form,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def ask_at_handset(
        self,
        *,
        request: _types.Request | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.AskAtHandsetReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.AskAtHandsetResult:
        """Makes the operator ask the user at the handset, without redirects, and waits for the
        answer: the server-initiated mode with polling. Nothing goes over the bearer.

        Parameters:
          request: With a hint; the SIM's own number if it has none.
          whose: Null for the SIM.
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
            _types.ASK_AT_HANDSET_FLOW,
            {
                "request": request,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def ask_at_handset_replies(
        self,
        *,
        request: _types.Request | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.AskAtHandsetReply]:
        """The replies of `ask_at_handset`, one by one.

        Parameters:
          request: With a hint; the SIM's own number if it has none.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.ASK_AT_HANDSET,
            {
                "request": request,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def refresh(
        self,
        refresh_token: str,
        *,
        scope: Sequence[str] | None = None,
        subject: str | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.RefreshReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.RefreshResult:
        """Exchanges a refresh token for new tokens.

        Parameters:
          scope: Null for the token's scope.
          subject: The required subject of a new ID token; null accepts any.
          whose: Null for the SIM.
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
            _types.REFRESH_FLOW,
            {
                "refreshToken": refresh_token,
                "scope": scope,
                "subject": subject,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def refresh_replies(
        self,
        refresh_token: str,
        *,
        scope: Sequence[str] | None = None,
        subject: str | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.RefreshReply]:
        """The replies of `refresh`, one by one.

        Parameters:
          scope: Null for the token's scope.
          subject: The required subject of a new ID token; null accepts any.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.REFRESH,
            {
                "refreshToken": refresh_token,
                "scope": scope,
                "subject": subject,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def revoke(
        self,
        token: str,
        kind: _types.RevokeParametersKind,
        *,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.RevokeReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.RevokeResult:
        """Takes a token back.

        Parameters:
          kind: The kind of the token.
          whose: Null for the SIM.
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
            _types.REVOKE_FLOW,
            {
                "token": token,
                "kind": kind,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def revoke_replies(
        self,
        token: str,
        kind: _types.RevokeParametersKind,
        *,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.RevokeReply]:
        """The replies of `revoke`, one by one.

        Parameters:
          kind: The kind of the token.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.REVOKE,
            {
                "token": token,
                "kind": kind,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def user_info(
        self,
        access_token: str,
        *,
        subject: str | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.UserInfoReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.UserInfoResult:
        """Asks the operator's userinfo for data about a token's subscriber.

        Parameters:
          subject: The required subject; null accepts any.
          whose: Null for the SIM.
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
            _types.USER_INFO_FLOW,
            {
                "accessToken": access_token,
                "subject": subject,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def user_info_replies(
        self,
        access_token: str,
        *,
        subject: str | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.UserInfoReply]:
        """The replies of `user_info`, one by one.

        Parameters:
          subject: The required subject; null accepts any.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.USER_INFO,
            {
                "accessToken": access_token,
                "subject": subject,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    async def identity(
        self,
        access_token: str,
        *,
        subject: str | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.IdentityReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.IdentityResult:
        """Asks the operator's identity services (premiuminfo).

        Parameters:
          subject: The required subject; null accepts any.
          whose: Null for the SIM.
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
            _types.IDENTITY_FLOW,
            {
                "accessToken": access_token,
                "subject": subject,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def identity_replies(
        self,
        access_token: str,
        *,
        subject: str | None = None,
        whose: _types.Whose | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> AsyncStream[_types.IdentityReply]:
        """The replies of `identity`, one by one.

        Parameters:
          subject: The required subject; null accepts any.
          whose: Null for the SIM.
          provider: Name of the provider; null for the only one that serves the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.IDENTITY,
            {
                "accessToken": access_token,
                "subject": subject,
                "whose": whose,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )
