import AuthCore
import ModemAPI
import ModemModel
import ModemService
import OutsideNumber
import Varlink

/// Runs `body`, and turns the errors of the services into those that the interfaces declare.
func onWire<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
  do {
    return try await body()
  } catch {
    throw wireError(error)
  }
}

func onWire<Reply>(_ body: () throws -> Reply) throws -> Reply {
  do {
    return try body()
  } catch {
    throw wireError(error)
  }
}

private func wireError(_ error: any Error) -> any Error {
  switch error {
  case let error as ServiceError: error.onWire
  case let error as ModemError: error.onWire
  case let error as MessageError: error.onWire
  case let error as AuthError: error.onWire
  default: error
  }
}

extension ServiceError {
  var onWire: VarlinkError {
    switch code {
    case .noModem: VarlinkError(ModemInterface.NoModem(hint: message))
    case .moreThanOneModem(let names): VarlinkError(ModemInterface.MoreThanOneModem(modems: names))
    case .noSuchModem(let name): VarlinkError(ModemInterface.NoSuchModem(modem: name))
    case .portUnavailable: VarlinkError(ModemInterface.PortUnavailable(cause: message))
    case .inUse(let flows): VarlinkError(BearerInterface.InUse(flows: flows))
    case .tooManyFlows(let limit, let retryAfter):
      VarlinkError(CheckInterface.TooManyFlows(limit: limit, retryAfterMilliseconds: retryAfter.millisecondsRoundedUp))
    case .waitedTooLong(let limit):
      VarlinkError(CheckInterface.TooManyFlows(limit: limit, retryAfterMilliseconds: 1000))
    }
  }
}

extension ModemError {
  var onWire: VarlinkError {
    switch code {
    case .simAbsent: VarlinkError(BearerInterface.NotReady(reason: .simAbsent, text: message))
    case .simLocked: VarlinkError(BearerInterface.NotReady(reason: .simLocked, text: message))
    case .simNotReady: VarlinkError(BearerInterface.NotReady(reason: .simNotReady, text: message))
    case .notRegistered: VarlinkError(BearerInterface.NotReady(reason: .notRegistered, text: message))
    case .refused: VarlinkError(BearerInterface.Refused(code: networkCause?.code, text: networkCause?.text ?? message))
    case .noAddress: VarlinkError(BearerInterface.NoAddress(text: message))
    case .wrongPIN: VarlinkError(ModemInterface.WrongPIN(retriesLeft: retriesLeft))
    case .lastAttempt: VarlinkError(ModemInterface.LastAttempt(retriesLeft: retriesLeft, text: message))
    case .pinNotRequired: VarlinkError(ModemInterface.PINNotRequired(state: message))
    default: VarlinkError(ModemInterface.ModemFailed(operation: code.description, cause: description))
    }
  }
}

extension Duration {
  /// To a hundredth.
  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1000 + (Double(attoseconds) / 1e13).rounded() / 100
  }
}
