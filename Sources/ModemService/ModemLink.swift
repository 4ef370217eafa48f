import ModemModel

/// The service's way to one port: what can be asked of a modem. Calls throw `ModemError`, or `ServiceError` with
/// `portUnavailable` while the port does not run.
public protocol ModemLink: Sendable {
  /// Names the port on this machine, as its socket does.
  var name: String { get }

  func connect(_ request: BearerRequest) async throws -> BearerStatus
  func disconnect() async throws -> BearerStatus
  func verifyBearer() async throws -> BearerStatus
  func unlock(with pin: PIN) async throws -> ModemState
}
