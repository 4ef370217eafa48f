import ModemModel

/// The service's way to one port: what can be asked of a modem. Calls throw `ModemError`, or `ServiceError` with
/// `portUnavailable` while the port does not run.
public protocol ModemLink: Sendable {
  /// Names the port on this machine, as its socket does.
  var name: String { get }
  /// The way to the modem's short messages; nil where there is none.
  var messages: (any MessageLink)? { get }

  func connect(_ request: BearerRequest) async throws -> BearerStatus
  func disconnect() async throws -> BearerStatus
  func verifyBearer() async throws -> BearerStatus
  /// Tells the port whether packets came back over its bearer.
  func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus
  /// Enters PIN1, once.
  ///
  /// - Parameter mayBeLast: whether it may be the last attempt; else that one is refused with `ModemError` `lastAttempt`.
  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState
  func slots() async throws -> SIMSlots
  func switchSlot(to slot: Int) async throws -> ModemState
}

extension ModemLink {
  public func slots() async throws -> SIMSlots { throw ModemError(.notSupported, "this modem does not tell its slots") }

  public func switchSlot(to slot: Int) async throws -> ModemState {
    throw ModemError(.notSupported, "this modem cannot change its slot")
  }
}

extension ModemLink {
  /// A port that does not want to know.
  public func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
    throw ServiceError(.portUnavailable, "the port \(name) takes no word on its bearer's traffic")
  }
}
