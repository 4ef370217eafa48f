import JournalLog
import ModemModel
import ModemService
import PortAPI
import Varlink

/// Calls one port over its socket, each call on its own connection, so that a long call never
/// delays another. Only the question before each chain has a connection that waits for the next.
struct PortLink: ModemLink {
  let name: String
  let path: String
  private let verifying = KeptPortConnection()
  /// Hears of modems that give no answer in time.
  var observer: (any ServiceObserver)?

  init(name: String, path: String, observer: (any ServiceObserver)? = nil) {
    (self.name, self.path, self.observer) = (name, path, observer)
  }

  func connect(_ request: BearerRequest) async throws -> BearerStatus {
    let parameters = PortInterface.Connect.Parameters(
      apn: request.apn, user: request.user, password: request.password?.revealed,
      authentication: .init(rawValue: request.authentication.rawValue),
      ipType: .init(rawValue: request.ipType.rawValue),
      apnSource: .init(rawValue: request.source.rawValue), keep: request.isKept,
      trace: TraceContext.current?.traceID)
    // Chains come next, and before the first of them the same connection asks another question.
    return try BearerStatus(try await ask(PortInterface.Connect.self, parameters) { verifying.keep($0) }.bearer)
  }

  func disconnect() async throws -> BearerStatus {
    try BearerStatus(try await ask(PortInterface.Disconnect.self, .init()).bearer)
  }

  func noteTraffic(isAnswered: Bool, interfaceIndex: Int) async throws -> BearerStatus {
    let parameters = PortInterface.NoteTraffic.Parameters(interfaceIndex: interfaceIndex, answered: isAnswered)
    return try BearerStatus(try await ask(PortInterface.NoteTraffic.self, parameters).bearer)
  }

  func verifyBearer() async throws -> BearerStatus {
    do {
      return try BearerStatus(try await verifying.ask(PortInterface.VerifyBearer.self, .init(), at: path).bearer)
    } catch {
      throw failure(error)
    }
  }

  func unlock(with pin: PIN, mayBeLast: Bool) async throws -> ModemState {
    // Null for no, because an older port does not know the parameter.
    let parameters = PortInterface.UnlockPIN.Parameters(pin: pin.revealed, lastAttempt: mayBeLast ? true : nil)
    return try ModemState(try await ask(PortInterface.UnlockPIN.self, parameters).state)
  }

  func ask<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, then use: (VarlinkClient) -> Void = { _ in }
  ) async throws -> Method.Reply {
    do {
      let client = try await VarlinkClient.connect(to: path)
      let reply = try await client.call(method, parameters)
      use(client)
      return reply
    } catch {
      throw failure(error)
    }
  }

  /// An error of a call in the service's terms.
  func failure(_ error: any Error) -> any Error {
    switch error {
    case let error as VarlinkError: noted(ModemError(fromPort: error))
    case let error as VarlinkClientError:
      ServiceError(
        .portUnavailable,
        "the port \(name) does not answer (\(error)); look at `systemctl status 'modemd-port@*'` and try again")
    default: error
    }
  }

  private func noted(_ error: ModemError) -> ModemError {
    if error.code == .timeout { observer?.timedOut(port: name) }
    return error
  }
}
