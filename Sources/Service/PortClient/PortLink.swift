import ModemAPI
import ModemModel
import ModemService
import Varlink

/// Asks one port over its socket, each call on a connection of its own: a long one never holds up another.
struct PortLink: ModemLink {
  let name: String
  let path: String

  func connect(_ request: BearerRequest) async throws -> BearerStatus {
    let parameters = PortInterface.Connect.Parameters(
      apn: request.apn, user: request.user, password: request.password?.revealed,
      authentication: .init(rawValue: request.authentication.rawValue),
      ipType: .init(rawValue: request.ipType.rawValue),
      apnSource: .init(rawValue: request.source.rawValue), keep: request.isKept)
    return try BearerStatus(try await ask(PortInterface.Connect.self, parameters).bearer)
  }

  func disconnect() async throws -> BearerStatus {
    try BearerStatus(try await ask(PortInterface.Disconnect.self, .init()).bearer)
  }

  func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
    let parameters = PortInterface.NoteTraffic.Parameters(interfaceIndex: interfaceIndex, answered: isAnswered)
    return try BearerStatus(try await ask(PortInterface.NoteTraffic.self, parameters).bearer)
  }

  func verifyBearer() async throws -> BearerStatus {
    try BearerStatus(try await ask(PortInterface.VerifyBearer.self, .init()).bearer)
  }

  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState {
    // Null for no: a port that is older than this does not know the word.
    let parameters = PortInterface.UnlockPIN.Parameters(pin: pin.revealed, lastAttempt: mayBeLast ? true : nil)
    return try ModemState(try await ask(PortInterface.UnlockPIN.self, parameters).state)
  }

  func ask<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    do {
      let client = try await VarlinkClient.connect(to: path)
      return try await client.call(method, parameters)
    } catch let error as VarlinkError {
      throw ModemError(fromPort: error)
    } catch let error as VarlinkClientError {
      throw ServiceError(
        .portUnavailable,
        "the port \(name) does not answer (\(error)); look at `systemctl status 'modemd-port@*'` and try again")
    }
  }
}

extension ModemError {
  /// What the port said, as the model has it.
  init(fromPort error: VarlinkError) {
    if let aboutSlots = ModemError(aboutSlots: error) {
      self = aboutSlots
    } else if let notReady = error.parameters(as: PortInterface.NotReady.self) {
      let code: Code =
        switch notReady.reason {
        case .simAbsent: .simAbsent
        case .simLocked: .simLocked
        case .simNotReady: .simNotReady
        case .notRegistered: .notRegistered
        case .other: .failed
        }
      self.init(code, notReady.text)
    } else if let refused = error.parameters(as: PortInterface.Refused.self) {
      let cause = NetworkCause(code: refused.code, text: refused.text)
      self.init(.refused, "the network refused the bearer: \(cause)", networkCause: cause)
    } else if let none = error.parameters(as: PortInterface.NoAddress.self) {
      self.init(.noAddress, none.text)
    } else if let lost = error.parameters(as: PortInterface.BearerLost.self) {
      self.init(.notConnected, lost.text)
    } else if let wrong = error.parameters(as: PortInterface.WrongPIN.self) {
      let left = wrong.retriesLeft.map { "; \($0) attempt\($0 == 1 ? "" : "s") left" } ?? ""
      self.init(.wrongPIN, "the SIM refused the PIN\(left)", retriesLeft: wrong.retriesLeft)
    } else if let last = error.parameters(as: PortInterface.LastAttempt.self) {
      self.init(.lastAttempt, last.text, retriesLeft: last.retriesLeft)
    } else if let notRequired = error.parameters(as: PortInterface.PINNotRequired.self) {
      self.init(.pinNotRequired, notRequired.state)
    } else if let failed = error.parameters(as: PortInterface.ModemFailed.self) {
      self.init(.failed, "\(failed.operation): \(failed.cause)")
    } else {
      self.init(.failed, "the port answered \(error.name)")
    }
  }
}
