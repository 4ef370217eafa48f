import AuthCore
import LimitClock
import OutsideNumber
import Web

/// Makes backend calls over the machine's own network, with the same kinds of limits as a bearer:
/// per provider, by its host, and per caller.
struct HostLane: Sendable {
  /// Running calls to one host and of one caller, and waiting calls.
  static let limits = FlowLimits(perBearer: 32, perCaller: 64, waiting: 512, waitingPerCaller: 128)

  private let gate: FlowGate

  init(_ limits: FlowLimits = HostLane.limits, clock: LimitClock = .machine) {
    gate = FlowGate(limits, clock: clock)
  }

  /// Makes a call when its turn comes. Waiting counts towards the call's time.
  ///
  /// - Throws: `ServiceError` `tooManyFlows`, `CancellationError`, and any error of `send`.
  func send(
    _ call: BackendCall, for caller: Caller,
    _ send: (_ call: BackendCall) async throws -> Result<BackendReply, BackendFailure>
  ) async throws -> Result<BackendReply, BackendFailure> {
    guard call.route == .host else {
      let text =
        "\(call.url.host) is configured to be called over the bearer, and is not called over the machine's network"
      return .failure(BackendFailure(.refused, text))
    }
    let ticket: FlowGate.Ticket
    do {
      ticket = try await gate.enter(caller, bearer: call.url.host, within: call.time)
    } catch let error as ServiceError {
      guard case .waitedTooLong = error.code else { throw error }
      return .failure(
        BackendFailure(
          .timeout,
          "many calls to \(call.url.host) are under way, and the turn of this one did not come within \(call.time.words); try again"
        ))
    }
    defer { ticket.end() }
    return try await send(call)
  }
}
