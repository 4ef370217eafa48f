import AuthCore
import ModemModel
import RedirectChain
import Web

/// The configured providers of all kinds, ordered by file name.
package struct ProviderSet: Sendable {
  private var entries: [any Entry] = []
  /// The files that cannot be used, in the order of their names.
  package private(set) var faults: [ProviderFault] = []

  package init() {}

  /// Adds a file that cannot be used.
  package mutating func add(_ fault: ProviderFault) { faults.append(fault) }

  /// Adds a provider behind those that are there.
  package mutating func add<Settings>(_ provider: NamedProvider<Settings>) { entries.append(provider) }

  /// Changes the settings of all providers of a kind, those by network too.
  package mutating func change<Settings: ProviderConfiguration>(
    _: Settings.Type, _ body: (inout Settings) -> Void
  ) {
    func changed(_ settings: Settings) -> Settings {
      var settings = settings
      body(&settings)
      return settings
    }
    entries = entries.map { entry in
      guard let provider = entry as? NamedProvider<Settings> else { return entry }
      return NamedProvider(
        name: provider.name, networks: provider.networks, settings: changed(provider.settings),
        overrides: provider.overrides.mapValues { changed($0) })
    }
  }

  /// Name and kind of each.
  package var names: [(name: String, kind: String)] { entries.map { ($0.name, $0.kind) } }

  /// What is told of each provider.
  ///
  /// - Parameter home: the SIM's own network, as what a provider can do may depend on it; nil for
  ///   none.
  package func descriptions(for home: PLMN? = nil) -> [ProviderDescription] {
    entries.map {
      ProviderDescription(
        name: $0.name, kind: $0.kind, networks: $0.networks?.sorted(), abilities: $0.abilities(for: home, among: self))
    }
  }

  /// What it takes to check one provider.
  ///
  /// - Parameter home: the SIM's own network; nil for none.
  /// - Throws: `AuthError` `noProvider`.
  package func checkable(named name: String, for home: PLMN?) throws(AuthError) -> CheckableProvider {
    guard let entry = entries.first(where: { $0.name == name }) else {
      if let disabled = disabled(name) { throw disabled }
      throw AuthError(
        .noProvider, "no provider of that name is configured; configured are: \(Self.list(entries.map(\.name)))")
    }
    return CheckableProvider(
      name: entry.name, kind: entry.kind, networks: entry.networks?.sorted(), isMeant: entry.isMeant(for: home),
      credentials: entry.credentialCheck(for: home), verifier: entry.verifier(for: home, among: self),
      obstacle: entry.tokensFrom(for: home).flatMap { obstacle(of: $0, for: home) })
  }

  /// Hosts that may be reached in cleartext.
  package var cleartextHosts: Set<String> { entries.reduce(into: []) { $0.formUnion($1.cleartextHosts) } }

  /// Origins of applications' own servers that are told of the trace of a call over the machine's
  /// own network.
  package var tracedOrigins: Set<WebURL.Origin> {
    entries.reduce(into: []) { $0.formUnion($1.tracedURLs.map(\.origin)) }
  }

  /// The configured origins: as they are written, and hosts that name a domain, with https.
  package var configuredOrigins: Set<WebURL.Origin> {
    entries.reduce(into: []) { origins, entry in
      origins.formUnion(entry.configuredURLs.map(\.origin))
      origins.formUnion(entry.configuredDomains.compactMap { try? WebURL("https://\($0)/").origin })
    }
  }

  /// All of one kind.
  package func all<Settings: ProviderConfiguration>(_: Settings.Type) -> [NamedProvider<Settings>] {
    entries.compactMap { $0 as? NamedProvider<Settings> }
  }

  /// One provider of a kind.
  ///
  /// - Parameters:
  ///   - name: nil for the only one that serves the network.
  ///   - home: the SIM's own network; nil if unknown.
  /// - Throws: `AuthError` `noProvider`, `moreThanOneProvider`.
  package func find<Settings: ProviderConfiguration>(
    _: Settings.Type, named name: String?, for home: PLMN?
  ) throws(AuthError) -> NamedProvider<Settings> {
    let all = all(Settings.self)
    if let name {
      guard let named = all.first(where: { $0.name == name }) else {
        if let disabled = disabled(name) { throw disabled }
        throw Self.none(Settings.kind, "of that name; those of this kind are: \(Self.list(all.map(\.name)))")
      }
      return named
    }
    let meant = all.filter { $0.isMeant(for: home) }
    guard meant.count < 2 else {
      let names = meant.map(\.name)
      throw AuthError(
        .moreThanOneProvider(names),
        "\(names.count) providers of the kind \(Settings.kind) are for this SIM; name one of "
          + Self.list(names))
    }
    guard let only = meant.first else {
      let reason = all.isEmpty ? "" : "for SIMs of this network; those of this kind are: \(Self.list(all.map(\.name)))"
      throw Self.none(Settings.kind, reason)
    }
    return only
  }

  /// The providers that can determine whether a number is the SIM's, as they are configured;
  /// `VerifyOrder` says in which order they are asked.
  ///
  /// - Parameter name: nil for all that serve the network.
  /// - Throws: `AuthError` `noProvider`.
  package func numberVerifiers(named name: String?, for home: PLMN?) throws(AuthError) -> [VerifyCandidate] {
    let chosen = entries.filter { name == nil ? $0.isMeant(for: home) : $0.name == name }
    let found = chosen.compactMap { entry in
      entry.verifier(for: home, among: self).map { VerifyCandidate($0, namesNetworks: entry.networks != nil) }
    }
    guard !found.isEmpty else {
      if let name {
        if let disabled = disabled(name) { throw disabled }
        throw AuthError(
          .noProvider, "no provider of that name verifies numbers; configured are: \(Self.list(entries.map(\.name)))")
      }
      guard !entries.isEmpty || !faults.isEmpty else {
        throw AuthError(
          .noProvider, "no configured provider verifies numbers of this SIM's network; \(Self.beginning)")
      }
      throw AuthError(
        .noProvider,
        "no configured provider verifies numbers of this SIM's network\(Self.text(home)): "
          + reasons(for: home, "does not verify numbers") { $0.verifier(for: home, among: self) != nil })
    }
    return found
  }

  /// A provider that can determine whether a number moved to another SIM.
  ///
  /// - Parameter name: nil for the only one that serves the network.
  /// - Throws: `AuthError` `noProvider`, `moreThanOneProvider`.
  package func simChangeChecker(named name: String?, for home: PLMN?) throws(AuthError) -> any SIMChangeChecker {
    let found = entries.filter { name == nil ? $0.isMeant(for: home) : $0.name == name }
      .compactMap { $0.changeChecker(for: home) }
    guard found.count < 2 else {
      let names = found.map(\.name)
      throw AuthError(
        .moreThanOneProvider(names),
        "\(names.count) providers tell of SIM changes for this SIM; name one of \(Self.list(names))")
    }
    guard let only = found.first else {
      if let name {
        if let disabled = disabled(name) { throw disabled }
        throw AuthError(
          .noProvider,
          "no provider of that name tells of SIM changes; configured are: \(Self.list(entries.map(\.name)))")
      }
      guard !entries.isEmpty || !faults.isEmpty else {
        throw AuthError(.noProvider, "no configured provider tells of SIM changes; \(Self.beginning)")
      }
      throw AuthError(
        .noProvider,
        "no configured provider tells of SIM changes for this SIM's network\(Self.text(home)): "
          + reasons(for: home, "does not tell of SIM changes") { $0.changeChecker(for: home) != nil })
    }
    return only
  }

  /// A provider that gets operator tokens.
  ///
  /// - Throws: `AuthError` `noProvider`.
  package func operatorTokenSource(named name: String, for home: PLMN?) throws(AuthError) -> any OperatorTokenSource {
    guard let entry = entries.first(where: { $0.name == name }) else {
      if let disabled = disabled(name) { throw disabled }
      throw AuthError(
        .noProvider,
        "operatorTokensFrom: no provider of the name \(name) is configured; configured are: \(Self.list(entries.map(\.name)))"
      )
    }
    guard let source = entry.tokenSource(for: home) else {
      throw AuthError(
        .noProvider,
        "operatorTokensFrom: the provider \(name) is of the kind \(entry.kind), which gets no operator tokens; name one of the kind ts43"
      )
    }
    if let home, !entry.isMeant(for: home) {
      throw AuthError(
        .noProvider,
        "operatorTokensFrom: the provider \(name) is for SIMs of \(Self.list(entry.networks?.sorted() ?? [])), and not of \(home)"
      )
    }
    return source
  }

  /// Why a provider's source of operator tokens cannot be used; nil if it can.
  private func obstacle(of name: String, for home: PLMN?) -> String? {
    do {
      _ = try operatorTokenSource(named: name, for: home)
      return nil
    } catch {
      return error.message
    }
  }

  /// The same; where there is none, a source that gives the reason in place of a token.
  package func tokenSource(named name: String, for home: PLMN?) -> any OperatorTokenSource {
    do {
      return try operatorTokenSource(named: name, for: home)
    } catch {
      return AbsentTokenSource(name: name, error.message)
    }
  }

  private static func none(_ kind: String, _ reason: String) -> AuthError {
    AuthError(
      .noProvider,
      reason.isEmpty
        ? "no provider of the kind \(kind) is configured; \(beginning)"
        : "no provider of the kind \(kind) is configured \(reason)")
  }

  /// How a provider is configured.
  private static let beginning =
    "run `sudo modemctl provider add`, or put a file for one into /etc/modemd/providers and run `sudo systemctl reload modemd`"

  /// The error for a provider whose file cannot be used.
  private func disabled(_ name: String) -> AuthError? {
    guard let fault = faults.first(where: { $0.name == name }) else { return nil }
    return AuthError(.noProvider, "the provider \(name) is disabled: \(fault)")
  }

  /// Why each provider cannot be asked about SIMs of a network.
  ///
  /// - Parameters:
  ///   - inability: what is said of a provider that lacks the ability.
  ///   - isAble: whether a provider has it.
  private func reasons(
    for home: PLMN?, _ inability: String, _ isAble: (any Entry) -> Bool
  ) -> String {
    let own = entries.map { entry in
      let name = "\(entry.name) (\(entry.kind))"
      guard !isAble(entry) else {
        return "\(name) is for SIMs of \(Self.list(entry.networks?.sorted() ?? []))"
          + (home == nil ? ", and the SIM's network is not known" : "")
      }
      return "\(name) \(inability)"
    }
    return (own + faults.map { "\($0.name) is disabled: \($0)" }).joined(separator: "; ")
  }

  private static func text(_ home: PLMN?) -> String { home.map { " (\($0))" } ?? "" }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}

/// A provider of any kind.
private protocol Entry: Sendable {
  var name: String { get }
  var kind: String { get }
  var networks: Set<String>? { get }
  func abilities(for home: PLMN?, among providers: ProviderSet) -> [ProviderAbility]
  func credentialCheck(for home: PLMN?) -> CredentialCheck
  func isMeant(for home: PLMN?) -> Bool
  func verifier(for home: PLMN?, among providers: ProviderSet) -> (any NumberVerifier)?
  func changeChecker(for home: PLMN?) -> (any SIMChangeChecker)?
  func tokenSource(for home: PLMN?) -> (any OperatorTokenSource)?
  func tokensFrom(for home: PLMN?) -> String?
  var cleartextHosts: Set<String> { get }
  var configuredURLs: [WebURL] { get }
  var tracedURLs: [WebURL] { get }
  var configuredDomains: Set<String> { get }
}

extension NamedProvider: Entry {
  fileprivate var kind: String { Settings.kind }
  fileprivate func credentialCheck(for home: PLMN?) -> CredentialCheck {
    settings(for: home).credentialCheck(named: name)
  }
  fileprivate func abilities(for home: PLMN?, among providers: ProviderSet) -> [ProviderAbility] {
    let settings = settings(for: home)
    let found: [ProviderAbility?] = [
      verifier(for: home, among: providers).map { _ in .verifyNumber },
      settings.simChangeChecker(named: name).map { _ in .simChange },
    ]
    return found.compactMap(\.self) + settings.otherAbilities
  }
  fileprivate func verifier(for home: PLMN?, among providers: ProviderSet) -> (any NumberVerifier)? {
    let settings = settings(for: home)
    guard let source = settings.operatorTokensFrom else { return settings.numberVerifier(named: name) }
    return settings.numberVerifier(named: name, spending: providers.tokenSource(named: source, for: home))
  }
  fileprivate func tokenSource(for home: PLMN?) -> (any OperatorTokenSource)? {
    settings(for: home).operatorTokenSource(named: name)
  }
  fileprivate func tokensFrom(for home: PLMN?) -> String? { settings(for: home).operatorTokensFrom }
  fileprivate var cleartextHosts: Set<String> {
    overrides.values.reduce(into: settings.cleartextHosts) { $0.formUnion($1.cleartextHosts) }
  }
  fileprivate var configuredURLs: [WebURL] {
    overrides.values.reduce(into: settings.configuredURLs) { $0 += $1.configuredURLs }
  }
  fileprivate var tracedURLs: [WebURL] {
    overrides.values.reduce(into: settings.tracedURLs) { $0 += $1.tracedURLs }
  }
  fileprivate var configuredDomains: Set<String> {
    overrides.values.reduce(into: settings.configuredDomains) { $0.formUnion($1.configuredDomains) }
  }
  fileprivate func changeChecker(for home: PLMN?) -> (any SIMChangeChecker)? {
    settings(for: home).simChangeChecker(named: name)
  }
}
