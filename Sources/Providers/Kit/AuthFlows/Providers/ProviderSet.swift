import AuthCore
import ModemModel
import RedirectChain
import Web

/// The configured providers of all kinds, ordered by file name.
package struct ProviderSet: Sendable {
  private var entries: [any Entry] = []

  package init() {}

  /// Adds a provider behind those that are there.
  package mutating func add<Settings>(_ provider: NamedProvider<Settings>) { entries.append(provider) }

  /// Name and kind of each.
  package var names: [(name: String, kind: String)] { entries.map { ($0.name, $0.kind) } }

  /// Hosts that may be reached in cleartext.
  package var cleartextHosts: Set<String> { entries.reduce(into: []) { $0.formUnion($1.cleartextHosts) } }

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

  /// The providers that can determine whether a number is the SIM's, in order: those that name the
  /// SIM's network first.
  ///
  /// - Parameter name: nil for all that serve the network.
  /// - Throws: `AuthError` `noProvider`.
  package func numberVerifiers(named name: String?, for home: PLMN?) throws(AuthError) -> [any NumberVerifier] {
    let chosen = entries.filter { name == nil ? $0.isMeant(for: home) : $0.name == name }
    let verifiers = chosen.filter(\.namesNetworks) + chosen.filter { !$0.namesNetworks }
    let found = verifiers.compactMap { $0.verifier(for: home) }
    guard !found.isEmpty else {
      let known = Self.list(entries.map(\.name))
      throw AuthError(
        .noProvider,
        (name == nil
          ? "no configured provider verifies numbers of this SIM's network"
          : "no provider of that name verifies numbers")
          + (entries.isEmpty ? "; put a file for one into /etc/modemd/providers" : "; configured are: \(known)"))
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
      throw AuthError(
        .noProvider,
        (name == nil ? "no configured provider tells" : "no provider of that name tells")
          + " of SIM changes; configured are: \(Self.list(entries.map(\.name)))")
    }
    return only
  }

  private static func none(_ kind: String, _ reason: String) -> AuthError {
    AuthError(
      .noProvider,
      reason.isEmpty
        ? "no provider of the kind \(kind) is configured; put a file for one into /etc/modemd/providers and restart modemd"
        : "no provider of the kind \(kind) is configured \(reason)")
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}

/// A provider of any kind.
private protocol Entry: Sendable {
  var name: String { get }
  var kind: String { get }
  var namesNetworks: Bool { get }
  func isMeant(for home: PLMN?) -> Bool
  func verifier(for home: PLMN?) -> (any NumberVerifier)?
  func changeChecker(for home: PLMN?) -> (any SIMChangeChecker)?
  var cleartextHosts: Set<String> { get }
  var configuredURLs: [WebURL] { get }
  var configuredDomains: Set<String> { get }
}

extension NamedProvider: Entry {
  fileprivate var kind: String { Settings.kind }
  fileprivate var namesNetworks: Bool { networks != nil }
  fileprivate func verifier(for home: PLMN?) -> (any NumberVerifier)? {
    settings(for: home).numberVerifier(named: name)
  }
  fileprivate var cleartextHosts: Set<String> {
    overrides.values.reduce(into: settings.cleartextHosts) { $0.formUnion($1.cleartextHosts) }
  }
  fileprivate var configuredURLs: [WebURL] {
    overrides.values.reduce(into: settings.configuredURLs) { $0 += $1.configuredURLs }
  }
  fileprivate var configuredDomains: Set<String> {
    overrides.values.reduce(into: settings.configuredDomains) { $0.formUnion($1.configuredDomains) }
  }
  fileprivate func changeChecker(for home: PLMN?) -> (any SIMChangeChecker)? {
    settings(for: home).simChangeChecker(named: name)
  }
}
