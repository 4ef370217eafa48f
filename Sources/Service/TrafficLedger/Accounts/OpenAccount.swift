import ModemModel
import NetworkAddress

/// What is known about an open connection.
struct OpenAccount: Sendable {
  let request: TrafficRequest
  /// That of the request's caller.
  let user: UInt32
  let opened: Timestamp
  /// Counts all accounts, for their order.
  let number: UInt64
  /// The process's program, as the kernel names it.
  let program: String?
  var sent = 0
  var received = 0
  var reserved = 0
  var source: IPAddress?
  var address: IPAddress?
  var cookie: UInt64?
  /// Reports of the port in a row that did not have it.
  var misses = 0
  var end: TrafficAccount.End?
  var onEnd: [@Sendable (TrafficAccount.End) -> Void] = []

  var key: TrafficKey { TrafficKey(modem: request.modem, user: request.caller?.userID, purpose: request.purpose) }
}

extension TrafficPurpose {
  /// Whether budgets refuse it.
  var isRefused: Bool { self == .sockets || self == .streams || self == .proxy }
}
