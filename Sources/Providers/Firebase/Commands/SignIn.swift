import FirebaseAPI
import ArgumentParser
import JSONTree
import ModemAPI
import ModemctlCore
import Varlink

/// Firebase's verbs.
package enum FirebaseVerbs: ProviderVerbs {
  package static var verbs: [any ParsableCommand.Type] { [SignIn.self, RefreshSignIn.self] }
}

/// `modemctl sign-in`
struct SignIn: FlowVerb {
  typealias Method = PhoneSignInInterface.SignIn

  /// Where the code is from.
  enum CodeSource: String, ExpressibleByArgument, CaseIterable {
    case sms, terminal
  }

  static let configuration = CommandConfiguration(
    commandName: "sign-in",
    abstract: "Sign a user in at Firebase by phone number, unless the SIM was recently changed.",
    discussion: """
      First looks whether a message could come to the SIM and be read, and asks whether the number moved to another SIM \
      lately; if not, or if it did, no message is sent. The code is read from the modem's messages. With --code-from terminal \
      you are asked for it; from a pipe, each line is a code. --reveal shows the tokens, and --save-tokens saves them. \
      With --session you can go on later, with the code of the same message.
      """)

  @OptionGroup var subscriber: NumberArgument

  @Option(help: ArgumentHelp("Where the code comes from.", valueName: "source"))
  var codeFrom = CodeSource.sms

  @Option(
    help: ArgumentHelp(
      "A file with the proof for Firebase that the project's own app asks, as JSON: {\"recaptchaToken\": …} or another form.",
      valueName: "path"))
  var tokenFile: String?

  @Option(help: ArgumentHelp("Save the tokens in this file, readable only by you.", valueName: "path"))
  var saveTokens: String?

  @Option(
    help: ArgumentHelp(
      "Keep the session in this file, readable only by you, until you are signed in. If the file is there, go on with it: no other message is sent.",
      valueName: "path"))
  var session: String?

  @OptionGroup var flow: FlowOptions

  func parameters() throws -> PhoneSignInInterface.SignIn.Parameters {
    let verification = try tokenFile.map { path in
      guard let value = JSONValue(parsing: try ArgumentFile.read(path, for: "the token file")) else {
        throw ModemctlError(
          .usage, "the token file \(path) holds no JSON; expected an object such as {\"recaptchaToken\": \"…\"}")
      }
      return value
    }
    return .init(
      number: subscriber.number, codeFrom: codeFrom == .terminal ? .caller : .messages, appVerification: verification,
      verificationID: try session.flatMap { try SavedSession.read($0, of: subscriber.number) }, provider: flow.provider,
      modem: flow.modem)
  }

  func respond(to reply: PhoneSignInInterface.SignIn.Reply, in session: Session) async throws {
    if [.messageSent, .codeWanted].contains(reply.event) {
      try SavedSession.keep(reply.verificationID, of: subscriber.number, in: self.session)
    }
    guard reply.event == .codeWanted, let flow = reply.flow else { return }
    let isWrong = reply.codeWrong == true
    if isWrong {
      session.complain("the code was wrong; \(reply.attemptsLeft.map { "\($0) more" } ?? "others") can be tried")
    }
    try await session.ask(
      for: PhoneSignInInterface.GiveCode.self, prompt: "Code from the message: ",
      missing: isWrong
        ? "the code was wrong, and no other was given"
        : "a code is needed and none was given; give it on standard input",
      status: isWrong ? .wrongCode : .usage,
      refusals: [
        .wrong(PhoneSignInInterface.CodeRefused.self, "this code was refused before; give another"),
        .wrong(VerifyInterface.InvalidArgument.self, "a code has 4 to 16 letters and digits"),
        .late(PhoneSignInInterface.NoSuchFlow.self),
      ],
      parameters: { .init(flow: flow, code: $0.filter { $0 != " " && $0 != "-" }) })
  }

  func finish(_ reply: PhoneSignInInterface.SignIn.Reply, in session: Session) throws {
    try SavedTokens.save(reply.user, to: saveTokens)
    try SavedSession.keep(reply.verificationID, of: subscriber.number, in: self.session)
    // Signed in, or too late: nothing can go on with it.
    if [.signedIn, .expired].contains(reply.outcome?.result) { SavedSession.remove(self.session) }
  }
}

/// `modemctl refresh-sign-in`
struct RefreshSignIn: FlowVerb {
  typealias Method = PhoneSignInInterface.Refresh

  static let configuration = CommandConfiguration(
    commandName: "refresh-sign-in", abstract: "Exchange the saved tokens of a sign-in for new ones.",
    discussion: "Reads the file that `modemctl sign-in --save-tokens` wrote, and writes the new tokens to it.")

  @Argument(help: ArgumentHelp("The file with the tokens.", valueName: "path"))
  var tokens: String

  @OptionGroup var flow: FlowOptions

  func parameters() throws -> PhoneSignInInterface.Refresh.Parameters {
    .init(
      refreshToken: try SavedTokens.refreshToken(in: tokens), provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: PhoneSignInInterface.Refresh.Reply, in session: Session) throws {
    try SavedTokens.save(reply.user, to: tokens)
  }
}

/// The file of `--save-tokens`: a user as modemd returns it, in JSON.
enum SavedTokens {
  /// Without anything to save, an earlier sign-in's file stays.
  static func save(_ user: PhoneSignInInterface.User?, to path: String?) throws {
    guard let user, let path, user.idToken != nil || user.temporaryProof != nil else { return }
    try ArgumentFile.write(JSONText.document(user), to: path)
  }

  static func refreshToken(in path: String) throws -> String {
    let saved = JSONValue(parsing: try ArgumentFile.read(path, for: "the file of tokens"))
    guard let token = saved?["refreshToken"]?.string else {
      throw ModemctlError(.usage, "\(path) holds no refresh token; write it with `modemctl sign-in --save-tokens`")
    }
    return token
  }
}
