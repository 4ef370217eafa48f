"""The methods of org.modemd.MIRACL."""
# Written by varlink-generate from org.modemd.MIRACL.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import miracl as _types
from .. import _wire
from .caller import Caller
from .stream import Stream


class MIRACLMethods:
    """Registers users with a MIRACL Trust project, logs them in at its websites with a PIN, and
    signs. This machine stores a user's identity but never the PIN, which is asked for each time.
    Access needs its own entry in the access table. Without one, only root may call, because
    callers can try PINs and use up an identity's attempts. Errors about modems (NoModem,
    MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and
    TooManyFlows is that of org.modemd.Check, and InvalidArgument, NoProvider and
    MoreThanOneProvider are those of org.modemd.Verify. The types Step, Hop and Outcome are the
    same in every interface of a provider. Later versions may add fields, and new words to the
    enums of replies and errors. Replies and errors always have all their fields; a field without
    a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get_session(
        self,
        link: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.GetSessionReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.GetSessionResult:
        """Asks for the subject of the session of a website's link. Replies: `ready`, then a `step`
        for each action with a `hop` for each request over the bearer, then the `outcome`.
        Without `more`, only the outcome.

        Parameters:
          link: The text of the website's QR code, or the object of its push message.
          provider: Name of the provider; null for the only one of the kind miracl that serves
            the SIM's network.
          modem: Id, device or interface of the modem, for a provider whose calls go over its
            bearer; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.GET_SESSION_FLOW,
            {"link": link, "provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def get_session_replies(
        self,
        link: str,
        *,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.GetSessionReply]:
        """The replies of `get_session`, one by one.

        Parameters:
          link: The text of the website's QR code, or the object of its push message.
          provider: Name of the provider; null for the only one of the kind miracl that serves
            the SIM's network.
          modem: Id, device or interface of the modem, for a provider whose calls go over its
            bearer; null for the only one.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.GET_SESSION,
            {"link": link, "provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )

    def abort_session(
        self,
        *,
        link: str | None = None,
        signing_session: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.AbortSessionReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.AbortSessionResult:
        """Tells a session that nobody will log in or sign. Replies like GetSession.

        Parameters:
          link: As with GetSession; null with `signingSession`.
          signing_session: Id of a signing session of the older kind.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.ABORT_SESSION_FLOW,
            {
                "link": link,
                "signingSession": signing_session,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def abort_session_replies(
        self,
        *,
        link: str | None = None,
        signing_session: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.AbortSessionReply]:
        """The replies of `abort_session`, one by one.

        Parameters:
          link: As with GetSession; null with `signingSession`.
          signing_session: Id of a signing session of the older kind.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.ABORT_SESSION,
            {
                "link": link,
                "signingSession": signing_session,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def register(
        self,
        user: str,
        *,
        verification: _types.RegisterParametersVerification | None = None,
        proof: str | None = None,
        link: str | None = None,
        anew: bool | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_pin: _wire.Asked[_types.Question] | None = None,
        on_mail: _wire.Asked[_types.Question] | None = None,
        on_reply: Callable[[_types.RegisterReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.RegisterResult:
        """Verifies a user, makes an identity with a PIN that the caller chooses, and stores it in
        place of an earlier one. It goes on where the same caller's last call for this user
        stopped, for an hour after a mail and for 10 minutes after the verification: no other
        mail is sent, and no link or code is wanted twice. Only with `more`: `ready`, then `step`
        and `hop`, `question` when GivePIN or GiveMail must be called, then the `outcome`.

        Parameters:
          user: The user's name in the project.
          verification: How to verify the user: by a mail, by this machine as the project's own
            backend, by an existing link, or by an activation, which is the quick code of another
            device or a token. Null means by mail.
          proof: With link and activation: that.
          link: The link of the website that the user came from.
          anew: True to begin anew, with another mail; null to go on.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_pin: called when the flow asks for it, and returns the pin; None ends the call.
          on_mail: called when the flow asks for it, and returns the mail; None ends the call.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.REGISTER_FLOW,
            {
                "user": user,
                "verification": verification,
                "proof": proof,
                "link": link,
                "anew": anew,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {"pin": on_pin, "mail": on_mail},
            on_reply,
            timeout,
        )

    def register_replies(
        self,
        user: str,
        *,
        verification: _types.RegisterParametersVerification | None = None,
        proof: str | None = None,
        link: str | None = None,
        anew: bool | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.RegisterReply]:
        """The replies of `register`, one by one.

        Parameters:
          user: The user's name in the project.
          verification: How to verify the user: by a mail, by this machine as the project's own
            backend, by an existing link, or by an activation, which is the quick code of another
            device or a token. Null means by mail.
          proof: With link and activation: that.
          link: The link of the website that the user came from.
          anew: True to begin anew, with another mail; null to go on.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.REGISTER,
            {
                "user": user,
                "verification": verification,
                "proof": proof,
                "link": link,
                "anew": anew,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def login(
        self,
        *,
        link: str | None = None,
        user: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_pin: _wire.Asked[_types.Question] | None = None,
        on_mail: _wire.Asked[_types.Question] | None = None,
        on_reply: Callable[[_types.LoginReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.LoginResult:
        """Logs a user in at a website, or gets a token for an application's own backend. Only with
        `more`, like Register.

        Parameters:
          link: As with GetSession; null for a token.
          user: Null for the user that the website expects, else for the only registered one.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_pin: called when the flow asks for it, and returns the pin; None ends the call.
          on_mail: called when the flow asks for it, and returns the mail; None ends the call.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.LOGIN_FLOW,
            {
                "link": link,
                "user": user,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {"pin": on_pin, "mail": on_mail},
            on_reply,
            timeout,
        )

    def login_replies(
        self,
        *,
        link: str | None = None,
        user: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.LoginReply]:
        """The replies of `login`, one by one.

        Parameters:
          link: As with GetSession; null for a token.
          user: Null for the user that the website expects, else for the only registered one.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.LOGIN,
            {
                "link": link,
                "user": user,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def sign(
        self,
        *,
        hash: str | None = None,
        link: str | None = None,
        signing_session: str | None = None,
        user: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_pin: _wire.Asked[_types.Question] | None = None,
        on_mail: _wire.Asked[_types.Question] | None = None,
        on_reply: Callable[[_types.SignReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.SignResult:
        """Signs a document's hash, or the hash that a session needs signed, which then gets the
        signature. Give exactly one of the first three. Only with `more`, like Register.

        Parameters:
          hash: The document's hash: 16 to 64 bytes in hexadecimal digits.
          link: As with GetSession.
          signing_session: Id of a signing session of the older kind.
          user: As with Login.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_pin: called when the flow asks for it, and returns the pin; None ends the call.
          on_mail: called when the flow asks for it, and returns the mail; None ends the call.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.SIGN_FLOW,
            {
                "hash": hash,
                "link": link,
                "signingSession": signing_session,
                "user": user,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {"pin": on_pin, "mail": on_mail},
            on_reply,
            timeout,
        )

    def sign_replies(
        self,
        *,
        hash: str | None = None,
        link: str | None = None,
        signing_session: str | None = None,
        user: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.SignReply]:
        """The replies of `sign`, one by one.

        Parameters:
          hash: The document's hash: 16 to 64 bytes in hexadecimal digits.
          link: As with GetSession.
          signing_session: Id of a signing session of the older kind.
          user: As with Login.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.SIGN,
            {
                "hash": hash,
                "link": link,
                "signingSession": signing_session,
                "user": user,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def verify_signature(
        self,
        signature: Any,
        *,
        timestamp: int | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.VerifySignatureReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.VerifySignatureResult:
        """Asks the platform to verify a signature, with the credentials of the project's own
        backend. Replies like GetSession.

        Parameters:
          signature: As Signature.document has it.
          timestamp: Seconds since 1970; null for the one in the signature.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.VERIFY_SIGNATURE_FLOW,
            {
                "signature": signature,
                "timestamp": timestamp,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            {"step": on_step, "hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def verify_signature_replies(
        self,
        signature: Any,
        *,
        timestamp: int | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.VerifySignatureReply]:
        """The replies of `verify_signature`, one by one.

        Parameters:
          signature: As Signature.document has it.
          timestamp: Seconds since 1970; null for the one in the signature.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.VERIFY_SIGNATURE,
            {
                "signature": signature,
                "timestamp": timestamp,
                "provider": provider,
                "modem": modem,
                "traceparent": traceparent,
            },
            timeout,
        )

    def quick_code(
        self,
        *,
        user: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        on_step: Callable[[_types.Step], object] | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_pin: _wire.Asked[_types.Question] | None = None,
        on_mail: _wire.Asked[_types.Question] | None = None,
        on_reply: Callable[[_types.QuickCodeReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.QuickCodeResult:
        """Gets a code that registers another device of a user. It asks for the PIN. Only with
        `more`, like Register.

        Parameters:
          user: As with Login.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_step: called with each step.
          on_hop: called with each hop.
          on_pin: called when the flow asks for it, and returns the pin; None ends the call.
          on_mail: called when the flow asks for it, and returns the mail; None ends the call.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.QUICK_CODE_FLOW,
            {"user": user, "provider": provider, "modem": modem, "traceparent": traceparent},
            {"step": on_step, "hop": on_hop},
            {"pin": on_pin, "mail": on_mail},
            on_reply,
            timeout,
        )

    def quick_code_replies(
        self,
        *,
        user: str | None = None,
        provider: str | None = None,
        modem: str | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.QuickCodeReply]:
        """The replies of `quick_code`, one by one.

        Parameters:
          user: As with Login.
          provider: As with GetSession.
          modem: As with GetSession.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.QUICK_CODE,
            {"user": user, "provider": provider, "modem": modem, "traceparent": traceparent},
            timeout,
        )

    def give_pin(
        self,
        flow: str,
        pin: str,
        *,
        timeout: float | None = None,
    ) -> _types.GivePINReply:
        """Gives the PIN that a call waits for. A PIN of the wrong length is refused, and the call
        continues to wait.

        Parameters:
          flow: As `question` has it.
          pin: Digits.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.GIVE_PIN,
            {"flow": flow, "pin": pin},
            timeout,
        )

    def give_mail(
        self,
        flow: str,
        mail: str,
        *,
        timeout: float | None = None,
    ) -> _types.GiveMailReply:
        """Gives what the mail contained: the complete link, or the code.

        Parameters:
          flow: As `question` has it.
          mail: The link or the code.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.GIVE_MAIL,
            {"flow": flow, "mail": mail},
            timeout,
        )

    def identities(
        self,
        *,
        timeout: float | None = None,
    ) -> _types.IdentitiesReply:
        """Lists what this machine keeps.

        Parameters:
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.IDENTITIES,
            {},
            timeout,
        )

    def forget(
        self,
        user: str,
        *,
        project: str | None = None,
        service: str | None = None,
        timeout: float | None = None,
    ) -> _types.ForgetReply:
        """Deletes a user's identity from this machine. The service is not told.

        Parameters:
          user: The user's name in the project.
          project: The project's id; required if the user is registered with several.
          service: The platform's URL; required if the project is on several.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.FORGET,
            {"user": user, "project": project, "service": service},
            timeout,
        )
