/// A reason from the network or the modem, with 3GPP's number if there is one.
public struct NetworkCause: Hashable, Sendable, CustomStringConvertible {
  /// The 3GPP cause number, 1 to 255; nil if the modem only gave words.
  public let code: Int?
  public let text: String

  public init(code: Int?, text: String) {
    self.code = code
    self.text = text
  }

  /// A session management cause in 3GPP's words (TS 24.008, 10.5.6.6; TS 24.301, 9.9.4.4).
  public static func session(_ code: Int) -> NetworkCause {
    NetworkCause(code: code, text: sessionTexts[code] ?? "session management cause \(code)")
  }

  /// A mobility management cause in 3GPP's words (TS 24.008, 10.5.5.14; TS 24.301, 9.9.3.9).
  public static func registration(_ code: Int) -> NetworkCause {
    NetworkCause(code: code, text: registrationTexts[code] ?? "mobility management cause \(code)")
  }

  public var description: String { code.map { "\(text) (cause \($0))" } ?? text }

  private static let registrationTexts: [Int: String] = [
    2: "IMSI unknown in HSS", 3: "illegal UE", 5: "IMEI not accepted", 6: "illegal ME",
    7: "EPS services not allowed", 8: "EPS and non-EPS services not allowed", 11: "PLMN not allowed",
    12: "tracking area not allowed", 13: "roaming not allowed in this tracking area",
    14: "EPS services not allowed in this PLMN", 15: "no suitable cells in tracking area", 17: "network failure",
    22: "congestion", 25: "not authorized for this CSG", 35: "requested service option not authorized",
  ]
}
