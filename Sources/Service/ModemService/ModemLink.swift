import ModemModel

/// The service's access to one port, and the requests to its modem. Calls throw `ModemError`, or
/// `ServiceError` with `portUnavailable` while the port does not run.
package protocol ModemLink: Sendable {
  /// Identifies the port on this machine, like its socket's name.
  var name: String { get }
  /// Access to the modem's short messages; nil if there is none.
  var messages: (any MessageLink)? { get }

  func connect(_ request: BearerRequest) async throws -> BearerStatus
  func disconnect() async throws -> BearerStatus
  func verifyBearer() async throws -> BearerStatus
  /// Tells the port whether packets came back over its bearer.
  func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus
  /// Enters PIN1, once.
  ///
  /// - Parameter mayBeLast: whether it may be the last attempt; otherwise, that attempt is refused
  ///   with `ModemError` `lastAttempt`.
  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState
  func slots() async throws -> SIMSlots
  func switchSlot(to slot: Int) async throws -> ModemState
  /// The sockets over the bearer: a report at once, then one after each interval.
  func watchSockets(every interval: Duration) -> AsyncThrowingStream<BearerSockets, any Error>
  /// Destroys a socket over the bearer. Does nothing if there is none.
  func endSocket(cookie: UInt64) async throws
  /// Begins a login of the SIM. Also throws `EAPFault`.
  func beginEAP(_ request: EAPLoginRequest) async throws -> EAPLogin
  /// Takes the server's next packet of a login. Also throws `EAPFault`.
  func answerEAP(_ packet: [UInt8], of login: String) async throws -> EAPReply
}

extension ModemLink {
  package func beginEAP(_ request: EAPLoginRequest) async throws -> EAPLogin {
    throw EAPFault.notSupported("the port \(name) runs no logins of the SIM")
  }

  package func answerEAP(_ packet: [UInt8], of login: String) async throws -> EAPReply {
    throw EAPFault.unknownLogin
  }
}

extension ModemLink {
  package func watchSockets(every interval: Duration) -> AsyncThrowingStream<BearerSockets, any Error> {
    AsyncThrowingStream { $0.finish() }
  }

  package func endSocket(cookie: UInt64) async throws {
    throw ServiceError(.portUnavailable, "the port \(name) cannot end sockets")
  }
}

extension ModemLink {
  package func slots() async throws -> SIMSlots {
    throw ModemError(.notSupported, "this modem does not report its slots")
  }

  package func switchSlot(to slot: Int) async throws -> ModemState {
    throw ModemError(.notSupported, "this modem cannot change its slot")
  }
}

extension ModemLink {
  /// For a port that does not need to know.
  package func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
    throw ServiceError(.portUnavailable, "the port \(name) does not accept reports about its bearer's traffic")
  }
}
