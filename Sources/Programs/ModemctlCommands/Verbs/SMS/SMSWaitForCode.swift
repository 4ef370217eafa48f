import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl sms wait-for-code`
struct SMSWaitForCode: Verb {
  static let configuration = CommandConfiguration(
    commandName: "wait-for-code", abstract: "Wait for a message with a one-time code, and print the code alone.",
    discussion: """
      Start it before you request the code, or use --look-back: without it, only messages that come from now on count. \
      A pattern is text with one placeholder for the code: {digits}, {digits:6}, {digits:4-8} or {alnum:4-8}; {any} \
      stands for other text. Without a pattern, the code is the first number of 6 digits, else the longest of 4 to 8.
      """)

  @Option(help: ArgumentHelp("Only from this sender: a number with its +, or a name.", valueName: "sender"))
  var sender: String?

  @Option(help: ArgumentHelp("What the message looks like, as in 'Your code is {digits:6}'.", valueName: "pattern"))
  var pattern: String?

  @Option(help: ArgumentHelp("How long to wait, 1 to 600 (default: 60).", valueName: "seconds"))
  var timeout: Int?

  @Option(
    help: ArgumentHelp("Take a message that came up to this long ago, 0 to 600 (default: 0).", valueName: "seconds"))
  var lookBack: Int?

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let timeout, !(1...600).contains(timeout) {
      throw ValidationError("--timeout takes 1 to 600 seconds, not \(timeout)")
    }
    if let lookBack, !(0...600).contains(lookBack) {
      throw ValidationError("--look-back takes 0 to 600 seconds, not \(lookBack)")
    }
  }

  func run(in session: Session) async throws -> ExitStatus {
    let parameters = MessagesInterface.WaitForCode.Parameters(
      modem: choice.modem, sender: sender, pattern: pattern, timeoutSeconds: timeout, lookBackSeconds: lookBack)
    var reply = try await session.callMessages(
      MessagesInterface.WaitForCode.self, parameters, within: .seconds(timeout ?? 60) + .answer)
    // The code was requested, but not the rest of the message.
    if !common.reveal { reply.message = reply.message.masked() }
    try session.show(reply) { reply.code + "\n" }
    return .done
  }
}
