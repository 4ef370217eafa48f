extension NetworkCause {
  /// The session management causes in 3GPP's words, without capitals (TS 24.008, 10.5.6.6; TS
  /// 24.301, 9.9.4.4).
  static let sessionTexts: [Int: String] = [
    8: "operator determined barring", 24: "MBMS bearer capabilities insufficient for the service",
    25: "LLC or SNDCP failure", 26: "insufficient resources", 27: "missing or unknown access point name",
    28: "unknown PDN type", 29: "user authentication failed",
    30: "activation rejected by the gateway", 31: "activation rejected, unspecified",
    32: "service option not supported",
    33: "requested service option not subscribed", 34: "service option temporarily out of order",
    35: "procedure transaction identity already in use", 36: "regular deactivation",
    37: "quality of service not accepted",
    38: "network failure", 39: "reactivation requested", 40: "feature not supported",
    41: "semantic error in the traffic flow template operation",
    42: "syntactical error in the traffic flow template operation", 43: "invalid bearer identity",
    44: "semantic errors in packet filters", 45: "syntactical errors in packet filters",
    46: "bearer without traffic flow template already activated", 47: "procedure transaction identity mismatch",
    48: "request rejected, bearer control mode violation", 49: "last PDN disconnection not allowed",
    50: "PDN type IPv4 only allowed", 51: "PDN type IPv6 only allowed", 52: "single address bearers only allowed",
    53: "session management information not received", 54: "PDN connection does not exist",
    55: "multiple PDN connections for a given access point name not allowed",
    56: "collision with network initiated request", 57: "PDN type IPv4v6 only allowed",
    58: "PDN type non IP only allowed", 59: "unsupported quality class", 60: "bearer handling not supported",
    61: "PDN type Ethernet only allowed", 65: "maximum number of bearers reached",
    66: "requested access point name not supported in current radio access and network combination",
    81: "invalid procedure transaction identity", 95: "semantically incorrect message",
    96: "invalid mandatory information", 97: "message type non-existent or not implemented",
    98: "message type not compatible with the protocol state",
    99: "information element non-existent or not implemented", 100: "conditional information element error",
    101: "message not compatible with the protocol state", 111: "protocol error, unspecified",
    112: "access point name restriction value incompatible with active bearer",
    113: "multiple accesses to a PDN connection not allowed",
  ]

  /// Whether 3GPP has a session management cause of this number.
  package static func isKnownSession(_ code: Int) -> Bool { sessionTexts[code] != nil }

  /// Causes that last until the subscription, SIM or configuration changes. An early retry is
  /// useless, and networks punish it (TS 24.301, 6.5.1.4.3).
  private static let lastingSessionCauses: Set<Int> = [
    8, 27, 28, 29, 32, 33, 40, 50, 51, 52, 55, 57, 58, 61, 66, 95, 96, 97, 99, 111, 112,
  ]

  /// Whether the next attempt will get the same session management cause.
  public var isLasting: Bool { code.map(Self.lastingSessionCauses.contains) ?? false }

  /// Whether another access point name may be accepted after this session management cause.
  public var isAboutAccessPoint: Bool { code.map([8, 27, 29, 30, 31, 32, 33, 66, 112].contains) ?? true }
}
