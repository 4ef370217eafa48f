"""The methods of org.modemd.Check."""
# Written by varlink-generate from org.modemd.Check.varlink.
# Change that file, then `make generate`.

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import check as _types
from .caller import Caller
from .stream import Stream


class CheckMethods:
    """Opens an operator-bound URL over the bearer and follows its redirects, hop by hop. Later
    versions may add fields, and new words to the enums of replies and errors. Replies and errors
    always have all their fields; a field without a value is null.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def open(
        self,
        url: str,
        *,
        modem: str | None = None,
        redirect_uri: str | None = None,
        state: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_milliseconds: int | None = None,
        max_redirects: int | None = None,
        method: _types.OpenParametersMethod | None = None,
        json: Any | None = None,
        text: str | None = None,
        base64: str | None = None,
        content_type: str | None = None,
        tls_at_most: _types.OpenParametersTlsAtMost | None = None,
        learn: bool | None = None,
        reveal: bool | None = None,
        traceparent: str | None = None,
        on_hop: Callable[[_types.Hop], object] | None = None,
        on_reply: Callable[[_types.OpenReply], object] | None = None,
        timeout: float | None = None,
    ) -> _types.OpenResult:
        """`url` must be https. With `more`: first `ready`, then `hop` for each finished hop, then
        `outcome`. Without: only `outcome`. A bearer that is down is brought up. Chains run in
        parallel up to the configured limits. Beyond them, a chain waits for its turn: in the
        order of each caller's calls, alternating between callers. A chain ends at once when its
        caller closes the connection.

        Parameters:
          url: Where to begin.
          modem: Id, device or interface; null for the only modem.
          redirect_uri: Where to stop without fetching, compared by scheme, authority and path.
            An https or http URI needs a host.
          state: Compared with the `state` in the redirect URI.
          headers: Sent with the first hop only, and never in cleartext. Cookie and the fields
            of the connection are refused: Host, Connection, Content-Length, Transfer-Encoding,
            Expect, Upgrade, TE, Trailer, Keep-Alive and those of proxies.
          timeout_milliseconds: Milliseconds for the whole chain, 1 to 300000; null for 60000.
          max_redirects: 0 to 50; null for 10.
          method: Method of the first request; null for get, or for post if there is a body.
            Every redirect is followed with get.
          json: Body of a post: one of `json`, `text` and `base64`, or none. At most 65536
            bytes, and never sent in cleartext.
          text: A body in UTF-8.
          base64: Any other body.
          content_type: Media type of the body; null for application/json or text/plain;
            charset=utf-8. Required with `base64`.
          tls_at_most: The latest version of TLS to offer; null for tls13. Some operators'
            servers fail on the newest.
          learn: Whether to open connections ahead to hosts of earlier chains, and to learn from
            this chain; null for the configured value. True does not override a configuration that
            turns it off.
          reveal: Whether hops show complete URLs and field values. For root, and for groups
            that the configuration names; other callers get org.varlink.service.PermissionDenied.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          on_hop: called with each hop.
          on_reply: called with every reply.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.run(
            _types.OPEN_FLOW,
            {
                "url": url,
                "modem": modem,
                "redirectURI": redirect_uri,
                "state": state,
                "headers": headers,
                "timeoutMilliseconds": timeout_milliseconds,
                "maxRedirects": max_redirects,
                "method": method,
                "json": json,
                "text": text,
                "base64": base64,
                "contentType": content_type,
                "tlsAtMost": tls_at_most,
                "learn": learn,
                "reveal": reveal,
                "traceparent": traceparent,
            },
            {"hop": on_hop},
            {},
            on_reply,
            timeout,
        )

    def open_replies(
        self,
        url: str,
        *,
        modem: str | None = None,
        redirect_uri: str | None = None,
        state: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_milliseconds: int | None = None,
        max_redirects: int | None = None,
        method: _types.OpenParametersMethod | None = None,
        json: Any | None = None,
        text: str | None = None,
        base64: str | None = None,
        content_type: str | None = None,
        tls_at_most: _types.OpenParametersTlsAtMost | None = None,
        learn: bool | None = None,
        reveal: bool | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> Stream[_types.OpenReply]:
        """The replies of `open`, one by one.

        Parameters:
          url: Where to begin.
          modem: Id, device or interface; null for the only modem.
          redirect_uri: Where to stop without fetching, compared by scheme, authority and path.
            An https or http URI needs a host.
          state: Compared with the `state` in the redirect URI.
          headers: Sent with the first hop only, and never in cleartext. Cookie and the fields
            of the connection are refused: Host, Connection, Content-Length, Transfer-Encoding,
            Expect, Upgrade, TE, Trailer, Keep-Alive and those of proxies.
          timeout_milliseconds: Milliseconds for the whole chain, 1 to 300000; null for 60000.
          max_redirects: 0 to 50; null for 10.
          method: Method of the first request; null for get, or for post if there is a body.
            Every redirect is followed with get.
          json: Body of a post: one of `json`, `text` and `base64`, or none. At most 65536
            bytes, and never sent in cleartext.
          text: A body in UTF-8.
          base64: Any other body.
          content_type: Media type of the body; null for application/json or text/plain;
            charset=utf-8. Required with `base64`.
          tls_at_most: The latest version of TLS to offer; null for tls13. Some operators'
            servers fail on the newest.
          learn: Whether to open connections ahead to hosts of earlier chains, and to learn from
            this chain; null for the configured value. True does not override a configuration that
            turns it off.
          reveal: Whether hops show complete URLs and field values. For root, and for groups
            that the configuration names; other callers get org.varlink.service.PermissionDenied.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.stream(
            _types.OPEN,
            {
                "url": url,
                "modem": modem,
                "redirectURI": redirect_uri,
                "state": state,
                "headers": headers,
                "timeoutMilliseconds": timeout_milliseconds,
                "maxRedirects": max_redirects,
                "method": method,
                "json": json,
                "text": text,
                "base64": base64,
                "contentType": content_type,
                "tlsAtMost": tls_at_most,
                "learn": learn,
                "reveal": reveal,
                "traceparent": traceparent,
            },
            timeout,
        )

    def prepare(
        self,
        *,
        url: str | None = None,
        modem: str | None = None,
        learn: bool | None = None,
        traceparent: str | None = None,
        timeout: float | None = None,
    ) -> _types.PrepareReply:
        """Brings the bearer up, resolves names and makes connections ready, ahead of an expected
        check. Nothing is requested over them. The caller's next check from the URL's host uses
        them; those that it does not use close, at the latest after 20 seconds.

        Parameters:
          url: The URL to be opened; must be https. Null only brings up the bearer.
          modem: Id, device or interface; null for the only modem.
          learn: Whether to also prepare the hosts of earlier chains from there; null for the
            configured value.
          traceparent: The caller's trace (W3C Trace Context), as in
            00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.PREPARE,
            {"url": url, "modem": modem, "learn": learn, "traceparent": traceparent},
            timeout,
        )

    def history(
        self,
        *,
        limit: int | None = None,
        trace: str | None = None,
        timeout: float | None = None,
    ) -> _types.HistoryReply:
        """The last checks, the latest first. Root sees everybody's checks, other users see their
        own. They are kept in memory and end with modemd.

        Parameters:
          limit: The largest number of checks, 1 to 10000; null for all.
          trace: Only checks of this trace, by its id: 32 hexadecimal digits; null for all.
          timeout: seconds for the whole call; None waits for as long as it takes.
        """
        return self._caller.call(
            _types.HISTORY,
            {"limit": limit, "trace": trace},
            timeout,
        )
