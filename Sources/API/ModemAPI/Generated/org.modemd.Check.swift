// Written by varlink-generate from org.modemd.Check.varlink: change that file, then `make generate`.

import Varlink

/// Opens an operator-bound URL over the bearer and follows its redirects, hop by hop. Later versions
/// may add fields, and new words to the enums of replies and errors. Replies and errors always have
/// all their fields; a field without a value is null.
public enum CheckInterface: VarlinkInterface {
  public static let name = "org.modemd.Check"
  public static let text = #"""
    # Opens an operator-bound URL over the bearer and follows its redirects, hop by hop. Later versions
    # may add fields, and new words to the enums of replies and errors. Replies and errors always have
    # all their fields; a field without a value is null.
    interface org.modemd.Check

    # Milliseconds from the start of the hop; null for steps that did not happen.
    type Times (
      # The name was resolved.
      dns: ?float,
      # TCP was connected.
      connect: ?float,
      # TLS was ready.
      tls: ?float,
      # The first byte of the answer arrived.
      firstByte: ?float,
      # The answer was complete.
      end: ?float
    )

    # A field of a request or an answer.
    type Field (
      # Its name as it came.
      name: string,
      # Its value; null if it may be secret and `reveal` was not set.
      value: ?string
    )

    # One request and its answer.
    type Hop (
      # From 1.
      index: int,
      # Scheme of the URL.
      scheme: (http, https),
      # Host of the URL. Path and query are never shown: they may hold secrets.
      host: string,
      # Port, 1 to 65535.
      port: int,
      # The server's address that was used.
      address: ?string,
      # Whether a connection of an earlier hop was reused.
      reused: bool,
      # HTTP status; null if no answer came.
      status: ?int,
      # How long each part took.
      times: Times,
      # Names of the cookies that were sent.
      cookies: []string,
      # The host that the answer redirects to.
      next: ?string,
      # Milliseconds from the call to the start of the hop.
      start: ?float,
      # The request's method.
      method: ?(get, post),
      # The URL; in full with `reveal`, else scheme and host, with an ellipsis for the rest.
      url: ?string,
      # Family of `address`.
      family: ?(ipv4, ipv6),
      # The usable addresses of the host, in order of preference. Addresses that no hop may reach, and
      # those of a family that the bearer does not have, are left out. Empty if a connection was reused.
      addresses: ?[]string,
      # Version of TLS, as in 1.3; null for cleartext.
      tlsVersion: ?string,
      # Bytes of the answer's decompressed body; for a redirect, the announced length.
      bodyBytes: ?int,
      # Names of the cookies that the answer sets.
      setCookies: ?[]string,
      # Fields of the request.
      requestFields: ?[]Field,
      # Fields of the answer.
      answerFields: ?[]Field,
      # Fields of the answer with which an operator finds the request in its logs, such as X-Request-ID,
      # with their values.
      traceFields: ?[]Field,
      # Whether the connection was opened ahead, to a host of earlier chains, before this chain reached
      # it.
      openedAhead: ?bool
    )

    # An answer of a server.
    type Answer (
      # HTTP status.
      status: int,
      # Media type as it came.
      contentType: ?string,
      # The body if it is JSON. At most one of `json`, `text` and `base64` is set.
      json: ?object,
      # The body if it is other text in UTF-8.
      text: ?string,
      # Any other body.
      base64: ?string
    )

    # The registered redirect URI that was reached and not fetched.
    type Redirect (
      # As it came.
      uri: string,
      # From its query and fragment.
      parameters: [string]string
    )

    # Why a chain ended without an answer.
    type Failure (
      # What a program can act on.
      cause: (
        noModem,
        portUnavailable,
        simAbsent,
        simLocked,
        simNotReady,
        notRegistered,
        bearerRefused,
        noAddress,
        modemFailed,
        bearerLost,
        dnsFailed,
        connectFailed,
        tlsFailed,
        tooManyRedirects,
        redirectLoop,
        badRedirect,
        refusedByPolicy,
        timeout,
        tooLarge,
        badAnswer,
        stateMismatch,
        interactionRequired,
        possibleCaptivePortal,
        rateLimited,
        cancelled
      ),
      # The hop in which it happened, from 1; null before the first.
      hop: ?int,
      # One sentence for people: what happened and what to do.
      text: string,
      # With the cause rateLimited: when the server accepts requests again; null if it gave no time.
      retryAfterMilliseconds: ?int
    )

    # How the chain ended.
    type Outcome (
      # An HTTP answer of any status, the redirect URI, or neither.
      result: (answer, redirectReached, failed),
      # Set if `result` is answer, and if it is failed with the cause rateLimited.
      answer: ?Answer,
      # Set when `result` is redirectReached.
      redirect: ?Redirect,
      # Set when `result` is failed.
      failure: ?Failure,
      # Id of the modem.
      modem: ?string,
      # The bearer's address from which the chain's requests were sent.
      source: ?string,
      # From the call to the end.
      milliseconds: float,
      # How much of that time the chain waited for its turn.
      waitedMilliseconds: ?float,
      # Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it.
      trace: ?string
    )

    # A finished check. It holds nothing secret.
    type PastCheck (
      # Counts the checks since modemd started, from 1: everybody's for root, one's own for other users.
      number: int,
      # When it was requested, RFC 3339 in UTC.
      began: string,
      # User id of who asked.
      user: int,
      # Host of the URL.
      host: string,
      # Id of the modem.
      modem: ?string,
      # The bearer's address from which the chain's requests were sent.
      source: ?string,
      # How many hops ended.
      hops: int,
      # How it ended.
      result: (answer, redirectReached, failed),
      # HTTP status if `result` is answer.
      status: ?int,
      # Set when `result` is failed.
      failure: ?Failure,
      # From the call to the end.
      milliseconds: float,
      # How much of that time the chain waited for its turn.
      waitedMilliseconds: float,
      # Id of the trace that it belonged to.
      trace: ?string
    )

    # `url` must be https. With `more`: first `ready`, then `hop` for each finished hop, then `outcome`.
    # Without: only `outcome`. A bearer that is down is brought up. Chains run in parallel up to the
    # configured limits. Beyond them, a chain waits for its turn: in the order of each caller's calls,
    # alternating between callers. A chain ends at once when its caller closes the connection.
    method Open(
      # Where to begin.
      url: string,
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # Where to stop without fetching, compared by scheme, authority and path. An https or http URI
      # needs a host.
      redirectURI: ?string,
      # Compared with the `state` in the redirect URI.
      state: ?string,
      # Sent with the first hop only, and never in cleartext. Cookie and the fields of the connection
      # are refused: Host, Connection, Content-Length, Transfer-Encoding, Expect, Upgrade, TE, Trailer,
      # Keep-Alive and those of proxies.
      headers: ?[string]string,
      # Milliseconds for the whole chain, 1 to 300000; null for 60000.
      timeoutMilliseconds: ?int,
      # 0 to 50; null for 10.
      maxRedirects: ?int,
      # Method of the first request; null for get, or for post if there is a body. Every redirect is
      # followed with get.
      method: ?(get, post),
      # Body of a post: one of `json`, `text` and `base64`, or none. At most 65536 bytes, and never sent
      # in cleartext.
      json: ?object,
      # A body in UTF-8.
      text: ?string,
      # Any other body.
      base64: ?string,
      # Media type of the body; null for application/json or text/plain; charset=utf-8. Required with
      # `base64`.
      contentType: ?string,
      # The latest version of TLS to offer; null for tls13. Some operators' servers fail on the newest.
      tlsAtMost: ?(tls12, tls13),
      # Whether to open connections ahead to hosts of earlier chains, and to learn from this chain; null
      # for the configured value. True does not override a configuration that turns it off.
      learn: ?bool,
      # Whether hops show complete URLs and field values. For root, and for groups that the
      # configuration names; other callers get org.varlink.service.PermissionDenied.
      reveal: ?bool,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      # What this reply is.
      event: (ready, hop, outcome),
      # Set when `event` is hop.
      hop: ?Hop,
      # Set when `event` is outcome.
      outcome: ?Outcome
    )

    # Brings the bearer up, resolves names and makes connections ready, ahead of an expected check.
    # Nothing is requested over them. The caller's next check from the URL's host uses them; those that
    # it does not use close, at the latest after 20 seconds.
    method Prepare(
      # The URL to be opened; must be https. Null only brings up the bearer.
      url: ?string,
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # Whether to also prepare the hosts of earlier chains from there; null for the configured value.
      learn: ?bool,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      # Id of the modem.
      modem: string,
      # The bearer's address.
      source: ?string,
      # Hosts whose addresses are now known.
      resolved: []string,
      # Hosts without an answer.
      unresolved: []string,
      # From the call to the end.
      milliseconds: float,
      # Id of the trace: 32 hexadecimal digits. Entries of the journal have it.
      trace: ?string,
      # Connections that are ready, TLS included. Null if none are made ahead: because bytes are metered
      # (bearer.metered), or because too many of the caller's were not used.
      connected: ?int
    )

    # The last checks, the latest first. Root sees everybody's checks, other users see their own. They
    # are kept in memory and end with modemd.
    method History(
      # The largest number of checks, 1 to 10000; null for all.
      limit: ?int,
      # Only checks of this trace, by its id: 32 hexadecimal digits; null for all.
      trace: ?string
    ) -> (
      # The results and durations of the checks.
      checks: []PastCheck
    )

    # The URL cannot be opened.
    error InvalidURL (
      # What is wrong with it.
      reason: string
    )

    # A limit, header or other option is out of range.
    error InvalidOption (
      # Its name.
      option: string,
      # What it may be.
      expected: string
    )

    # Too many flows are running and waiting; this one may not even wait.
    error TooManyFlows (
      # How many may wait.
      limit: int,
      # When to ask again: by then, the waiting flows will probably have had their turn.
      retryAfterMilliseconds: int
    )

    """#

  /// Milliseconds from the start of the hop; null for steps that did not happen.
  public struct Times: Codable, Hashable, Sendable {
    /// The name was resolved.
    public var dns: Double?
    /// TCP was connected.
    public var connect: Double?
    /// TLS was ready.
    public var tls: Double?
    /// The first byte of the answer arrived.
    public var firstByte: Double?
    /// The answer was complete.
    public var end: Double?

    public init(
      dns: Double? = nil, connect: Double? = nil, tls: Double? = nil, firstByte: Double? = nil, end: Double? = nil
    ) {
      self.dns = dns
      self.connect = connect
      self.tls = tls
      self.firstByte = firstByte
      self.end = end
    }
  }

  /// A field of a request or an answer.
  public struct Field: Codable, Hashable, Sendable {
    /// Its name as it came.
    public var name: String
    /// Its value; null if it may be secret and `reveal` was not set.
    public var value: String?

    public init(name: String, value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// One request and its answer.
  public struct Hop: Codable, Hashable, Sendable {
    /// From 1.
    public var index: Int
    /// Scheme of the URL.
    public var scheme: Scheme
    /// Host of the URL. Path and query are never shown: they may hold secrets.
    public var host: String
    /// Port, 1 to 65535.
    public var port: Int
    /// The server's address that was used.
    public var address: String?
    /// Whether a connection of an earlier hop was reused.
    public var reused: Bool
    /// HTTP status; null if no answer came.
    public var status: Int?
    /// How long each part took.
    public var times: Times
    /// Names of the cookies that were sent.
    public var cookies: [String]
    /// The host that the answer redirects to.
    public var next: String?
    /// Milliseconds from the call to the start of the hop.
    public var start: Double?
    /// The request's method.
    public var method: Method?
    /// The URL; in full with `reveal`, else scheme and host, with an ellipsis for the rest.
    public var url: String?
    /// Family of `address`.
    public var family: Family?
    /// The usable addresses of the host, in order of preference. Addresses that no hop may reach, and
    /// those of a family that the bearer does not have, are left out. Empty if a connection was reused.
    public var addresses: [String]?
    /// Version of TLS, as in 1.3; null for cleartext.
    public var tlsVersion: String?
    /// Bytes of the answer's decompressed body; for a redirect, the announced length.
    public var bodyBytes: Int?
    /// Names of the cookies that the answer sets.
    public var setCookies: [String]?
    /// Fields of the request.
    public var requestFields: [Field]?
    /// Fields of the answer.
    public var answerFields: [Field]?
    /// Fields of the answer with which an operator finds the request in its logs, such as X-Request-ID,
    /// with their values.
    public var traceFields: [Field]?
    /// Whether the connection was opened ahead, to a host of earlier chains, before this chain reached
    /// it.
    public var openedAhead: Bool?

    public init(
      index: Int, scheme: Scheme, host: String, port: Int, address: String? = nil, reused: Bool, status: Int? = nil,
      times: Times, cookies: [String], next: String? = nil, start: Double? = nil, method: Method? = nil,
      url: String? = nil, family: Family? = nil, addresses: [String]? = nil, tlsVersion: String? = nil,
      bodyBytes: Int? = nil, setCookies: [String]? = nil, requestFields: [Field]? = nil, answerFields: [Field]? = nil,
      traceFields: [Field]? = nil, openedAhead: Bool? = nil
    ) {
      self.index = index
      self.scheme = scheme
      self.host = host
      self.port = port
      self.address = address
      self.reused = reused
      self.status = status
      self.times = times
      self.cookies = cookies
      self.next = next
      self.start = start
      self.method = method
      self.url = url
      self.family = family
      self.addresses = addresses
      self.tlsVersion = tlsVersion
      self.bodyBytes = bodyBytes
      self.setCookies = setCookies
      self.requestFields = requestFields
      self.answerFields = answerFields
      self.traceFields = traceFields
      self.openedAhead = openedAhead
    }

    /// One of the values of `scheme`.
    public enum Scheme: OpenWord {
      case http, https
      case other(String)

      public static let known: [Self] = [.http, .https]
      public var rawValue: String {
        switch self {
        case .http: "http"
        case .https: "https"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `method`.
    public enum Method: OpenWord {
      case get, post
      case other(String)

      public static let known: [Self] = [.get, .post]
      public var rawValue: String {
        switch self {
        case .get: "get"
        case .post: "post"
        case .other(let word): word
        }
      }
    }

    /// One of the values of `family`.
    public enum Family: OpenWord {
      case ipv4, ipv6
      case other(String)

      public static let known: [Self] = [.ipv4, .ipv6]
      public var rawValue: String {
        switch self {
        case .ipv4: "ipv4"
        case .ipv6: "ipv6"
        case .other(let word): word
        }
      }
    }
  }

  /// An answer of a server.
  public struct Answer: Codable, Hashable, Sendable {
    /// HTTP status.
    public var status: Int
    /// Media type as it came.
    public var contentType: String?
    /// The body if it is JSON. At most one of `json`, `text` and `base64` is set.
    public var json: JSONValue?
    /// The body if it is other text in UTF-8.
    public var text: String?
    /// Any other body.
    public var base64: String?

    public init(
      status: Int, contentType: String? = nil, json: JSONValue? = nil, text: String? = nil, base64: String? = nil
    ) {
      self.status = status
      self.contentType = contentType
      self.json = json
      self.text = text
      self.base64 = base64
    }
  }

  /// The registered redirect URI that was reached and not fetched.
  public struct Redirect: Codable, Hashable, Sendable {
    /// As it came.
    public var uri: String
    /// From its query and fragment.
    public var parameters: [String: String]

    public init(uri: String, parameters: [String: String]) {
      self.uri = uri
      self.parameters = parameters
    }
  }

  /// Why a chain ended without an answer.
  public struct Failure: Codable, Hashable, Sendable {
    /// What a program can act on.
    public var cause: Cause
    /// The hop in which it happened, from 1; null before the first.
    public var hop: Int?
    /// One sentence for people: what happened and what to do.
    public var text: String
    /// With the cause rateLimited: when the server accepts requests again; null if it gave no time.
    public var retryAfterMilliseconds: Int?

    public init(cause: Cause, hop: Int? = nil, text: String, retryAfterMilliseconds: Int? = nil) {
      self.cause = cause
      self.hop = hop
      self.text = text
      self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    /// One of the values of `cause`.
    public enum Cause: OpenWord {
      case noModem, portUnavailable, simAbsent, simLocked, simNotReady, notRegistered, bearerRefused, noAddress,
        modemFailed, bearerLost, dnsFailed, connectFailed, tlsFailed, tooManyRedirects, redirectLoop, badRedirect,
        refusedByPolicy, timeout, tooLarge, badAnswer, stateMismatch, interactionRequired, possibleCaptivePortal,
        rateLimited, cancelled
      case other(String)

      public static let known: [Self] = [
        .noModem, .portUnavailable, .simAbsent, .simLocked, .simNotReady, .notRegistered, .bearerRefused, .noAddress,
        .modemFailed, .bearerLost, .dnsFailed, .connectFailed, .tlsFailed, .tooManyRedirects, .redirectLoop,
        .badRedirect, .refusedByPolicy, .timeout, .tooLarge, .badAnswer, .stateMismatch, .interactionRequired,
        .possibleCaptivePortal, .rateLimited, .cancelled,
      ]
      public var rawValue: String {
        switch self {
        case .noModem: "noModem"
        case .portUnavailable: "portUnavailable"
        case .simAbsent: "simAbsent"
        case .simLocked: "simLocked"
        case .simNotReady: "simNotReady"
        case .notRegistered: "notRegistered"
        case .bearerRefused: "bearerRefused"
        case .noAddress: "noAddress"
        case .modemFailed: "modemFailed"
        case .bearerLost: "bearerLost"
        case .dnsFailed: "dnsFailed"
        case .connectFailed: "connectFailed"
        case .tlsFailed: "tlsFailed"
        case .tooManyRedirects: "tooManyRedirects"
        case .redirectLoop: "redirectLoop"
        case .badRedirect: "badRedirect"
        case .refusedByPolicy: "refusedByPolicy"
        case .timeout: "timeout"
        case .tooLarge: "tooLarge"
        case .badAnswer: "badAnswer"
        case .stateMismatch: "stateMismatch"
        case .interactionRequired: "interactionRequired"
        case .possibleCaptivePortal: "possibleCaptivePortal"
        case .rateLimited: "rateLimited"
        case .cancelled: "cancelled"
        case .other(let word): word
        }
      }
    }
  }

  /// How the chain ended.
  public struct Outcome: Codable, Hashable, Sendable {
    /// An HTTP answer of any status, the redirect URI, or neither.
    public var result: Result
    /// Set if `result` is answer, and if it is failed with the cause rateLimited.
    public var answer: Answer?
    /// Set when `result` is redirectReached.
    public var redirect: Redirect?
    /// Set when `result` is failed.
    public var failure: Failure?
    /// Id of the modem.
    public var modem: String?
    /// The bearer's address from which the chain's requests were sent.
    public var source: String?
    /// From the call to the end.
    public var milliseconds: Double
    /// How much of that time the chain waited for its turn.
    public var waitedMilliseconds: Double?
    /// Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it.
    public var trace: String?

    public init(
      result: Result, answer: Answer? = nil, redirect: Redirect? = nil, failure: Failure? = nil, modem: String? = nil,
      source: String? = nil, milliseconds: Double, waitedMilliseconds: Double? = nil, trace: String? = nil
    ) {
      self.result = result
      self.answer = answer
      self.redirect = redirect
      self.failure = failure
      self.modem = modem
      self.source = source
      self.milliseconds = milliseconds
      self.waitedMilliseconds = waitedMilliseconds
      self.trace = trace
    }

    /// One of the values of `result`.
    public enum Result: OpenWord {
      case answer, redirectReached, failed
      case other(String)

      public static let known: [Self] = [.answer, .redirectReached, .failed]
      public var rawValue: String {
        switch self {
        case .answer: "answer"
        case .redirectReached: "redirectReached"
        case .failed: "failed"
        case .other(let word): word
        }
      }
    }
  }

  /// A finished check. It holds nothing secret.
  public struct PastCheck: Codable, Hashable, Sendable {
    /// Counts the checks since modemd started, from 1: everybody's for root, one's own for other users.
    public var number: Int
    /// When it was requested, RFC 3339 in UTC.
    public var began: String
    /// User id of who asked.
    public var user: Int
    /// Host of the URL.
    public var host: String
    /// Id of the modem.
    public var modem: String?
    /// The bearer's address from which the chain's requests were sent.
    public var source: String?
    /// How many hops ended.
    public var hops: Int
    /// How it ended.
    public var result: Result
    /// HTTP status if `result` is answer.
    public var status: Int?
    /// Set when `result` is failed.
    public var failure: Failure?
    /// From the call to the end.
    public var milliseconds: Double
    /// How much of that time the chain waited for its turn.
    public var waitedMilliseconds: Double
    /// Id of the trace that it belonged to.
    public var trace: String?

    public init(
      number: Int, began: String, user: Int, host: String, modem: String? = nil, source: String? = nil, hops: Int,
      result: Result, status: Int? = nil, failure: Failure? = nil, milliseconds: Double, waitedMilliseconds: Double,
      trace: String? = nil
    ) {
      self.number = number
      self.began = began
      self.user = user
      self.host = host
      self.modem = modem
      self.source = source
      self.hops = hops
      self.result = result
      self.status = status
      self.failure = failure
      self.milliseconds = milliseconds
      self.waitedMilliseconds = waitedMilliseconds
      self.trace = trace
    }

    /// One of the values of `result`.
    public typealias Result = CheckInterface.Outcome.Result
  }

  /// `url` must be https. With `more`: first `ready`, then `hop` for each finished hop, then `outcome`.
  /// Without: only `outcome`. A bearer that is down is brought up. Chains run in parallel up to the
  /// configured limits. Beyond them, a chain waits for its turn: in the order of each caller's calls,
  /// alternating between callers. A chain ends at once when its caller closes the connection.
  public enum Open: VarlinkMethod {
    public static let name = "org.modemd.Check.Open"

    /// What `Open` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "url", "modem", "redirectURI", "state", "headers", "timeoutMilliseconds", "maxRedirects", "method", "json",
        "text", "base64", "contentType", "tlsAtMost", "learn", "reveal", "traceparent",
      ]
      /// Where to begin.
      public var url: String
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// Where to stop without fetching, compared by scheme, authority and path. An https or http URI
      /// needs a host.
      public var redirectURI: String?
      /// Compared with the `state` in the redirect URI.
      public var state: String?
      /// Sent with the first hop only, and never in cleartext. Cookie and the fields of the connection
      /// are refused: Host, Connection, Content-Length, Transfer-Encoding, Expect, Upgrade, TE, Trailer,
      /// Keep-Alive and those of proxies.
      public var headers: [String: String]?
      /// Milliseconds for the whole chain, 1 to 300000; null for 60000.
      public var timeoutMilliseconds: Int?
      /// 0 to 50; null for 10.
      public var maxRedirects: Int?
      /// Method of the first request; null for get, or for post if there is a body. Every redirect is
      /// followed with get.
      public var method: Method?
      /// Body of a post: one of `json`, `text` and `base64`, or none. At most 65536 bytes, and never sent
      /// in cleartext.
      public var json: JSONValue?
      /// A body in UTF-8.
      public var text: String?
      /// Any other body.
      public var base64: String?
      /// Media type of the body; null for application/json or text/plain; charset=utf-8. Required with
      /// `base64`.
      public var contentType: String?
      /// The latest version of TLS to offer; null for tls13. Some operators' servers fail on the newest.
      public var tlsAtMost: TlsAtMost?
      /// Whether to open connections ahead to hosts of earlier chains, and to learn from this chain; null
      /// for the configured value. True does not override a configuration that turns it off.
      public var learn: Bool?
      /// Whether hops show complete URLs and field values. For root, and for groups that the
      /// configuration names; other callers get org.varlink.service.PermissionDenied.
      public var reveal: Bool?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        url: String, modem: String? = nil, redirectURI: String? = nil, state: String? = nil,
        headers: [String: String]? = nil, timeoutMilliseconds: Int? = nil, maxRedirects: Int? = nil,
        method: Method? = nil, json: JSONValue? = nil, text: String? = nil, base64: String? = nil,
        contentType: String? = nil, tlsAtMost: TlsAtMost? = nil, learn: Bool? = nil, reveal: Bool? = nil,
        traceparent: String? = nil
      ) {
        self.url = url
        self.modem = modem
        self.redirectURI = redirectURI
        self.state = state
        self.headers = headers
        self.timeoutMilliseconds = timeoutMilliseconds
        self.maxRedirects = maxRedirects
        self.method = method
        self.json = json
        self.text = text
        self.base64 = base64
        self.contentType = contentType
        self.tlsAtMost = tlsAtMost
        self.learn = learn
        self.reveal = reveal
        self.traceparent = traceparent
      }

      /// One of the values of `method`.
      public enum Method: String, Codable, CaseIterable, Hashable, Sendable {
        case get, post
      }

      /// One of the values of `tlsAtMost`.
      public enum TlsAtMost: String, Codable, CaseIterable, Hashable, Sendable {
        case tls12, tls13
      }
    }

    /// What `Open` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What this reply is.
      public var event: Event
      /// Set when `event` is hop.
      public var hop: Hop?
      /// Set when `event` is outcome.
      public var outcome: Outcome?

      public init(event: Event, hop: Hop? = nil, outcome: Outcome? = nil) {
        self.event = event
        self.hop = hop
        self.outcome = outcome
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, hop, outcome
        case other(String)

        public static let known: [Self] = [.ready, .hop, .outcome]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .hop: "hop"
          case .outcome: "outcome"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// Brings the bearer up, resolves names and makes connections ready, ahead of an expected check.
  /// Nothing is requested over them. The caller's next check from the URL's host uses them; those that
  /// it does not use close, at the latest after 20 seconds.
  public enum Prepare: VarlinkMethod {
    public static let name = "org.modemd.Check.Prepare"

    /// What `Prepare` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["url", "modem", "learn", "traceparent"]
      /// The URL to be opened; must be https. Null only brings up the bearer.
      public var url: String?
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// Whether to also prepare the hosts of earlier chains from there; null for the configured value.
      public var learn: Bool?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(url: String? = nil, modem: String? = nil, learn: Bool? = nil, traceparent: String? = nil) {
        self.url = url
        self.modem = modem
        self.learn = learn
        self.traceparent = traceparent
      }
    }

    /// What `Prepare` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Id of the modem.
      public var modem: String
      /// The bearer's address.
      public var source: String?
      /// Hosts whose addresses are now known.
      public var resolved: [String]
      /// Hosts without an answer.
      public var unresolved: [String]
      /// From the call to the end.
      public var milliseconds: Double
      /// Id of the trace: 32 hexadecimal digits. Entries of the journal have it.
      public var trace: String?
      /// Connections that are ready, TLS included. Null if none are made ahead: because bytes are metered
      /// (bearer.metered), or because too many of the caller's were not used.
      public var connected: Int?

      public init(
        modem: String, source: String? = nil, resolved: [String], unresolved: [String], milliseconds: Double,
        trace: String? = nil, connected: Int? = nil
      ) {
        self.modem = modem
        self.source = source
        self.resolved = resolved
        self.unresolved = unresolved
        self.milliseconds = milliseconds
        self.trace = trace
        self.connected = connected
      }
    }
  }

  /// The last checks, the latest first. Root sees everybody's checks, other users see their own. They
  /// are kept in memory and end with modemd.
  public enum History: VarlinkMethod {
    public static let name = "org.modemd.Check.History"

    /// What `History` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["limit", "trace"]
      /// The largest number of checks, 1 to 10000; null for all.
      public var limit: Int?
      /// Only checks of this trace, by its id: 32 hexadecimal digits; null for all.
      public var trace: String?

      public init(limit: Int? = nil, trace: String? = nil) {
        self.limit = limit
        self.trace = trace
      }
    }

    /// What `History` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The results and durations of the checks.
      public var checks: [PastCheck]

      public init(checks: [PastCheck]) {
        self.checks = checks
      }
    }
  }

  /// The URL cannot be opened.
  public struct InvalidURL: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Check.InvalidURL"
    /// What is wrong with it.
    public var reason: String

    public init(reason: String) {
      self.reason = reason
    }
  }

  /// A limit, header or other option is out of range.
  public struct InvalidOption: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Check.InvalidOption"
    /// Its name.
    public var option: String
    /// What it may be.
    public var expected: String

    public init(option: String, expected: String) {
      self.option = option
      self.expected = expected
    }
  }

  /// Too many flows are running and waiting; this one may not even wait.
  public struct TooManyFlows: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Check.TooManyFlows"
    /// How many may wait.
    public var limit: Int
    /// When to ask again: by then, the waiting flows will probably have had their turn.
    public var retryAfterMilliseconds: Int

    public init(limit: Int, retryAfterMilliseconds: Int) {
      self.limit = limit
      self.retryAfterMilliseconds = retryAfterMilliseconds
    }
  }
}
