import AuthCore
import RedirectChain
import Web
import AuthFlows

/// The configuration of a Firebase project for signing users in by their phone number.
package struct FirebaseSettings: Hashable, ProviderConfiguration {
  package static let kind = "firebase"

  /// The form of the methods to call; both do the same.
  package enum Version: String, Hashable, Sendable, CaseIterable {
    case v1, v3
  }

  /// How to find the code in a message.
  package struct Code: Hashable, Sendable {
    /// The message's complete sender; nil for any.
    package var sender: String?
    /// In the form of `Messages.WaitForCode`; nil for any message that seems to contain a code.
    package var pattern: String?
    /// How long to wait for each code, 1 to 600 seconds.
    package var time: Duration
    /// The largest number of codes to try, 1 to 10.
    package var attempts: Int

    package init(
      sender: String? = nil, pattern: String? = nil, time: Duration = .seconds(120), attempts: Int = 3
    ) {
      self.sender = sender
      self.pattern = pattern
      self.time = time
      self.attempts = attempts
    }
  }

  package var hosts: FirebaseHosts
  package var version: Version
  /// The project's web API key. The emulator accepts any key, so it may be missing there.
  package var apiKey: Secret?
  /// Language of the message, as in `de`: X-Firebase-Locale.
  package var locale: String?
  package var tenant: String?
  /// Sent with an iOS receipt, as x-ios-bundle-identifier.
  package var iosBundle: String?
  /// The network for calls to Firebase. Their origin proves nothing.
  package var route: BackendRoute
  /// The project's own test numbers with their codes. Firebase sends no messages to them.
  package var testNumbers: [SubscriberNumber: Secret]
  package var code: Code
  /// The check before any message is sent; without it, nobody is signed in.
  package var gate: SIMGate?

  package init(
    hosts: FirebaseHosts = .production, version: Version = .v1, apiKey: Secret? = nil, locale: String? = nil,
    tenant: String? = nil,
    iosBundle: String? = nil, route: BackendRoute = .host, testNumbers: [SubscriberNumber: Secret] = [:],
    code: Code = Code(), gate: SIMGate? = nil
  ) {
    self.hosts = hosts
    self.version = version
    self.apiKey = apiKey
    self.locale = locale
    self.tenant = tenant
    self.iosBundle = iosBundle
    self.route = route
    self.testNumbers = testNumbers
    self.code = code
    self.gate = gate
  }

  package var configuredURLs: [WebURL] {
    var urls = [hosts.identity.url, hosts.legacy.url, hosts.tokens.url]
    if case .backend(let backend)? = gate?.source { urls.append(backend.endpoint.url) }
    return urls
  }

  package var tracedURLs: [WebURL] {
    guard case .backend(let backend)? = gate?.source, backend.isTraced else { return [] }
    return [backend.endpoint.url]
  }

  package var otherAbilities: [ProviderAbility] { [.signIn] }

  /// A refresh with a token that nobody was given: Firebase looks at the key first.
  package func credentialCheck(named name: String) -> CredentialCheck {
    guard !hosts.isEmulator else { return .notNeeded("the emulator accepts any key") }
    let call = FirebaseCalls(settings: self).refresh(Secret(CredentialMachine.noCode))
    let host = call.url.host
    return .ask { _, run in
      try await run(
        CredentialMachine(call) { reply in
          let error = FirebaseError(reply)
          guard ["INVALID_REFRESH_TOKEN", "TOKEN_EXPIRED", "invalid_grant"].contains(error.code) else {
            return error.outcome
          }
          return FlowOutcome(.authorized, code: error.code, status: reply.status, "\(host) accepts the API key")
        }
      ).outcome
    }
  }

  package var cleartextHosts: Set<String> { hosts.isEmulator ? [hosts.identity.host] : [] }
}
