// Written by varlink-generate from org.modemd.Check.varlink: change that file, then `make generate`.

import Varlink

/// Opens an operator-bound URL over the bearer and walks its redirects, hop by hop.
public enum CheckInterface: VarlinkInterface {
  public static let name = "org.modemd.Check"
  public static let text = #"""
    # Opens an operator-bound URL over the bearer and walks its redirects, hop by hop.
    interface org.modemd.Check

    # Milliseconds from the start of the hop; null for what did not happen.
    type Times (
      # The name was resolved.
      dns: ?float,
      # TCP was connected.
      connect: ?float,
      # TLS was ready.
      tls: ?float,
      # The first byte of the answer came.
      firstByte: ?float,
      # The answer was complete.
      end: ?float
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
      # Whether a connection of an earlier hop was used again.
      reused: bool,
      # HTTP status; null when no answer came.
      status: ?int,
      # How long each part took.
      times: Times,
      # Names of the cookies that were sent.
      cookies: []string,
      # The host that the answer points to.
      next: ?string
    )

    # The answer of the last hop.
    type Answer (
      # HTTP status.
      status: int,
      # Media type as it came.
      contentType: ?string,
      # The body when it parses as JSON. At most one of `json`, `text` and `base64` is set.
      json: ?object,
      # The body when it is other text in UTF-8.
      text: ?string,
      # Any other body.
      base64: ?string
    )

    # The registered redirect URI, reached and not fetched.
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
        cancelled
      ),
      # The hop that it happened in, from 1; null before the first.
      hop: ?int,
      # One sentence for people: what happened and what to do.
      text: string
    )

    # How the chain ended.
    type Outcome (
      # An HTTP answer of any status, the redirect URI, or neither.
      result: (answer, redirectReached, failed),
      # Set when `result` is answer.
      answer: ?Answer,
      # Set when `result` is redirectReached.
      redirect: ?Redirect,
      # Set when `result` is failed.
      failure: ?Failure,
      # Id of the modem.
      modem: ?string,
      # The bearer's address that the chain left from.
      source: ?string,
      # From the call to the end.
      milliseconds: float
    )

    # `url` must be https. With `more`: first `ready`, then `hop` for each finished hop, then `outcome`. Without: `outcome` alone.
    # The bearer is brought up when it is down.
    method Open(
      # Where to begin.
      url: string,
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # Where to stop without fetching: compared by scheme, authority and path.
      redirectURI: ?string,
      # Compared with the `state` that the redirect URI carries.
      state: ?string,
      # Sent with the first hop only, and never on cleartext.
      headers: ?[string]string,
      # Milliseconds for the whole chain, 1 to 300000; null for 60000.
      timeoutMilliseconds: ?int,
      # 0 to 50; null for 10.
      maxRedirects: ?int
    ) -> (
      # What this reply is.
      event: (ready, hop, outcome),
      # Set when `event` is hop.
      hop: ?Hop,
      # Set when `event` is outcome.
      outcome: ?Outcome
    )

    # The URL cannot be opened.
    error InvalidURL (
      # What is wrong with it.
      reason: string
    )

    # A limit, header or other option is out of its range.
    error InvalidOption (
      # Its name.
      option: string,
      # What it may be.
      expected: string
    )

    # Too many flows run at the moment.
    error TooManyFlows (
      # How many may run.
      limit: int,
      # When to ask again.
      retryAfterMilliseconds: int
    )

    """#

  /// Milliseconds from the start of the hop; null for what did not happen.
  public struct Times: Codable, Hashable, Sendable {
    /// The name was resolved.
    public var dns: Double?
    /// TCP was connected.
    public var connect: Double?
    /// TLS was ready.
    public var tls: Double?
    /// The first byte of the answer came.
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
    /// Whether a connection of an earlier hop was used again.
    public var reused: Bool
    /// HTTP status; null when no answer came.
    public var status: Int?
    /// How long each part took.
    public var times: Times
    /// Names of the cookies that were sent.
    public var cookies: [String]
    /// The host that the answer points to.
    public var next: String?

    public init(
      index: Int, scheme: Scheme, host: String, port: Int, address: String? = nil, reused: Bool, status: Int? = nil,
      times: Times, cookies: [String], next: String? = nil
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
    }

    /// One of the values of `scheme`.
    public enum Scheme: String, Codable, CaseIterable, Hashable, Sendable {
      case http, https
    }
  }

  /// The answer of the last hop.
  public struct Answer: Codable, Hashable, Sendable {
    /// HTTP status.
    public var status: Int
    /// Media type as it came.
    public var contentType: String?
    /// The body when it parses as JSON. At most one of `json`, `text` and `base64` is set.
    public var json: JSONValue?
    /// The body when it is other text in UTF-8.
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

  /// The registered redirect URI, reached and not fetched.
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
    /// The hop that it happened in, from 1; null before the first.
    public var hop: Int?
    /// One sentence for people: what happened and what to do.
    public var text: String

    public init(cause: Cause, hop: Int? = nil, text: String) {
      self.cause = cause
      self.hop = hop
      self.text = text
    }

    /// One of the values of `cause`.
    public enum Cause: String, Codable, CaseIterable, Hashable, Sendable {
      case noModem, portUnavailable, simAbsent, simLocked, simNotReady, notRegistered, bearerRefused, noAddress,
        modemFailed, bearerLost, dnsFailed, connectFailed, tlsFailed, tooManyRedirects, redirectLoop, badRedirect,
        refusedByPolicy, timeout, tooLarge, badAnswer, stateMismatch, interactionRequired, possibleCaptivePortal,
        cancelled
    }
  }

  /// How the chain ended.
  public struct Outcome: Codable, Hashable, Sendable {
    /// An HTTP answer of any status, the redirect URI, or neither.
    public var result: Result
    /// Set when `result` is answer.
    public var answer: Answer?
    /// Set when `result` is redirectReached.
    public var redirect: Redirect?
    /// Set when `result` is failed.
    public var failure: Failure?
    /// Id of the modem.
    public var modem: String?
    /// The bearer's address that the chain left from.
    public var source: String?
    /// From the call to the end.
    public var milliseconds: Double

    public init(
      result: Result, answer: Answer? = nil, redirect: Redirect? = nil, failure: Failure? = nil, modem: String? = nil,
      source: String? = nil, milliseconds: Double
    ) {
      self.result = result
      self.answer = answer
      self.redirect = redirect
      self.failure = failure
      self.modem = modem
      self.source = source
      self.milliseconds = milliseconds
    }

    /// One of the values of `result`.
    public enum Result: String, Codable, CaseIterable, Hashable, Sendable {
      case answer, redirectReached, failed
    }
  }

  /// `url` must be https. With `more`: first `ready`, then `hop` for each finished hop, then `outcome`. Without: `outcome` alone.
  /// The bearer is brought up when it is down.
  public enum Open: VarlinkMethod {
    public static let name = "org.modemd.Check.Open"

    /// What `Open` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "url", "modem", "redirectURI", "state", "headers", "timeoutMilliseconds", "maxRedirects",
      ]
      /// Where to begin.
      public var url: String
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// Where to stop without fetching: compared by scheme, authority and path.
      public var redirectURI: String?
      /// Compared with the `state` that the redirect URI carries.
      public var state: String?
      /// Sent with the first hop only, and never on cleartext.
      public var headers: [String: String]?
      /// Milliseconds for the whole chain, 1 to 300000; null for 60000.
      public var timeoutMilliseconds: Int?
      /// 0 to 50; null for 10.
      public var maxRedirects: Int?

      public init(
        url: String, modem: String? = nil, redirectURI: String? = nil, state: String? = nil,
        headers: [String: String]? = nil, timeoutMilliseconds: Int? = nil, maxRedirects: Int? = nil
      ) {
        self.url = url
        self.modem = modem
        self.redirectURI = redirectURI
        self.state = state
        self.headers = headers
        self.timeoutMilliseconds = timeoutMilliseconds
        self.maxRedirects = maxRedirects
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
      public enum Event: String, Codable, CaseIterable, Hashable, Sendable {
        case ready, hop, outcome
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

  /// A limit, header or other option is out of its range.
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

  /// Too many flows run at the moment.
  public struct TooManyFlows: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Check.TooManyFlows"
    /// How many may run.
    public var limit: Int
    /// When to ask again.
    public var retryAfterMilliseconds: Int

    public init(limit: Int, retryAfterMilliseconds: Int) {
      self.limit = limit
      self.retryAfterMilliseconds = retryAfterMilliseconds
    }
  }
}
