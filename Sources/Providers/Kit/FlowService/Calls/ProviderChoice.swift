import AuthCore
import AuthFlows
import ModemModel

/// Which of the configured providers a method asks.
package struct ProviderChoice<Provider: Sendable>: Sendable {
  /// What was found for a call.
  package struct Found: Sendable {
    /// Name and kind in the configuration; nil where several may be asked.
    package let name: String?
    package let kind: String?
    package let provider: Provider

    package init(_ provider: Provider, name: String? = nil, kind: String? = nil) {
      self.provider = provider
      self.name = name
      self.kind = kind
    }
  }

  /// Finds what to ask for a SIM of the home network, by the name that the call gives.
  ///
  /// Throws `AuthError` `noProvider` and `moreThanOneProvider`.
  let find: @Sendable (ProviderSet, _ name: String?, _ home: PLMN?) throws -> Found

  package init(_ find: @escaping @Sendable (ProviderSet, _ name: String?, _ home: PLMN?) throws -> Found) {
    self.find = find
  }

  /// The providers of one kind: the one of the name, else the only one that is meant for the SIM's network.
  package static func settings(_: Provider.Type) -> ProviderChoice where Provider: ProviderConfiguration {
    ProviderChoice { providers, name, home in
      let found = try providers.find(Provider.self, named: name, for: home)
      return Found(found.settings(for: home), name: found.name, kind: Provider.kind)
    }
  }
}

extension ProviderChoice where Provider == any SIMChangeChecker {
  /// Whatever can tell whether a number moved to another SIM.
  package static var simChangeChecker: ProviderChoice {
    ProviderChoice { providers, name, home in
      let checker = try providers.simChangeChecker(named: name, for: home)
      let kind = providers.names.first { $0.name == checker.name }?.kind
      return Found(checker, name: checker.name, kind: kind)
    }
  }
}
