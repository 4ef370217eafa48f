import JSONTree
import ModemModel
import OperatorSimulator

/// What the exchange, the operator and the app's server share.
struct MobileConnectEnvironment: Sendable {
  let settings: MobileConnectSimulationSettings
  let provider: ProviderEnvironment
  let keys: MobileConnectKeys
  let store = MobileConnectStore()

  var hosts: MobileConnectSimulationSettings.Hosts { settings.hosts }
  var seconds: Int { Int(provider.now().milliseconds / 1000) }

  /// The subscriber with a number, if the exchange supports the operator.
  ///
  /// - Parameter number: with or without `+`.
  func customer(_ number: String) -> SimulatedSubscribers.Subscriber? {
    provider.subscribers.subscriber(number).flatMap { settings.networks.contains($0.network.description) ? $0 : nil }
  }

  /// A network that leads to the operator, as URLs and cookies of discovery write it: MCC, low
  /// line, MNC.
  func network(mark: String?) -> PLMN? {
    let halves = (mark ?? "").split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2, let network = PLMN(mcc: halves[0], mnc: halves[1]),
      settings.networks.contains(network.description)
    else { return nil }
    return network
  }

  /// A number for a login hint, encrypted for the operator.
  func subscriberID(_ number: String) -> String? {
    guard let text = try? keys.encrypt(number: number, padding: provider.makeName(bytes: 16)) else { return nil }
    provider.issued(text, as: "subscriber id")
    return text
  }

  /// The name of the signing key; a test may change it while a client keeps an old set of keys.
  var keyID: String { provider.word("mobileConnect.key") ?? keys.id }

  /// The customer's pseudonym for an application (PCR).
  func reference(of number: String, for application: SimulatedMobileConnectApplication) -> String {
    String(MobileConnectKeys.hash("PCR \(application.exchangeID) \(number)").prefix(32))
  }

  /// A page for a person.
  static func page(_ title: String, _ body: String, status: Int = 200) -> SimulatedResponse {
    SimulatedResponse(
      status: status, headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: "<!doctype html>\n<title>\(title)</title>\n\(body)\n")
  }

  /// A URL with parameters behind those that it has.
  static func url(_ base: String, _ parameters: [(String, String?)]) -> String {
    let text = parameters.compactMap { name, value in value.map { "\(name)=\(FormFields.encoded($0))" } }
    guard !text.isEmpty else { return base }
    return base + (base.contains("?") ? "&" : "?") + text.joined(separator: "&")
  }
}

extension PLMN {
  /// As in 262_01.
  var mark: String { "\(mcc)_\(mnc)" }
}
