import ArgumentParser
import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemctlCore

/// `modemctl mobile-connect login`
struct MobileConnectLogin: FlowVerb {
  typealias Method = MobileConnectInterface.Login

  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in the SIM's user.",
    discussion: """
      If the provider's file names an app's server, the bearer's address, network and number are sent to it, and the redirects that \
      it answers with are followed over the bearer to their end. Otherwise, and with --local, modemd does everything itself: \
      discovery, authorization, tokens, and the validation of the ID token.
      """)

  @Flag(help: "Sign in without the app's server.")
  var local = false

  @Option(
    help: ArgumentHelp("What to ask the operator for with the token: userinfo or premiuminfo.", valueName: "kind"))
  var information: MobileConnectInterface.Login.Parameters.Information?

  @Option(help: ArgumentHelp("Save the tokens in this file, readable only by you.", valueName: "path"))
  var saveTokens: String?

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      request: try request.request(), information: information, appServer: local ? false : nil,
      whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectTokenFile.save(reply.tokens, to: saveTokens)
    try MobileConnectPage.show(reply.page, in: session)
  }
}

extension MobileConnectInterface.Login.Parameters.Information: ExpressibleByArgument {}

/// `modemctl mobile-connect authorize`
struct MobileConnectAuthorize: FlowVerb {
  typealias Method = MobileConnectInterface.Authorize

  static let configuration = CommandConfiguration(
    commandName: "authorize", abstract: "Get an authorization code over the bearer, for your own backend.",
    discussion: """
      A code works once and expires soon: give it to the backend at once. With --save, `exchange` can exchange it here.
      """)

  @Option(help: ArgumentHelp("Save the code and its nonce in this file, readable only by you.", valueName: "path"))
  var save: String?

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      request: try request.request(), whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    if let save, let authorization = reply.authorization {
      try ArgumentFile.write(JSONText.document(authorization), to: save)
    }
    try MobileConnectPage.show(reply.page, in: session)
  }
}

/// `modemctl mobile-connect exchange`
struct MobileConnectExchange: FlowVerb {
  typealias Method = MobileConnectInterface.Exchange

  static let configuration = CommandConfiguration(
    commandName: "exchange", abstract: "Exchange a code that you already have for tokens, and validate the ID token.",
    discussion: """
      The file is what `authorize --save` wrote, or JSON with the code and the nonce of its authorization. Give the options that the       authorization was made with.
      """)

  @Argument(help: ArgumentHelp("The file with the code; - for standard input.", valueName: "code"))
  var file: String

  @Option(
    help: ArgumentHelp("What to ask the operator for with the token: userinfo or premiuminfo.", valueName: "kind"))
  var information: Method.Parameters.Information?

  @Option(help: ArgumentHelp("Save the tokens in this file, readable only by you.", valueName: "path"))
  var saveTokens: String?

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    let path = file == "-" ? "/dev/stdin" : file
    let saved = JSONValue(parsing: try ArgumentFile.read(path, for: "the code's file"))
    guard let code = saved?["code"]?.string, let nonce = saved?["nonce"]?.string else {
      throw ModemctlError(
        .usage,
        "the code's file \(file) holds no code with its nonce; write it with `modemctl mobile-connect authorize --save`"
      )
    }
    return .init(
      code: code, nonce: nonce, request: try request.request(), information: information, whose: try whose.whose(),
      provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectTokenFile.save(reply.tokens, to: saveTokens)
  }
}

/// `modemctl mobile-connect ask`
struct MobileConnectAsk: FlowVerb {
  typealias Method = MobileConnectInterface.AskAtHandset

  static let configuration = CommandConfiguration(
    commandName: "ask", abstract: "Let the operator ask the user at the handset, and wait for the answer.",
    discussion: "The server-initiated mode: nothing is redirected, and nothing goes over the bearer.")

  @Option(help: ArgumentHelp("Save the tokens in this file, readable only by you.", valueName: "path"))
  var saveTokens: String?

  @OptionGroup var request: MobileConnectRequestOptions
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      request: try request.request(), whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    try MobileConnectTokenFile.save(reply.tokens, to: saveTokens)
  }
}
