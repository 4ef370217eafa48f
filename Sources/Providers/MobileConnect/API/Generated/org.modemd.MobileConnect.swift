// Written by varlink-generate from org.modemd.MobileConnect.varlink: change that file, then `make generate`.

import ModemAPI
import Varlink

/// Mobile Connect: the SIM's operator, and that operator's statements about who its user is.
/// Authorizations go over the bearer, without a browser. Errors about modems (NoModem,
/// MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is
/// that of org.modemd.Check, and those about arguments and providers (InvalidArgument, NoProvider,
/// MoreThanOneProvider) are those of org.modemd.Verify. Every method is a stream: `ready`, then a
/// `step` for each action with a `hop` for each request over the bearer, then the `outcome`. Without
/// `more`, only the outcome. The types Step, Hop and Outcome are the same in every interface of a
/// provider. Later versions may add fields, and new words to the enums of replies and errors. Replies
/// and errors always have all their fields; a field without a value is null.
public enum MobileConnectInterface: VarlinkInterface {
  public static let name = "org.modemd.MobileConnect"
  public static let text = #"""
    # Mobile Connect: the SIM's operator, and that operator's statements about who its user is.
    # Authorizations go over the bearer, without a browser. Errors about modems (NoModem,
    # MoreThanOneModem, NoSuchModem, PortUnavailable) are those of org.modemd.Modem, and TooManyFlows is
    # that of org.modemd.Check, and those about arguments and providers (InvalidArgument, NoProvider,
    # MoreThanOneProvider) are those of org.modemd.Verify. Every method is a stream: `ready`, then a
    # `step` for each action with a `hop` for each request over the bearer, then the `outcome`. Without
    # `more`, only the outcome. The types Step, Hop and Outcome are the same in every interface of a
    # provider. Later versions may add fields, and new words to the enums of replies and errors. Replies
    # and errors always have all their fields; a field without a value is null.
    interface org.modemd.MobileConnect

    # One action of the flow.
    type Step (
      # From 1.
      index: int,
      # The action, as in createCheck.
      name: string,
      # The path it took: the SIM's bearer, the machine's own network, the modem itself, or the caller.
      lane: (bearer, host, modem, caller),
      # The first host that was asked.
      host: ?string,
      # HTTP status of the answer; null if none came.
      status: ?int,
      # Milliseconds from the flow's start.
      start: float,
      # Milliseconds that it took.
      milliseconds: float,
      # What went wrong, in one sentence for people; null if nothing did.
      failure: ?string
    )

    # One request over the bearer and its answer.
    type Hop (
      # Index of its step.
      step: int,
      # From 1 in its step.
      index: int,
      # Scheme of the URL.
      scheme: (http, https),
      # Host of the URL. Path and query are never shown: they may hold secrets.
      host: string,
      # The server's address that was used.
      address: ?string,
      # HTTP status; null if no answer came.
      status: ?int,
      # The host that the answer redirects to.
      next: ?string,
      # Milliseconds from the step's start.
      start: float,
      # Milliseconds to the end of the answer; null if it did not end.
      milliseconds: ?float
    )

    # How the flow ended.
    type Outcome (
      # The result, or why there is none. New words may be added.
      result: (
        verified,
        notVerified,
        simSwapped,
        simUnchanged,
        simUnknown,
        covered,
        authorized,
        numberRead,
        signedIn,
        signed,
        registered,
        answered,
        notMobileIP,
        operatorUnsupported,
        operatorMismatch,
        operatorTimeout,
        operatorError,
        subscriberUnknown,
        headerMissing,
        interactionRequired,
        messageAppRequired,
        codeRequired,
        codeWrong,
        expired,
        rateLimited,
        userRefused,
        tokenRefused,
        pinWrong,
        identityRevoked,
        badRequest,
        clientRefused,
        notConfigured,
        noSIMAnswer,
        noDataPath,
        redirectError,
        tlsError,
        dnsError,
        timeout,
        stateMismatch,
        providerUnavailable,
        badAnswer,
        captivePortal,
        cancelled
      ),
      # Whether the number is the SIM's; null if the flow does not determine it. Never read null as
      # differs.
      number: ?(matches, differs),
      # How the number was proved: by the bearer that a request came over, or by the SIM's answer to a
      # challenge of its operator; null if it was not, or in another way.
      proof: ?(bearer, sim),
      # Whether the number recently moved to another SIM; null if that was not asked.
      sim: ?(changed, unchanged, unknown),
      # The provider's own code, as in ip_msisdn_mismatch.
      code: ?string,
      # HTTP status of the decisive answer.
      status: ?int,
      # With noDataPath and other failures of a chain: the cause, in the words of org.modemd.Check.
      cause: ?string,
      # With rateLimited: when the provider accepts requests again; null if it gave no time.
      retryAfterMilliseconds: ?int,
      # One sentence for people: what happened, and what to do if anything can be done.
      text: string,
      # Name of the provider in the configuration.
      provider: ?string,
      # Kind of the provider, as in truID.
      kind: ?string,
      # Id of the modem.
      modem: ?string,
      # The bearer's address from which the last chain was sent.
      source: ?string,
      # From the call to the end.
      milliseconds: float,
      # Id of the trace: 32 hexadecimal digits. Entries of the journal and the history have it.
      trace: ?string
    )

    # The kind of a stream's reply.
    type Event (ready, step, hop, outcome)

    # How a discovery service identifies the operator: by the network's codes, by a number, by the
    # address of the request, or on a page where a person selects it.
    type Way (network, number, address, page)

    # Selects the operator. Null fields use the SIM's values.
    type Whose (
      # Null for the configured ways, in their order, or for the way by number if `number` is given and
      # neither `network` nor `callback`.
      way: ?Way,
      # In international form.
      number: ?string,
      # MCC and MNC in digits, as in 26201.
      network: ?string,
      # The complete URL to which the browser returned from the page where the operator is selected. It
      # replaces all ways.
      callback: ?string
    )

    # An operator, as a discovery service, its own metadata or the configuration describes it.
    type Operator (
      name: ?string,
      # As in UK.
      country: ?string,
      # As in GBP.
      currency: ?string,
      # The client that the operator knows. Its secret is never returned.
      clientID: ?string,
      # The application's registered name.
      clientName: ?string,
      applicationShortName: ?string,
      # What the link `scope` says.
      scope: ?string,
      # The issuer of its ID tokens.
      issuer: ?string,
      # URLs by their relation: authorization, token, userinfo, premiuminfo, tokenrevoke, tokenrefresh,
      # jwks, openid-configuration, si-authorize.
      endpoints: [string]string,
      # mc_version of its metadata.
      versions: []string,
      scopes: []string,
      acrValues: []string,
      # As in MSISDN, ENCR_MSISDN, PCR; empty if the operator lists none.
      loginHintMethods: []string
    )

    # What discovery found.
    type Discovery (
      found: Operator,
      # The way that led to it; null for a configured operator.
      way: ?Way,
      # The number, encrypted for the operator: for `hintEncrypted` of a request.
      subscriberID: ?string,
      subscriberIDToken: ?string,
      # Whether it was kept from an earlier call.
      kept: bool,
      # Whether it is out of date, and was used because the service could not be reached.
      stale: bool
    )

    # Whether a person is asked (OpenID Connect Core, 3.1.2.1). With no_seam, a person is asked although
    # the bearer is recognised.
    type Prompt (none, login, consent, select_account, no_seam)

    # The request to the operator. Null fields use the configuration, or are omitted.
    type Request (
      # Words; openid is added in front of them.
      scope: ?[]string,
      # Levels of assurance in order of preference: 2 one factor, 3 two.
      acr: ?[]string,
      # The subject, in one of three forms: a number in international form, the subscriberID of a
      # discovery, or the `sub` of an earlier ID token.
      hintNumber: ?string,
      hintEncrypted: ?string,
      hintCustomer: ?string,
      # Issued by the operator, from version 3.0 on. It is not another form of a login hint.
      loginHintToken: ?string,
      # Null for random ones.
      state: ?string,
      nonce: ?string,
      display: ?(page, popup, touch, wap),
      # Null or empty for none. Version 3.0 supports none, login and no_seam; others are omitted there.
      # An authorisation always has login.
      prompt: ?[]Prompt,
      # 0 to 31536000.
      maximumAgeSeconds: ?int,
      # Language tags.
      uiLocales: ?[]string,
      claimsLocales: ?[]string,
      # An earlier ID token.
      idTokenHint: ?string,
      # Data for the handset to sign.
      dtbs: ?string,
      # OpenID Connect Core, 5.5.
      claims: ?object,
      # Values for KYC Match and Attribute Match by their names, those with _hashed for hashes: name, or
      # given_name and family_name; address, or houseno_or_housename, postal_code, town and country;
      # birthdate; is_lost_stolen, billing_segment, account_state.
      kyc: ?[string]string,
      # For an authorisation: the scope mc_authz alone, or a context without mc_authn. The first two are
      # required in versions 1.2 to 2.3.
      clientName: ?string,
      context: ?string,
      bindingMessage: ?string,
      # As in mc_di_r2_v2.3; null for the configured one, else the newest common one.
      version: ?string
    )

    # What an application's own backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and soon
    # expires.
    type Authorization (
      code: string,
      # As it was sent and came back.
      state: string,
      # For the ID token to repeat.
      nonce: string,
      # The complete redirect URI with its parameters.
      redirect: string,
      # As it was sent.
      version: string
    )

    # The answer of the operator's token endpoint.
    type Tokens (
      accessToken: string,
      # As in Bearer.
      tokenType: ?string,
      # Seconds from when it came.
      expiresIn: ?int,
      refreshToken: ?string,
      # Unchanged. It was validated: signature, issuer, audience, nonce, times, at_hash, acr, amr and
      # hashed_login_hint.
      idToken: ?string,
      # What the ID token says.
      claims: ?object,
      # The pseudonymous customer reference: this client's identifier of the user.
      subject: ?string
    )

    # A postal address.
    type Address (
      formatted: ?string,
      street: ?string,
      city: ?string,
      state: ?string,
      postalCode: ?string,
      country: ?string
    )

    # The operator's data about the subscriber, depending on the requested scope.
    type Information (
      subject: ?string,
      name: ?string,
      givenName: ?string,
      middleName: ?string,
      familyName: ?string,
      nickname: ?string,
      preferredUsername: ?string,
      title: ?string,
      # Unchanged: in international form, or hashed.
      phoneNumber: ?string,
      phoneNumberAlternate: ?string,
      email: ?string,
      emailVerified: ?bool,
      address: ?Address,
      birthdate: ?string,
      nationalIdentifier: ?string,
      clientName: ?string,
      idToken: ?string,
      accessToken: ?string,
      # Unchanged: seconds since 1970, or text.
      updatedAt: ?string,
      correlationID: ?string,
      # All its fields, including those not named above.
      all: object
    )

    # Finds the SIM's operator with its endpoints and metadata. With `interactionRequired`, a person
    # selects it on the page, and the call is repeated with the URL to which the browser returns.
    method Discover(
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `covered`.
      discovery: ?Discovery,
      # With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      page: ?string
    )

    # Gets an authorization code over the bearer, for the application's own backend.
    method Authorize(
      # Null for what is configured.
      request: ?Request,
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `authorized`.
      authorization: ?Authorization,
      # With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      page: ?string
    )

    # Signs in the SIM's user. If the provider has an app's server, the device's address, network and
    # number are sent to it, and the redirects that it returns are followed over the bearer to their
    # end. The server then has the tokens. Otherwise, this machine does it all: discovery,
    # authorization, tokens, and the validation of the ID token.
    method Login(
      # Null for the configured one. An app's server makes its own.
      request: ?Request,
      # Also requests this from the operator with the token.
      information: ?(userinfo, premiuminfo),
      # False to use this machine alone, even if there is an app's server; null for the app's server if
      # there is one.
      appServer: ?bool,
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `signedIn`, if this machine did it.
      tokens: ?Tokens,
      information: ?Information,
      # With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      page: ?string,
      # With the result `signedIn`, if an app's server did it: its last answer, such as its session, if
      # that is a JSON object.
      serverAnswer: ?object
    )

    # Exchanges a code that Authorize gave earlier, or that the application got itself with the
    # configured client and redirect URI, and validates the ID token. Nothing goes over the bearer.
    method Exchange(
      code: string,
      # The nonce of the code's authorization, which the ID token must repeat.
      nonce: string,
      # The request of the code's authorization; null for what is configured.
      request: ?Request,
      # Also requests this from the operator with the token.
      information: ?(userinfo, premiuminfo),
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `signedIn`.
      tokens: ?Tokens,
      information: ?Information
    )

    # Asks the operator whether a number is the SIM's (Mobile Number Validation).
    method Validate(
      # In international form.
      number: string,
      # mc_mnv_validate, or mc_mnv_validate_plus; null for the configured one.
      form: ?(plain, plus),
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      page: ?string
    )

    # Makes the operator ask the user at the handset, without redirects, and waits for the answer: the
    # server-initiated mode with polling. Nothing goes over the bearer.
    method AskAtHandset(
      # With a hint; the SIM's own number if it has none.
      request: ?Request,
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `signedIn`.
      tokens: ?Tokens
    )

    # Exchanges a refresh token for new tokens.
    method Refresh(
      refreshToken: string,
      # Null for the token's scope.
      scope: ?[]string,
      # The required subject of a new ID token; null accepts any.
      subject: ?string,
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `authorized`.
      tokens: ?Tokens
    )

    # Takes a token back.
    method Revoke(
      token: string,
      # The kind of the token.
      kind: (access, refresh),
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome
    )

    # Asks the operator's userinfo for data about a token's subscriber.
    method UserInfo(
      accessToken: string,
      # The required subject; null accepts any.
      subject: ?string,
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `authorized`.
      information: ?Information
    )

    # Asks the operator's identity services (premiuminfo).
    method Identity(
      accessToken: string,
      # The required subject; null accepts any.
      subject: ?string,
      # Null for the SIM.
      whose: ?Whose,
      # Name of the provider; null for the only one that serves the SIM's network.
      provider: ?string,
      # Id, device or interface of the modem; null for the only one.
      modem: ?string,
      # The caller's trace (W3C Trace Context), as in
      # 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      traceparent: ?string
    ) -> (
      event: Event,
      step: ?Step,
      hop: ?Hop,
      outcome: ?Outcome,
      # With the result `authorized`.
      information: ?Information
    )

    """#

  /// One action of the flow.
  public typealias Step = VerifyInterface.Step

  /// One request over the bearer and its answer.
  public typealias Hop = VerifyInterface.Hop

  /// How the flow ended.
  public typealias Outcome = VerifyInterface.Outcome

  /// The kind of a stream's reply.
  public enum Event: OpenWord {
    case ready, step, hop, outcome
    case other(String)

    public static let known: [Self] = [.ready, .step, .hop, .outcome]
    public var rawValue: String {
      switch self {
      case .ready: "ready"
      case .step: "step"
      case .hop: "hop"
      case .outcome: "outcome"
      case .other(let word): word
      }
    }
  }

  /// How a discovery service identifies the operator: by the network's codes, by a number, by the
  /// address of the request, or on a page where a person selects it.
  public enum Way: OpenWord {
    case network, number, address, page
    case other(String)

    public static let known: [Self] = [.network, .number, .address, .page]
    public var rawValue: String {
      switch self {
      case .network: "network"
      case .number: "number"
      case .address: "address"
      case .page: "page"
      case .other(let word): word
      }
    }
  }

  /// Selects the operator. Null fields use the SIM's values.
  public struct Whose: Codable, Hashable, Sendable {
    /// Null for the configured ways, in their order, or for the way by number if `number` is given and
    /// neither `network` nor `callback`.
    public var way: Way?
    /// In international form.
    public var number: String?
    /// MCC and MNC in digits, as in 26201.
    public var network: String?
    /// The complete URL to which the browser returned from the page where the operator is selected. It
    /// replaces all ways.
    public var callback: String?

    public init(way: Way? = nil, number: String? = nil, network: String? = nil, callback: String? = nil) {
      self.way = way
      self.number = number
      self.network = network
      self.callback = callback
    }
  }

  /// An operator, as a discovery service, its own metadata or the configuration describes it.
  public struct Operator: Codable, Hashable, Sendable {
    public var name: String?
    /// As in UK.
    public var country: String?
    /// As in GBP.
    public var currency: String?
    /// The client that the operator knows. Its secret is never returned.
    public var clientID: String?
    /// The application's registered name.
    public var clientName: String?
    public var applicationShortName: String?
    /// What the link `scope` says.
    public var scope: String?
    /// The issuer of its ID tokens.
    public var issuer: String?
    /// URLs by their relation: authorization, token, userinfo, premiuminfo, tokenrevoke, tokenrefresh,
    /// jwks, openid-configuration, si-authorize.
    public var endpoints: [String: String]
    /// mc_version of its metadata.
    public var versions: [String]
    public var scopes: [String]
    public var acrValues: [String]
    /// As in MSISDN, ENCR_MSISDN, PCR; empty if the operator lists none.
    public var loginHintMethods: [String]

    public init(
      name: String? = nil, country: String? = nil, currency: String? = nil, clientID: String? = nil,
      clientName: String? = nil, applicationShortName: String? = nil, scope: String? = nil, issuer: String? = nil,
      endpoints: [String: String], versions: [String], scopes: [String], acrValues: [String], loginHintMethods: [String]
    ) {
      self.name = name
      self.country = country
      self.currency = currency
      self.clientID = clientID
      self.clientName = clientName
      self.applicationShortName = applicationShortName
      self.scope = scope
      self.issuer = issuer
      self.endpoints = endpoints
      self.versions = versions
      self.scopes = scopes
      self.acrValues = acrValues
      self.loginHintMethods = loginHintMethods
    }
  }

  /// What discovery found.
  public struct Discovery: Codable, Hashable, Sendable {
    public var found: Operator
    /// The way that led to it; null for a configured operator.
    public var way: Way?
    /// The number, encrypted for the operator: for `hintEncrypted` of a request.
    public var subscriberID: String?
    public var subscriberIDToken: String?
    /// Whether it was kept from an earlier call.
    public var kept: Bool
    /// Whether it is out of date, and was used because the service could not be reached.
    public var stale: Bool

    public init(
      found: Operator, way: Way? = nil, subscriberID: String? = nil, subscriberIDToken: String? = nil, kept: Bool,
      stale: Bool
    ) {
      self.found = found
      self.way = way
      self.subscriberID = subscriberID
      self.subscriberIDToken = subscriberIDToken
      self.kept = kept
      self.stale = stale
    }
  }

  /// Whether a person is asked (OpenID Connect Core, 3.1.2.1). With no_seam, a person is asked although
  /// the bearer is recognised.
  public enum Prompt: String, Codable, CaseIterable, Hashable, Sendable {
    case none, login, consent, select_account, no_seam
  }

  /// The request to the operator. Null fields use the configuration, or are omitted.
  public struct Request: Codable, Hashable, Sendable {
    /// Words; openid is added in front of them.
    public var scope: [String]?
    /// Levels of assurance in order of preference: 2 one factor, 3 two.
    public var acr: [String]?
    /// The subject, in one of three forms: a number in international form, the subscriberID of a
    /// discovery, or the `sub` of an earlier ID token.
    public var hintNumber: String?
    public var hintEncrypted: String?
    public var hintCustomer: String?
    /// Issued by the operator, from version 3.0 on. It is not another form of a login hint.
    public var loginHintToken: String?
    /// Null for random ones.
    public var state: String?
    public var nonce: String?
    public var display: Display?
    /// Null or empty for none. Version 3.0 supports none, login and no_seam; others are omitted there.
    /// An authorisation always has login.
    public var prompt: [Prompt]?
    /// 0 to 31536000.
    public var maximumAgeSeconds: Int?
    /// Language tags.
    public var uiLocales: [String]?
    public var claimsLocales: [String]?
    /// An earlier ID token.
    public var idTokenHint: String?
    /// Data for the handset to sign.
    public var dtbs: String?
    /// OpenID Connect Core, 5.5.
    public var claims: JSONValue?
    /// Values for KYC Match and Attribute Match by their names, those with _hashed for hashes: name, or
    /// given_name and family_name; address, or houseno_or_housename, postal_code, town and country;
    /// birthdate; is_lost_stolen, billing_segment, account_state.
    public var kyc: [String: String]?
    /// For an authorisation: the scope mc_authz alone, or a context without mc_authn. The first two are
    /// required in versions 1.2 to 2.3.
    public var clientName: String?
    public var context: String?
    public var bindingMessage: String?
    /// As in mc_di_r2_v2.3; null for the configured one, else the newest common one.
    public var version: String?

    public init(
      scope: [String]? = nil, acr: [String]? = nil, hintNumber: String? = nil, hintEncrypted: String? = nil,
      hintCustomer: String? = nil, loginHintToken: String? = nil, state: String? = nil, nonce: String? = nil,
      display: Display? = nil, prompt: [Prompt]? = nil, maximumAgeSeconds: Int? = nil, uiLocales: [String]? = nil,
      claimsLocales: [String]? = nil, idTokenHint: String? = nil, dtbs: String? = nil, claims: JSONValue? = nil,
      kyc: [String: String]? = nil, clientName: String? = nil, context: String? = nil, bindingMessage: String? = nil,
      version: String? = nil
    ) {
      self.scope = scope
      self.acr = acr
      self.hintNumber = hintNumber
      self.hintEncrypted = hintEncrypted
      self.hintCustomer = hintCustomer
      self.loginHintToken = loginHintToken
      self.state = state
      self.nonce = nonce
      self.display = display
      self.prompt = prompt
      self.maximumAgeSeconds = maximumAgeSeconds
      self.uiLocales = uiLocales
      self.claimsLocales = claimsLocales
      self.idTokenHint = idTokenHint
      self.dtbs = dtbs
      self.claims = claims
      self.kyc = kyc
      self.clientName = clientName
      self.context = context
      self.bindingMessage = bindingMessage
      self.version = version
    }

    /// One of the values of `display`.
    public enum Display: String, Codable, CaseIterable, Hashable, Sendable {
      case page, popup, touch, wap
    }
  }

  /// What an application's own backend exchanges for tokens (RFC 6749, 4.1.3). It works once, and soon
  /// expires.
  public struct Authorization: Codable, Hashable, Sendable {
    public var code: String
    /// As it was sent and came back.
    public var state: String
    /// For the ID token to repeat.
    public var nonce: String
    /// The complete redirect URI with its parameters.
    public var redirect: String
    /// As it was sent.
    public var version: String

    public init(code: String, state: String, nonce: String, redirect: String, version: String) {
      self.code = code
      self.state = state
      self.nonce = nonce
      self.redirect = redirect
      self.version = version
    }
  }

  /// The answer of the operator's token endpoint.
  public struct Tokens: Codable, Hashable, Sendable {
    public var accessToken: String
    /// As in Bearer.
    public var tokenType: String?
    /// Seconds from when it came.
    public var expiresIn: Int?
    public var refreshToken: String?
    /// Unchanged. It was validated: signature, issuer, audience, nonce, times, at_hash, acr, amr and
    /// hashed_login_hint.
    public var idToken: String?
    /// What the ID token says.
    public var claims: JSONValue?
    /// The pseudonymous customer reference: this client's identifier of the user.
    public var subject: String?

    public init(
      accessToken: String, tokenType: String? = nil, expiresIn: Int? = nil, refreshToken: String? = nil,
      idToken: String? = nil, claims: JSONValue? = nil, subject: String? = nil
    ) {
      self.accessToken = accessToken
      self.tokenType = tokenType
      self.expiresIn = expiresIn
      self.refreshToken = refreshToken
      self.idToken = idToken
      self.claims = claims
      self.subject = subject
    }
  }

  /// A postal address.
  public struct Address: Codable, Hashable, Sendable {
    public var formatted: String?
    public var street: String?
    public var city: String?
    public var state: String?
    public var postalCode: String?
    public var country: String?

    public init(
      formatted: String? = nil, street: String? = nil, city: String? = nil, state: String? = nil,
      postalCode: String? = nil, country: String? = nil
    ) {
      self.formatted = formatted
      self.street = street
      self.city = city
      self.state = state
      self.postalCode = postalCode
      self.country = country
    }
  }

  /// The operator's data about the subscriber, depending on the requested scope.
  public struct Information: Codable, Hashable, Sendable {
    public var subject: String?
    public var name: String?
    public var givenName: String?
    public var middleName: String?
    public var familyName: String?
    public var nickname: String?
    public var preferredUsername: String?
    public var title: String?
    /// Unchanged: in international form, or hashed.
    public var phoneNumber: String?
    public var phoneNumberAlternate: String?
    public var email: String?
    public var emailVerified: Bool?
    public var address: Address?
    public var birthdate: String?
    public var nationalIdentifier: String?
    public var clientName: String?
    public var idToken: String?
    public var accessToken: String?
    /// Unchanged: seconds since 1970, or text.
    public var updatedAt: String?
    public var correlationID: String?
    /// All its fields, including those not named above.
    public var all: JSONValue

    public init(
      subject: String? = nil, name: String? = nil, givenName: String? = nil, middleName: String? = nil,
      familyName: String? = nil, nickname: String? = nil, preferredUsername: String? = nil, title: String? = nil,
      phoneNumber: String? = nil, phoneNumberAlternate: String? = nil, email: String? = nil, emailVerified: Bool? = nil,
      address: Address? = nil, birthdate: String? = nil, nationalIdentifier: String? = nil, clientName: String? = nil,
      idToken: String? = nil, accessToken: String? = nil, updatedAt: String? = nil, correlationID: String? = nil,
      all: JSONValue
    ) {
      self.subject = subject
      self.name = name
      self.givenName = givenName
      self.middleName = middleName
      self.familyName = familyName
      self.nickname = nickname
      self.preferredUsername = preferredUsername
      self.title = title
      self.phoneNumber = phoneNumber
      self.phoneNumberAlternate = phoneNumberAlternate
      self.email = email
      self.emailVerified = emailVerified
      self.address = address
      self.birthdate = birthdate
      self.nationalIdentifier = nationalIdentifier
      self.clientName = clientName
      self.idToken = idToken
      self.accessToken = accessToken
      self.updatedAt = updatedAt
      self.correlationID = correlationID
      self.all = all
    }
  }

  /// Finds the SIM's operator with its endpoints and metadata. With `interactionRequired`, a person
  /// selects it on the page, and the call is repeated with the URL to which the browser returns.
  public enum Discover: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Discover"

    /// What `Discover` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["whose", "provider", "modem", "traceparent"]
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(whose: Whose? = nil, provider: String? = nil, modem: String? = nil, traceparent: String? = nil) {
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Discover` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `covered`.
      public var discovery: Discovery?
      /// With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      public var page: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, discovery: Discovery? = nil,
        page: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.discovery = discovery
        self.page = page
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, discovery: nil, page: nil)
      }
    }
  }

  /// Gets an authorization code over the bearer, for the application's own backend.
  public enum Authorize: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Authorize"

    /// What `Authorize` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["request", "whose", "provider", "modem", "traceparent"]
      /// Null for what is configured.
      public var request: Request?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        request: Request? = nil, whose: Whose? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.request = request
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Authorize` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `authorized`.
      public var authorization: Authorization?
      /// With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      public var page: String?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, authorization: Authorization? = nil,
        page: String? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.authorization = authorization
        self.page = page
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, authorization: nil, page: nil)
      }
    }
  }

  /// Signs in the SIM's user. If the provider has an app's server, the device's address, network and
  /// number are sent to it, and the redirects that it returns are followed over the bearer to their
  /// end. The server then has the tokens. Otherwise, this machine does it all: discovery,
  /// authorization, tokens, and the validation of the ID token.
  public enum Login: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Login"

    /// What `Login` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "request", "information", "appServer", "whose", "provider", "modem", "traceparent",
      ]
      /// Null for the configured one. An app's server makes its own.
      public var request: Request?
      /// Also requests this from the operator with the token.
      public var information: Information?
      /// False to use this machine alone, even if there is an app's server; null for the app's server if
      /// there is one.
      public var appServer: Bool?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        request: Request? = nil, information: Information? = nil, appServer: Bool? = nil, whose: Whose? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.request = request
        self.information = information
        self.appServer = appServer
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `information`.
      public enum Information: String, Codable, CaseIterable, Hashable, Sendable {
        case userinfo, premiuminfo
      }
    }

    /// What `Login` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `signedIn`, if this machine did it.
      public var tokens: Tokens?
      public var information: Information?
      /// With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      public var page: String?
      /// With the result `signedIn`, if an app's server did it: its last answer, such as its session, if
      /// that is a JSON object.
      public var serverAnswer: JSONValue?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, tokens: Tokens? = nil,
        information: Information? = nil, page: String? = nil, serverAnswer: JSONValue? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.tokens = tokens
        self.information = information
        self.page = page
        self.serverAnswer = serverAnswer
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(
          event: event, step: nil, hop: nil, outcome: nil, tokens: nil, information: nil, page: nil, serverAnswer: nil
        )
      }
    }
  }

  /// Exchanges a code that Authorize gave earlier, or that the application got itself with the
  /// configured client and redirect URI, and validates the ID token. Nothing goes over the bearer.
  public enum Exchange: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Exchange"

    /// What `Exchange` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "code", "nonce", "request", "information", "whose", "provider", "modem", "traceparent",
      ]
      public var code: String
      /// The nonce of the code's authorization, which the ID token must repeat.
      public var nonce: String
      /// The request of the code's authorization; null for what is configured.
      public var request: Request?
      /// Also requests this from the operator with the token.
      public var information: Information?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        code: String, nonce: String, request: Request? = nil, information: Information? = nil, whose: Whose? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.code = code
        self.nonce = nonce
        self.request = request
        self.information = information
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `information`.
      public typealias Information = MobileConnectInterface.Login.Parameters.Information
    }

    /// What `Exchange` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `signedIn`.
      public var tokens: Tokens?
      public var information: Information?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, tokens: Tokens? = nil,
        information: Information? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.tokens = tokens
        self.information = information
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, tokens: nil, information: nil)
      }
    }
  }

  /// Asks the operator whether a number is the SIM's (Mobile Number Validation).
  public enum Validate: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Validate"

    /// What `Validate` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["number", "form", "whose", "provider", "modem", "traceparent"]
      /// In international form.
      public var number: String
      /// mc_mnv_validate, or mc_mnv_validate_plus; null for the configured one.
      public var form: Form?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        number: String, form: Form? = nil, whose: Whose? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.number = number
        self.form = form
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `form`.
      public enum Form: String, Codable, CaseIterable, Hashable, Sendable {
        case plain, plus
      }
    }

    /// What `Validate` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `interactionRequired`: the page where a person must answer. It may hold secrets.
      public var page: String?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, page: String? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.page = page
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, page: nil)
      }
    }
  }

  /// Makes the operator ask the user at the handset, without redirects, and waits for the answer: the
  /// server-initiated mode with polling. Nothing goes over the bearer.
  public enum AskAtHandset: FlowMethod {
    public static let name = "org.modemd.MobileConnect.AskAtHandset"

    /// What `AskAtHandset` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["request", "whose", "provider", "modem", "traceparent"]
      /// With a hint; the SIM's own number if it has none.
      public var request: Request?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        request: Request? = nil, whose: Whose? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.request = request
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `AskAtHandset` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `signedIn`.
      public var tokens: Tokens?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, tokens: Tokens? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.tokens = tokens
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, tokens: nil)
      }
    }
  }

  /// Exchanges a refresh token for new tokens.
  public enum Refresh: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Refresh"

    /// What `Refresh` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "refreshToken", "scope", "subject", "whose", "provider", "modem", "traceparent",
      ]
      public var refreshToken: String
      /// Null for the token's scope.
      public var scope: [String]?
      /// The required subject of a new ID token; null accepts any.
      public var subject: String?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        refreshToken: String, scope: [String]? = nil, subject: String? = nil, whose: Whose? = nil,
        provider: String? = nil, modem: String? = nil, traceparent: String? = nil
      ) {
        self.refreshToken = refreshToken
        self.scope = scope
        self.subject = subject
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Refresh` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `authorized`.
      public var tokens: Tokens?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, tokens: Tokens? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.tokens = tokens
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, tokens: nil)
      }
    }
  }

  /// Takes a token back.
  public enum Revoke: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Revoke"

    /// What `Revoke` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = ["token", "kind", "whose", "provider", "modem", "traceparent"]
      public var token: String
      /// The kind of the token.
      public var kind: Kind
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        token: String, kind: Kind, whose: Whose? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.token = token
        self.kind = kind
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }

      /// One of the values of `kind`.
      public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case access, refresh
      }
    }

    /// What `Revoke` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?

      public init(event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil)
      }
    }
  }

  /// Asks the operator's userinfo for data about a token's subscriber.
  public enum UserInfo: FlowMethod {
    public static let name = "org.modemd.MobileConnect.UserInfo"

    /// What `UserInfo` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "accessToken", "subject", "whose", "provider", "modem", "traceparent",
      ]
      public var accessToken: String
      /// The required subject; null accepts any.
      public var subject: String?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        accessToken: String, subject: String? = nil, whose: Whose? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.accessToken = accessToken
        self.subject = subject
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `UserInfo` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `authorized`.
      public var information: Information?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, information: Information? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.information = information
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, information: nil)
      }
    }
  }

  /// Asks the operator's identity services (premiuminfo).
  public enum Identity: FlowMethod {
    public static let name = "org.modemd.MobileConnect.Identity"

    /// What `Identity` takes.
    public struct Parameters: FlowMethodParameters, Hashable {
      public static let fieldNames: Set<String> = [
        "accessToken", "subject", "whose", "provider", "modem", "traceparent",
      ]
      public var accessToken: String
      /// The required subject; null accepts any.
      public var subject: String?
      /// Null for the SIM.
      public var whose: Whose?
      /// Name of the provider; null for the only one that serves the SIM's network.
      public var provider: String?
      /// Id, device or interface of the modem; null for the only one.
      public var modem: String?
      /// The caller's trace (W3C Trace Context), as in
      /// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01; null for a new one.
      public var traceparent: String?

      public init(
        accessToken: String, subject: String? = nil, whose: Whose? = nil, provider: String? = nil, modem: String? = nil,
        traceparent: String? = nil
      ) {
        self.accessToken = accessToken
        self.subject = subject
        self.whose = whose
        self.provider = provider
        self.modem = modem
        self.traceparent = traceparent
      }
    }

    /// What `Identity` answers.
    public struct Reply: FlowMethodReply {
      public var event: Event
      public var step: Step?
      public var hop: Hop?
      public var outcome: Outcome?
      /// With the result `authorized`.
      public var information: Information?

      public init(
        event: Event, step: Step? = nil, hop: Hop? = nil, outcome: Outcome? = nil, information: Information? = nil
      ) {
        self.event = event
        self.step = step
        self.hop = hop
        self.outcome = outcome
        self.information = information
      }

      /// A reply that says what happened, and nothing else.
      public init(event: Event) {
        self.init(event: event, step: nil, hop: nil, outcome: nil, information: nil)
      }
    }
  }
}
