import ArgumentParser

/// `modemctl provider`
struct Provider: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider", abstract: "Configure providers, and check them without cost.",
    discussion: """
      A provider is a file in /etc/modemd/providers. Its secrets are credentials of modemd's unit. `add`, `edit` and \
      `remove` need root.
      """,
    subcommands: [ProviderList.self, ProviderAdd.self, ProviderCheck.self, ProviderEdit.self, ProviderRemove.self])
}
