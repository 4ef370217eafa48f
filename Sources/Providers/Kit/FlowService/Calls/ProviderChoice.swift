import AuthCore
import AuthFlows
import ModemModel

/// Which of the configured providers a method uses.
package struct ProviderChoice<Provider: Sendable>: Sendable {
  /// The result of the choice for a call.
  package struct Found: Sendable {
    /// Name and kind in the configuration; nil if several may be asked.
    package let name: String?
    package let kind: String?
    package let provider: Provider

    package init(_ provider: Provider, name: String? = nil, kind: String? = nil) {
      self.provider = provider
      self.name = name
      self.kind = kind
    }
  }

  /// Finds the provider for a SIM of the home network, by the name given in the call.
  ///
  /// Throws `AuthError` `noProvider` and `moreThanOneProvider`.
  let find: @Sendable (ProviderSet, _ name: String?, _ home: PLMN?) throws -> Found

  package init(_ find: @escaping @Sendable (ProviderSet, _ name: String?, _ home: PLMN?) throws -> Found) {
    self.find = find
  }

  /// The providers of one kind: the one with the name, otherwise the only one configured for the
  /// SIM's network.
  package static func settings(_: Provider.Type) -> ProviderChoice where Provider: ProviderConfiguration {
    ProviderChoice { providers, name, home in
      let found = try providers.find(Provider.self, named: name, for: home)
      return Found(found.settings(for: home), name: found.name, kind: Provider.kind)
    }
  }
}

extension ProviderChoice where Provider == any SIMChangeChecker {
  /// Any provider that can tell whether a number moved to another SIM.
  package static var simChangeChecker: ProviderChoice {
    ProviderChoice { providers, name, home in
      let checker = try providers.simChangeChecker(named: name, for: home)
      let kind = providers.names.first { $0.name == checker.name }?.kind
      return Found(checker, name: checker.name, kind: kind)
    }
  }
}
