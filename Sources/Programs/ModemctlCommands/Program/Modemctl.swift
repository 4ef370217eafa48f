import ArgumentParser
import ModemModel
import ModemctlCore

/// The command, with a verb for each thing that people ask modemd.
package struct Modemctl: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "modemctl", abstract: "Looks at WWAN modems, and opens an operator's check URL over their bearer.",
    discussion: """
      Calls modemd over its Unix socket. Results go to standard output, messages to standard error. Numbers and secrets \
      are masked unless --reveal is given.

      Exit status:
      \(ExitStatus.table)

      Environment:
        MODEMD_SOCKET  path of the socket instead of /run/modemd/org.modemd
        MODEMD_PROXY   path of the proxy instead of /run/modemd/proxy
        NO_COLOR       no colours, for any value
        COLUMNS        width of the drawings of `open --trace` and `usage`, if standard output is not a terminal
      """, version: Product.version,
    subcommands: verbs + KnownProviders.commands.flatMap { $0.verbs })

  /// modemctl's own verbs, in the order of `modemctl --help`.
  static var verbs: [any ParsableCommand.Type] {
    [
      List.self, Status.self, Bearer.self, Connect.self, Disconnect.self, Resolve.self, Prepare.self, Open.self,
      Run.self, History.self, Usage.self, Sockets.self, Metrics.self, Watch.self, Diagnose.self, Unlock.self, SIM.self,
      SwitchSlot.self, SMS.self, Verify.self, Providers.self, Provider.self, WebPages.self, Fleet.self,
    ]
  }

  package init() {}

  /// Runs modemctl.
  ///
  /// - Parameter arguments: without the program's name.
  /// - Returns: the exit status; see `ExitStatus`.
  package nonisolated(nonsending) static func run(_ arguments: [String], on console: Console) async -> Int32 {
    if arguments == ["--version"] { return put(Product.version, console) }
    let command: any ParsableCommand
    do {
      command = try ShortParsing.verb(of: arguments) ?? parseAsRoot(arguments)
    } catch {
      return end(error, console)
    }
    if let verb = command as? any Verb { return await run(verb, console) }
    do {
      var command = command
      try command.run()
      return ExitStatus.done.rawValue
    } catch {
      return end(error, console)
    }
  }

  private nonisolated(nonsending) static func run(_ verb: any Verb, _ console: Console) async -> Int32 {
    let session = Session(options: verb.common, console: console)
    do {
      return try await verb.run(in: session).rawValue
    } catch let error as Console.Lost {
      return error.status
    } catch {
      let explained = ModemctlError(
        explaining: error, socket: session.socket, providers: KnownProviders.commands)
      if !explained.message.isEmpty { session.complain(explained.message) }
      return explained.status.rawValue
    }
  }

  /// Help goes to standard output, errors in the arguments to standard error.
  private static func end(_ error: any Error, _ console: Console) -> Int32 {
    let text = fullMessage(for: error)
    guard exitCode(for: error) == .success else {
      console.complain(text + "\n")
      return ExitStatus.usage.rawValue
    }
    return put(text, console)
  }

  private static func put(_ text: String, _ console: Console) -> Int32 {
    do {
      try console.write(text + "\n")
      return ExitStatus.done.rawValue
    } catch {
      return (error as? Console.Lost)?.status ?? ExitStatus.failed.rawValue
    }
  }
}
