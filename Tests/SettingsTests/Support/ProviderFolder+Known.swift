import JSONTree
import ProviderSettings
import SettingsFile

@testable import AuthFlows
@testable import modemd

extension ProviderFolder {
  /// Adds a provider of a kind that modemd has.
  static func add(
    _ tree: JSONValue, _ secrets: ProviderSecrets, to providers: inout ProviderSet
  ) throws(SettingsError) {
    try add(tree, secrets, to: &providers, kinds: KnownProviders.documents)
  }
}
