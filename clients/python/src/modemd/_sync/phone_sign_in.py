"""The methods of org.modemd.PhoneSignIn."""
# Written by varlink-generate from org.modemd.PhoneSignIn.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import phone_sign_in as _types
from .. import _wire
from .caller import Caller
from .stream import Stream


class PhoneSignInMethods:
    """Signs users in at Firebase by their phone number, after checking that the number has not
    moved to another SIM: a changed SIM stops it before any message is sent. Access needs its own
    entry in the access table. Without one, only root may call, because the codes are read from
    the SIM's messages. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem,
    PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is that of org.modemd.Check,
    and InvalidArgument, NoProvider and MoreThanOneProvider are those of org.modemd.Verify. The
    types Step, Hop and Outcome are the same in every interface of a provider. Later versions may
    add fields, and new words to the enums of replies and errors. Replies and errors always have
    all their fields; a field without a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def sign_in(
        self,
        number: str,
        *,
        code_from: _types.SignInParametersCodeFrom | None = None,
        app_verification: Any | None = None,
        temporary_proof: str | None = None,
        verification_id: str | None = None,
        id_token: str | None = None,
        operation: _types.SignInParametersOperation | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_code: _wire.Asked[_types.SignInReply] | None = None,
        on_reply: Callable[[_types.SignInReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.SignInResult:
        """Asks whether the number moved to another SIM, requests a message with a code for it,
        reads the code, and exchanges it for tokens. A stream: `ready`, then a `step` for each
        action, with a `hop` for each request over the bearer, `codeWanted` when GiveCode must be
        called, then the `outcome`. Without `more`, only the outcome; nobody can be asked for a
        code then.

        Parameters:
          number: In international form, as in +447700900123.
          code_from: Where the code comes from; null for messages. No message is sent if it is
            known before that it would not come to the SIM of this modem, or that it cannot be
            read. If messages turn out to be unreadable after it was sent, the caller is asked.
          app_verification: Shows Firebase that the request comes from the project's own app. A
            front end of the app makes it: an object with recaptchaToken, with playIntegrityToken,
            with safetyNetToken, with iosReceipt and iosSecret, or with captchaResponse,
            clientType and recaptchaVersion. Null for test numbers of the project and for the auth
            emulator.
          temporary_proof: Instead of a code: the proof that an earlier call gave for this
            number.
          verification_id: Instead of another message: the verificationID that an earlier call
            gave for this number. Whether the number moved to another SIM is asked again.
          id_token: An account that is already signed in, by its ID token; null for none.
          operation: With `idToken`: what to do with that account.
          provider: Name of the provider; null for the only one of the kind firebase that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_code: called when the flow asks for it, and returns the code; None ends the call.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.SIGN_IN_FLOW,
            {
                "number": number,
                "codeFrom": code_from,
                "appVerification": app_verification,
                "temporaryProof": temporary_proof,
                "verificationID": verification_id,
                "idToken": id_token,
                "operation": operation,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {"code": on_code},
            on_reply,
            timeout,
        )

    def sign_in_replies(
        self,
        number: str,
        *,
        code_from: _types.SignInParametersCodeFrom | None = None,
        app_verification: Any | None = None,
        temporary_proof: str | None = None,
        verification_id: str | None = None,
        id_token: str | None = None,
        operation: _types.SignInParametersOperation | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.SignInReply]:
        """The replies of `sign_in`, one by one.

        Parameters:
          number: In international form, as in +447700900123.
          code_from: Where the code comes from; null for messages. No message is sent if it is
            known before that it would not come to the SIM of this modem, or that it cannot be
            read. If messages turn out to be unreadable after it was sent, the caller is asked.
          app_verification: Shows Firebase that the request comes from the project's own app. A
            front end of the app makes it: an object with recaptchaToken, with playIntegrityToken,
            with safetyNetToken, with iosReceipt and iosSecret, or with captchaResponse,
            clientType and recaptchaVersion. Null for test numbers of the project and for the auth
            emulator.
          temporary_proof: Instead of a code: the proof that an earlier call gave for this
            number.
          verification_id: Instead of another message: the verificationID that an earlier call
            gave for this number. Whether the number moved to another SIM is asked again.
          id_token: An account that is already signed in, by its ID token; null for none.
          operation: With `idToken`: what to do with that account.
          provider: Name of the provider; null for the only one of the kind firebase that serves
            the SIM's network.
          modem: Id, device or interface of the modem; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.SIGN_IN,
            {
                "number": number,
                "codeFrom": code_from,
                "appVerification": app_verification,
                "temporaryProof": temporary_proof,
                "verificationID": verification_id,
                "idToken": id_token,
                "operation": operation,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def give_code(
        self,
        flow: str,
        code: str,
        *,
        timeout: float | None = None,
    ) -> _types.GiveCodeReply:
        """Gives the code that a call of SignIn waits for. After a wrong code, the call asks again,
        a limited number of times.

        Parameters:
          flow: As `codeWanted` has it.
          code: 4 to 16 letters and digits.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.GIVE_CODE,
            {"flow": flow, "code": code},
            timeout,
        )

    def refresh(
        self,
        refresh_token: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.RefreshReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.RefreshResult:
        """Exchanges a refresh token for a new ID token. Replies like SignIn.

        Parameters:
          provider: As with SignIn.
          modem: As with SignIn: the provider is chosen for its network.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.REFRESH_FLOW,
            {
                "refreshToken": refresh_token,
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
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.RefreshReply]:
        """The replies of `refresh`, one by one.

        Parameters:
          provider: As with SignIn.
          modem: As with SignIn: the provider is chosen for its network.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.REFRESH,
            {
                "refreshToken": refresh_token,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )
