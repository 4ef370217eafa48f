import ArgumentParser
import FirebaseAPI
import JSONTree
import ModemAPI
import Varlink

/// `modemctl sign-in`
struct SignIn: FlowVerb {
  typealias Method = PhoneSignInInterface.SignIn

  /// Where the code is from.
  enum CodeSource: String, ExpressibleByArgument, CaseIterable {
    case sms, terminal
  }

  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Sign a user in at Firebase by phone number, unless the SIM was changed lately.",
    discussion: """
      Asks first whether the number moved to another SIM; a changed SIM ends it before a message is sent. The code is read \
      from the modem's own messages, or asked for at the terminal: with --code-from terminal, and where the messages cannot \
      be read. From a pipe a line is a code. Tokens are shown with --reveal, and saved with --save-tokens.
      """)

  @Argument(help: "In international form, as in +447700900123.")
  var number: String

  @Option(help: ArgumentHelp("Where the code comes from.", valueName: "source"))
  var codeFrom = CodeSource.sms

  @Option(
    help: ArgumentHelp(
      "A file with what shows Firebase that the project's own app asks, as JSON: {\"recaptchaToken\": …} or another form.",
      valueName: "path"))
  var tokenFile: String?

  @Option(help: ArgumentHelp("Save the tokens there, readable for you alone.", valueName: "path"))
  var saveTokens: String?

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> PhoneSignInInterface.SignIn.Parameters {
    let verification = try tokenFile.map { path in
      guard let value = JSONValue(parsing: try ArgumentFile.read(path, for: "the token file")) else {
        throw ModemctlError(
          .usage, "the token file \(path) holds no JSON; expected is an object such as {\"recaptchaToken\": \"…\"}")
      }
      return value
    }
    return .init(
      number: number, codeFrom: codeFrom == .terminal ? .caller : .messages, appVerification: verification,
      provider: provider.provider, modem: choice.modem)
  }

  func respond(to reply: PhoneSignInInterface.SignIn.Reply, in session: Session) async throws {
    guard reply.event == .codeWanted, let flow = reply.flow else { return }
    while let code = try session.console.readSecret("Code from the message: ") {
      do {
        _ = try await session.call(
          PhoneSignInInterface.GiveCode.self, .init(flow: flow, code: code.filter { $0 != " " && $0 != "-" }),
          within: .answer)
        return
      } catch let error as VarlinkError where error.parameters(as: PhoneSignInInterface.CodeRefused.self) != nil {
        session.console.complain("modemctl: this code was not the right one before; give another\n")
      } catch let error as VarlinkError where error.parameters(as: VerifyInterface.InvalidArgument.self) != nil {
        session.console.complain("modemctl: a code has 4 to 16 letters and digits\n")
      } catch let error as VarlinkError where error.parameters(as: PhoneSignInInterface.NoSuchFlow.self) != nil {
        // The flow says by itself that the code came too late.
        return
      }
    }
    throw ModemctlError(.usage, "a code is needed and none was given; give it on standard input")
  }

  func finish(_ reply: PhoneSignInInterface.SignIn.Reply, in session: Session) throws {
    try SavedTokens.save(reply.user, to: saveTokens)
  }
}

/// `modemctl refresh-sign-in`
struct RefreshSignIn: FlowVerb {
  typealias Method = PhoneSignInInterface.Refresh

  static let configuration = CommandConfiguration(
    commandName: "refresh-sign-in", abstract: "Change the saved tokens of a sign-in for fresh ones.",
    discussion: "Reads what `modemctl sign-in --save-tokens` wrote, and writes it anew.")

  @Argument(help: ArgumentHelp("The file with the tokens.", valueName: "path"))
  var tokens: String

  @OptionGroup var provider: ProviderOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func parameters() throws -> PhoneSignInInterface.Refresh.Parameters {
    .init(
      refreshToken: try SavedTokens.refreshToken(in: tokens), provider: provider.provider, modem: choice.modem)
  }

  func finish(_ reply: PhoneSignInInterface.Refresh.Reply, in session: Session) throws {
    try SavedTokens.save(reply.user, to: tokens)
  }
}

/// The file of `--save-tokens`: a user as modemd gives one, in JSON.
enum SavedTokens {
  /// Nothing where there is nothing to save: what an earlier sign-in saved stays.
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
