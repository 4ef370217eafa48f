import ArgumentParser

/// The command that people look at modems with.
public struct ModemctlCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "modemctl",
    abstract: "Look at WWAN modems, and open an operator's check URL over their bearer.",
    discussion: """
      Results go to standard output, messages to standard error.

      Exit codes:
        0    done; for `open`: an answer below 400, or the redirect URI
        1    something else failed
        3    modemd cannot be reached
        4    permission denied
        5    no modem, no such modem, or several and none was named
        6    SIM, registration, modem or bearer are not ready
        7    the chain of `open` failed
        8    the chain of `open` ended in an HTTP answer of 400 or above
        64   wrong usage
        130  interrupted
      """,
    version: "0.1.0",
    subcommands: [
      ListVerb.self, StatusVerb.self, ConnectVerb.self, DisconnectVerb.self, OpenVerb.self, WatchVerb.self,
      UnlockVerb.self,
    ])

  public init() {}
}

/// Options that every verb has.
struct CommonOptions: ParsableArguments {
  @Flag(help: "JSON in place of tables; one document a line where results are a stream.")
  var json = false

  @Flag(help: "Show numbers and secrets, which are masked otherwise.")
  var reveal = false

  @Option(help: "modemd's socket, in place of MODEMD_SOCKET or /run/modemd/org.modemd.")
  var socket: String?
}
