import ArgumentParser
import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemctlCore

/// `modemctl mobile-connect userinfo`
struct MobileConnectUserInfo: FlowVerb {
  typealias Method = MobileConnectInterface.UserInfo

  static let configuration = CommandConfiguration(
    commandName: "userinfo", abstract: "Ask the operator's userinfo about the user of saved tokens.")

  @OptionGroup var tokens: MobileConnectTokensArgument
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    let (token, subject) = try tokens.access()
    return .init(
      accessToken: token, subject: subject, whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl mobile-connect identity`
struct MobileConnectIdentity: FlowVerb {
  typealias Method = MobileConnectInterface.Identity

  static let configuration = CommandConfiguration(
    commandName: "identity",
    abstract: "Ask the operator's identity services (premiuminfo) about the user of saved tokens.")

  @OptionGroup var tokens: MobileConnectTokensArgument
  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    let (token, subject) = try tokens.access()
    return .init(
      accessToken: token, subject: subject, whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }
}

/// `modemctl mobile-connect refresh`
struct MobileConnectRefresh: FlowVerb {
  typealias Method = MobileConnectInterface.Refresh

  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Exchange saved tokens for new ones, in the same file.")

  @OptionGroup var tokens: MobileConnectTokensArgument

  @Option(
    help: ArgumentHelp("A narrower scope than that of the tokens: words separated by commas.", valueName: "words"))
  var scope: String?

  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    let saved = try tokens.read()
    return .init(
      refreshToken: try saved.token("refreshToken"), scope: ArgumentWords.list(scope), subject: saved.subject,
      whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }

  func finish(_ reply: Method.Reply, in session: Session) throws {
    guard var fresh = reply.tokens else { return }
    // Tokens that were not renewed are still valid.
    let saved = try tokens.read()
    fresh.refreshToken = fresh.refreshToken ?? saved.json["refreshToken"]?.string
    fresh.subject = fresh.subject ?? saved.subject
    try MobileConnectTokenFile.save(fresh, to: tokens.path)
  }
}

/// `modemctl mobile-connect revoke`
struct MobileConnectRevoke: FlowVerb {
  typealias Method = MobileConnectInterface.Revoke

  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Have the operator revoke a saved token.")

  @OptionGroup var tokens: MobileConnectTokensArgument

  @Option(help: ArgumentHelp("The token to revoke: access or refresh.", valueName: "kind"))
  var kind = MobileConnectInterface.Revoke.Parameters.Kind.refresh

  @OptionGroup var whose: MobileConnectWhoseOptions
  @OptionGroup var flow: FlowOptions

  func parameters() throws -> Method.Parameters {
    .init(
      token: try tokens.read().token(kind == .access ? "accessToken" : "refreshToken"), kind: kind,
      whose: try whose.whose(), provider: flow.provider, modem: flow.modem)
  }
}

extension MobileConnectInterface.Revoke.Parameters.Kind: ExpressibleByArgument {}

/// The file with a login's tokens.
struct MobileConnectTokensArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The file that `login --save-tokens` wrote.", valueName: "tokens"))
  var path: String

  func read() throws -> MobileConnectTokenFile {
    guard let json = JSONValue(parsing: try ArgumentFile.read(path, for: "the file of tokens")) else {
      throw ModemctlError(.usage, "\(path) holds no JSON; write it with `modemctl mobile-connect login --save-tokens`")
    }
    return MobileConnectTokenFile(path: path, json: json)
  }

  /// The access token and its owner.
  func access() throws -> (token: String, subject: String?) {
    let saved = try read()
    return (try saved.token("accessToken"), saved.subject)
  }
}

/// Tokens in a file: as modemd returns them, in JSON.
struct MobileConnectTokenFile {
  let path: String
  let json: JSONValue

  var subject: String? { json["subject"]?.string }

  func token(_ name: String) throws -> String {
    guard let token = json[name]?.string else {
      throw ModemctlError(
        .usage, "\(path) holds no \(name); write it with `modemctl mobile-connect login --save-tokens`")
    }
    return token
  }

  /// Without anything to save, an earlier file stays.
  static func save(_ tokens: MobileConnectInterface.Tokens?, to path: String?) throws {
    guard let tokens, let path else { return }
    try ArgumentFile.write(JSONText.document(tokens), to: path)
  }
}
