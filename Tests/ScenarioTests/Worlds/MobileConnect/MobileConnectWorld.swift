import JSONTree
import MobileConnectAPI
import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// Worlds with a simulated Mobile Connect: one application, and one file of modemd's, for each
/// thing that a test shows.
enum MobileConnectWorld {
  static let own = "+4915112345678"
  /// Another customer of the same operator.
  static let stranger = "+4915199999999"
  /// A customer of another operator.
  static let foreigner = "+4915299999999"
  static let callback = "com.example.app://mc/back"
  static let app = "https://app.shop.example"

  /// One provider: an application of the scenario, and modemd's file for it.
  struct Entry: Sendable {
    /// How modemd learns of the operator.
    enum Source: Sendable {
      case discovery, endpoints, issuer
      /// It has an app's server alone.
      case none
    }

    let name: String
    var source = Source.discovery
    /// Members of the application in the scenario, each with a comma before it.
    var application = ""
    /// Members of `discovery` in modemd's file.
    var discovery = ""
    /// Members of modemd's file.
    var file = ""

    var clientSecret: String { "operator-secret-of-\(name)" }
    var exchangeSecret: String { "exchange-secret-of-\(name)" }

    fileprivate var registered: String {
      let uris = application.contains("redirectURIs") ? "" : #", "redirectURIs": ["\#(callback)"]"#
      return """
        { "id": "\(name)", "secret": "\(clientSecret)", "exchangeSecret": "\(exchangeSecret)"\(uris)\(application) }
        """
    }

    fileprivate var document: String {
      let route = file.contains("\"route\"") ? "" : #", "route": "bearer""#
      let uri = source == .none ? "" : #", "redirectURI": "\#(callback)""#
      return #""\#(name)": { "kind": "mobileConnect"\#(origin)\#(uri)\#(route)\#(file) }"#
    }

    private var origin: String {
      let root = "https://mobileconnect.operator.example"
      switch source {
      case .discovery:
        return """
          , "discovery": { "url": "https://discover.exchange.example/v2/discovery", "clientID": "\(name)-at-exchange"\(discovery) }
          """
      case .endpoints:
        return """
          , "clientID": "\(name)", "version": "mc_di_r2_v2.3", "endpoints": { "authorization": "\(root)/authorize",
            "token": "\(root)/token", "userinfo": "\(root)/userinfo", "premiuminfo": "\(root)/premiuminfo",
            "revoke": "\(root)/revoke", "refresh": "\(root)/refresh", "jwks": "\(root)/jwks", "issuer": "\(root)" }
          """
      case .issuer: return #", "clientID": "\#(name)", "issuer": "\#(root)""#
      case .none: return ""
      }
    }

    fileprivate var credentials: [String] {
      switch source {
      case .discovery: [#""\#(name).discovery-secret": "\#(exchangeSecret)""#]
      case .endpoints, .issuer: [#""\#(name).client-secret": "\#(clientSecret)""#]
      case .none: []
      }
    }
  }

  /// - Parameters:
  ///   - provider: members of the provider in the scenario, each with a comma before it.
  ///   - credentials: more of them, as members of an object.
  static func scenario(_ entries: [Entry], provider: String = "", credentials: [String] = []) -> String {
    """
    { "providers": [ { "kind": "mobileConnect", "networks": ["26201"], "applications": [
        \(entries.map(\.registered).joined(separator: ",\n")) ]\(provider) } ],
      "subscribers": [ { "number": "\(stranger)" }, { "number": "\(foreigner)", "operator": "26202" } ],
      "modemdProviders": { \(entries.map(\.document).joined(separator: ",\n")) },
      "modemdCredentials": { \((entries.flatMap(\.credentials) + credentials).joined(separator: ", ")) } }
    """
  }

  /// How a flow went.
  struct Run: Sendable {
    var steps: [MobileConnectInterface.Step] = []
    var hops: [MobileConnectInterface.Hop] = []
    var outcome: MobileConnectInterface.Outcome?
    var tokens: MobileConnectInterface.Tokens?
    var information: MobileConnectInterface.Information?
    var page: String?

    var names: [String] { steps.map(\.name) }
    var words: String {
      let steps = names.joined(separator: " ")
      return outcome.map { "\($0.result) \($0.code ?? "-"): \($0.text) [\(steps)]" } ?? "no outcome [\(steps)]"
    }
  }

  /// Signs in, and keeps all that is told meanwhile.
  static func login(
    _ world: World, with provider: String, _ request: MobileConnectInterface.Request? = nil,
    information: MobileConnectInterface.Login.Parameters.Information? = nil, appServer: Bool? = nil,
    whose: MobileConnectInterface.Whose? = nil,
    onHop: (MobileConnectInterface.Hop) async throws -> Void = { _ in }
  ) async throws -> Run {
    var run = Run()
    let parameters = MobileConnectInterface.Login.Parameters(
      request: request, information: information, appServer: appServer, whose: whose, provider: provider)
    for try await reply in try await world.client().stream(MobileConnectInterface.Login.self, parameters) {
      if let step = reply.step { run.steps.append(step) }
      if let hop = reply.hop {
        run.hops.append(hop)
        try await onHop(hop)
      }
      guard let outcome = reply.outcome else { continue }
      run.outcome = outcome
      (run.tokens, run.information, run.page) = (reply.tokens, reply.information, reply.page)
    }
    return run
  }

  /// Presses the button of the exchange's page, as a person's browser on another network does.
  ///
  /// - Parameter choice: what the page's form sends, as in `mcc_mnc=262_01`.
  /// - Returns: where the browser is led.
  static func press(_ page: String, _ choice: String, _ world: World) async throws -> String {
    let url = page.replacing("/select?", with: "/select/done?") + "&" + choice
    let shown = try await world.run([
      "curl", "-sS", "--cacert", world.folder.authority, "-D", "-", "-o", "/dev/null", url,
    ])
    let line = shown.output.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("location: ") }
    return String(try #require(line, "\(shown.error)").dropFirst("location: ".count))
  }
}
