import AuthCore
import BearerStreams
import FlowService
import ModemAPI
import ModemModel
import ModemService
import OutsideNumber
import Varlink

/// Runs `body`, and converts the services' errors into those of the interfaces.
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

/// The wire form of the services' errors; others stay unchanged.
func wireError(_ error: any Error) -> any Error {
  switch error {
  case let error as ServiceError: error.onWire
  case let error as ModemError: error.onWire()
  case let error as MessageError: error.onWire
  case let error as StreamError: error.onWire
  case let error as AuthError: error.onWire ?? error
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

extension StreamError {
  var onWire: VarlinkError {
    switch self {
    case .notResolved(let name, let text): VarlinkError(BearerInterface.NotResolved(name: name, text: text))
    case .notConnected(let reason, let text):
      VarlinkError(BearerInterface.NotConnected(reason: .init(reason), text: text))
    case .destinationNotAllowed(let host, let port, let text):
      VarlinkError(BearerInterface.DestinationNotAllowed(host: host, port: port, text: text))
    case .budgetSpent(let budget, let resets, let text):
      VarlinkError(BearerInterface.BudgetSpent(budget: budget, resets: resets, text: text))
    }
  }
}

extension BearerInterface.NotConnected.Reason {
  fileprivate init(_ reason: StreamError.Reason) {
    self =
      switch reason {
      case .refused: .refused
      case .timedOut: .timedOut
      case .unreachable: .unreachable
      case .refusedAddress: .refusedAddress
      case .bearerLost: .bearerLost
      case .failed: .failed
      }
  }
}

extension ModemError {
  /// The error of org.modemd.Modem or org.modemd.Bearer with this meaning.
  ///
  /// - Parameter aboutSlots: whether the call concerned the slots, which have their own errors.
  func onWire(aboutSlots: Bool = false) -> VarlinkError {
    let failed = ModemInterface.ModemFailed(operation: code.description, cause: description)
    return switch meaning {
    case .notReady(let lack): VarlinkError(BearerInterface.NotReady(reason: .init(lack), text: message))
    case .refused: VarlinkError(BearerInterface.Refused(code: networkCause?.code, text: networkCause?.text ?? message))
    case .noAddress: VarlinkError(BearerInterface.NoAddress(text: message))
    case .wrongPIN: VarlinkError(ModemInterface.WrongPIN(retriesLeft: retriesLeft))
    case .lastAttempt: VarlinkError(ModemInterface.LastAttempt(retriesLeft: retriesLeft, text: message))
    case .pinNotRequired: VarlinkError(ModemInterface.PINNotRequired(state: message))
    case .inUse: aboutSlots ? VarlinkError(ModemInterface.InUse(text: message)) : VarlinkError(failed)
    case .noSuchSlot: aboutSlots ? VarlinkError(ModemInterface.NoSuchSlot(text: message)) : VarlinkError(failed)
    case .notSupported:
      aboutSlots ? VarlinkError(ModemInterface.SlotsNotSupported(text: message)) : VarlinkError(failed)
    case .bearerLost, .modemFailed: VarlinkError(failed)
    }
  }
}

extension BearerInterface.NotReady.Reason {
  fileprivate init(_ lack: ModemError.Lack) {
    self =
      switch lack {
      case .simAbsent: .simAbsent
      case .simLocked: .simLocked
      case .simNotReady: .simNotReady
      case .notRegistered: .notRegistered
      }
  }
}
