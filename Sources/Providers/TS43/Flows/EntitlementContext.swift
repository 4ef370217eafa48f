import AuthCore
import ModemModel
import Web

/// What is the same in all requests about one SIM: the server, and what the server is told of the
/// machine.
struct EntitlementContext: Sendable {
  /// "Device and User Information": the application of all operations about numbers (TS.43, 2.3).
  static let app = "ap2014"

  let settings: TS43Settings
  let url: WebURL
  let terminalID: String
  let imsi: IMSI
  let iccid: ICCID?

  /// - Throws: the outcome of a flow that lacks something.
  init(_ settings: TS43Settings, for subscriber: Subscriber) throws(Missing) {
    guard let imsi = subscriber.imsi else {
      throw Missing(Self.withoutIdentity)
    }
    self.settings = settings
    self.imsi = imsi
    iccid = subscriber.iccid
    url = try Self.url(settings, subscriber.home)
    terminalID = try Self.terminalID(settings, subscriber.imei)
  }

  /// The outcome without an IMSI.
  static let withoutIdentity = FlowOutcome(
    .noSIMAnswer, code: SIMFailure.Kind.simNotReady.rawValue,
    "the SIM's identity (IMSI) is not known; see `modemctl status` for the SIM's state")

  /// Why a flow cannot begin.
  struct Missing: Error {
    let outcome: FlowOutcome
    init(_ outcome: FlowOutcome) { self.outcome = outcome }
  }

  /// What a token is bound to; nil for a SIM whose serial number is not known, for which none is
  /// kept.
  var key: EntitlementTokenKey? {
    iccid.map {
      EntitlementTokenKey(
        iccid: $0, imsi: imsi, terminalID: terminalID, app: Self.app, appName: settings.appName ?? "",
        appVersion: settings.appVersion ?? "", host: url.host)
    }
  }

  /// Whether the server's name follows from the network, and nobody has said that there is one.
  var isDerived: Bool { settings.server == nil }

  /// What begins a login.
  var loginRequest: EAPLoginRequest {
    EAPLoginRequest(
      settings.eap, realm: settings.realm, networkName: settings.networkName,
      reauthenticates: settings.reauthenticates)
  }

  private static func url(_ settings: TS43Settings, _ home: PLMN?) throws(Missing) -> WebURL {
    if let server = settings.server { return server.url }
    guard let home, let url = try? WebURL("https://\(serverName(of: home))/") else {
      throw Missing(
        FlowOutcome(
          .notConfigured,
          "the SIM's home network is not known, so neither is its entitlement server; give the server in `server`"))
    }
    return url
  }

  /// The name of a network's server, with the MNC in three digits (TS.43, 2.1).
  static func serverName(of home: PLMN) -> String {
    let mnc = home.mnc.utf8.count < 3 ? "0" + home.mnc : home.mnc
    return "aes.mnc\(mnc).mcc\(home.mcc).pub.3gppnetwork.org"
  }

  private static func terminalID(_ settings: TS43Settings, _ imei: IMEI?) throws(Missing) -> String {
    switch settings.terminalID {
    case .uuid(let text): return text
    case .imei:
      guard let imei, !imei.revealed.isEmpty else {
        throw Missing(
          FlowOutcome(
            .notConfigured, "the modem does not tell its serial number (IMEI); give a UUID in `terminalID`"))
      }
      return imei.revealed
    }
  }
}

/// It prints the host alone.
extension EntitlementContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "(\(url.host))" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
