import ArgumentParser
import FoundationEssentials
import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemctlCore

/// Selects the operator, if it is not the SIM's.
struct MobileConnectWhoseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How to find the operator, instead of the configured ways: network, number, address or page.", valueName: "way")
  )
  var way: MobileConnectInterface.Way?

  @Option(help: ArgumentHelp("Find the operator of this number, in international form.", valueName: "number"))
  var number: String?

  @Option(help: ArgumentHelp("Find the operator with this MCC and MNC, as in 26201.", valueName: "codes"))
  var network: String?

  @Option(
    help: ArgumentHelp(
      "A file with the URL to which the browser returned after the selection of the operator; - for standard input.",
      valueName: "file"))
  var callback: String?

  /// - Throws: `ModemctlError` for a file that cannot be read.
  func whose() throws -> MobileConnectInterface.Whose? {
    let url = try callback.map { path in
      try ArgumentFile.word(path == "-" ? "/dev/stdin" : path, for: "the callback's file")
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

/// The request to the operator, in place of the configured one.
struct MobileConnectRequestOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Words separated by commas, as in openid,mc_authn.", valueName: "words"))
  var scope: String?

  @Option(help: ArgumentHelp("Levels of assurance separated by commas, as in 3,2.", valueName: "levels"))
  var acr: String?

  @Option(help: ArgumentHelp("The number that the request is about, in international form.", valueName: "number"))
  var hintNumber: String?

  @Option(
    help: ArgumentHelp("none, login, consent, select_account, no_seam, separated by commas.", valueName: "words"))
  var prompt: String?

  @Option(help: ArgumentHelp("The greatest age of an earlier authentication that still counts.", valueName: "seconds"))
  var maxAge: Int?

  @Option(help: ArgumentHelp("The application's registered name, for an authorisation.", valueName: "name"))
  var clientName: String?

  @Option(
    help: ArgumentHelp(
      "What the user is to authorise; makes the request an authorisation (mc_authz).", valueName: "text"))
  var context: String?

  @Option(help: ArgumentHelp("A text that the handset shows beside the request.", valueName: "text"))
  var bindingMessage: String?

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("The protocol's version, as in mc_di_r2_v2.3.", valueName: "version"))
  var version: String?

  @Option(
    name: .customLong("request"),
    help: ArgumentHelp(
      "A file with a request as JSON, as org.modemd.MobileConnect defines it; claims and KYC values can be given only there.",
      valueName: "file"))
  var requestFile: String?

  /// - Throws: `ModemctlError` for an invalid file, or an unknown word.
  func request() throws -> MobileConnectInterface.Request? {
    let saved = try requestFile.map { try Self.read($0) }
    var asked = saved ?? MobileConnectInterface.Request()
    asked.scope = ArgumentWords.list(scope) ?? asked.scope
    asked.acr = ArgumentWords.list(acr) ?? asked.acr
    asked.hintNumber = hintNumber ?? asked.hintNumber
    asked.prompt = try ArgumentWords.list(prompt)?.map { try Self.prompt($0) } ?? asked.prompt
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
      throw ModemctlError(.usage, "--prompt: expected one of \(words)")
    }
    return prompt
  }

  private static func read(_ path: String) throws -> MobileConnectInterface.Request {
    let bytes = try ArgumentFile.read(path, for: "the request's file")
    guard case .object(let given)? = JSONValue(parsing: bytes),
      let request = try? JSONDecoder().decode(MobileConnectInterface.Request.self, from: Data(bytes))
    else {
      throw ModemctlError(
        .usage, "the request's file \(path) holds no request; expected an object such as {\"scope\": [\"openid\"]}")
    }
    // Unknown members would otherwise be dropped silently.
    let known = JSONValue(parsing: Array(JSONText.document(request).utf8))
    if let other = given.filter({ $0.value != .null }).keys.sorted().first(where: { known?[$0] == nil }) {
      throw ModemctlError(
        .usage, "the request's file \(path) has \(ForeignText.visible(other)), which a request does not have")
    }
    return request
  }
}
