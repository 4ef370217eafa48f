import ArgumentParser

/// `modemctl web`
struct WebPages: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Pages in a browser of this machine.", subcommands: [WebOpen.self])
}
