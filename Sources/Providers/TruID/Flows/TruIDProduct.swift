/// The checks of tru.ID that a device takes part in.
package enum TruIDProduct: String, Hashable, Sendable, CaseIterable {
  /// Whether the number is the SIM's.
  case phoneCheck = "phone_check"
  /// The same, and whether the SIM was recently changed.
  case subscriberCheck = "subscriber_check"

  /// In paths of an application's backend.
  var backendWord: String { self == .phoneCheck ? "phone-check" : "subscriber-check" }

  /// As coverage answers name it.
  var coverageID: String { self == .phoneCheck ? "pck" : "suk" }

  /// The required scope of an access token.
  var scope: String { rawValue }
}

/// A version of the checks' protocol.
package enum TruIDVersion: String, Hashable, Sendable, CaseIterable {
  /// The chain ends without a result, which is then requested.
  case v1 = "v0.1"
  /// The chain ends with a code, which is exchanged for the result.
  case v2 = "v0.2"
}
