import ArgumentParser
import FoundationEssentials
import JSONTree
import MobileConnectAPI
import ModemAPI

/// Whose operator is meant, where it is not the SIM's.
struct MobileConnectWhoseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "network, number, address or page: how the operator is found, in place of the configured ways.", valueName: "way")
  )
  var way: MobileConnectInterface.Way?

  @Option(help: ArgumentHelp("Find the operator of this number, in international form.", valueName: "number"))
  var number: String?

  @Option(help: ArgumentHelp("Find the operator of these codes, MCC and MNC as in 26201.", valueName: "codes"))
  var network: String?

  @Option(
    help: ArgumentHelp(
      "A file with the URL that the browser came back to from the operator's selection; - for standard input.",
      valueName: "file"))
  var callback: String?

  /// - Throws: `ModemctlError` for a file that cannot be read.
  func whose() throws -> MobileConnectInterface.Whose? {
    let url = try callback.map { path in
      let bytes = try ArgumentFile.read(path == "-" ? "/dev/stdin" : path, for: "the callback's file")
      return String(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
    }
    guard way != nil || number != nil || network != nil || url != nil else { return nil }
    return .init(way: way, number: number, network: network, callback: url)
  }
}

extension MobileConnectInterface.Way: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(word: argument)
    guard isKnown else { return nil }
  }

  public static var allValueStrings: [String] { known.map(\.rawValue) }
}

/// What is asked of the operator, in place of what is configured.
struct MobileConnectRequestOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Words between commas, as in openid,mc_authn.", valueName: "words"))
  var scope: String?

  @Option(help: ArgumentHelp("Levels of assurance between commas, as in 3,2.", valueName: "levels"))
  var acr: String?

  @Option(help: ArgumentHelp("The number that it is about, in international form.", valueName: "number"))
  var hintNumber: String?

  @Option(
    help: ArgumentHelp("none, login, consent, select_account, no_seam, between commas.", valueName: "words"))
  var prompt: String?

  @Option(help: ArgumentHelp("How old an earlier authentication may be.", valueName: "seconds"))
  var maxAge: Int?

  @Option(help: ArgumentHelp("The application's registered name, for an authorisation.", valueName: "name"))
  var clientName: String?

  @Option(help: ArgumentHelp("What the user authorises: makes it an authorisation (mc_authz).", valueName: "text"))
  var context: String?

  @Option(help: ArgumentHelp("What the handset shows beside it.", valueName: "text"))
  var bindingMessage: String?

  @Option(name: .customLong("protocol"), help: ArgumentHelp("As in mc_di_r2_v2.3.", valueName: "version"))
  var version: String?

  @Option(
    name: .customLong("request"),
    help: ArgumentHelp(
      "A file with a request as JSON, as org.modemd.MobileConnect has it: hints, claims and KYC values, which are no arguments.",
      valueName: "file"))
  var requestFile: String?

  /// - Throws: `ModemctlError` for a file that is none, or a word that is not known.
  func request() throws -> MobileConnectInterface.Request? {
    let saved = try requestFile.map { try Self.read($0) }
    var asked = saved ?? MobileConnectInterface.Request()
    asked.scope = MobileConnectWords.list(scope) ?? asked.scope
    asked.acr = MobileConnectWords.list(acr) ?? asked.acr
    asked.hintNumber = hintNumber ?? asked.hintNumber
    asked.prompt = try MobileConnectWords.list(prompt)?.map { try Self.prompt($0) } ?? asked.prompt
    asked.maximumAgeSeconds = maxAge ?? asked.maximumAgeSeconds
    asked.clientName = clientName ?? asked.clientName
    asked.context = context ?? asked.context
    asked.bindingMessage = bindingMessage ?? asked.bindingMessage
    asked.version = version ?? asked.version
    return saved == nil && asked == MobileConnectInterface.Request() ? nil : asked
  }

  private static func prompt(_ word: String) throws -> MobileConnectInterface.Prompt {
    guard let prompt = MobileConnectInterface.Prompt(rawValue: word) else {
      let words = MobileConnectInterface.Prompt.allCases.map(\.rawValue).joined(separator: ", ")
      throw ModemctlError(.usage, "--prompt: expected is one of \(words)")
    }
    return prompt
  }

  private static func read(_ path: String) throws -> MobileConnectInterface.Request {
    let bytes = try ArgumentFile.read(path, for: "the request's file")
    guard case .object(let given)? = JSONValue(parsing: bytes),
      let request = try? JSONDecoder().decode(MobileConnectInterface.Request.self, from: Data(bytes))
    else {
      throw ModemctlError(
        .usage, "the request's file \(path) holds no request; expected is an object such as {\"scope\": [\"openid\"]}")
    }
    // What is not understood would be left out without a word.
    let known = JSONValue(parsing: Array(JSONText.document(request).utf8))
    if let other = given.filter({ $0.value != .null }).keys.sorted().first(where: { known?[$0] == nil }) {
      throw ModemctlError(
        .usage, "the request's file \(path) has \(MessageRendering.visible(other)), which a request does not have")
    }
    return request
  }
}

/// Words between commas or blanks.
enum MobileConnectWords {
  static func list(_ text: String?) -> [String]? {
    text.map { $0.split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init) }
  }
}
