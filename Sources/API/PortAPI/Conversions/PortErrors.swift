import DeviceAPI
import ModemModel
import Varlink

/// Converts a modem's errors to and from org.modemd.Port.
extension ModemError {
  /// The error of org.modemd.Port with this meaning.
  ///
  /// - Parameters:
  ///   - operation: the request, for failures without an error of their own.
  ///   - aboutSlots: whether the request concerned the slots, which have their own errors.
  package func onPortWire(_ operation: String, aboutSlots: Bool = false) -> VarlinkError {
    let failed = PortInterface.ModemFailed(operation: operation, cause: description)
    return switch meaning {
    case .notReady(let lack): VarlinkError(PortInterface.NotReady(reason: .init(lack), text: message))
    case .refused: VarlinkError(PortInterface.Refused(code: networkCause?.code, text: networkCause?.text ?? message))
    case .noAddress: VarlinkError(PortInterface.NoAddress(text: message))
    case .bearerLost: VarlinkError(PortInterface.BearerLost(text: message))
    case .wrongPIN: VarlinkError(PortInterface.WrongPIN(retriesLeft: retriesLeft))
    case .lastAttempt: VarlinkError(PortInterface.LastAttempt(retriesLeft: retriesLeft, text: message))
    case .pinNotRequired: VarlinkError(PortInterface.PINNotRequired(state: message))
    case .inUse: aboutSlots ? VarlinkError(PortInterface.InUse(text: message)) : VarlinkError(failed)
    case .noSuchSlot: aboutSlots ? VarlinkError(PortInterface.NoSuchSlot(text: message)) : VarlinkError(failed)
    case .notSupported:
      aboutSlots ? VarlinkError(PortInterface.SlotsNotSupported(text: message)) : VarlinkError(failed)
    case .modemFailed: VarlinkError(failed)
    }
  }

  /// A port's error in the model's terms.
  package init(fromPort error: VarlinkError) {
    if let notReady = error.parameters(as: PortInterface.NotReady.self) {
      self.init(Code(notReady.reason), notReady.text)
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
    } else if let use = error.parameters(as: PortInterface.InUse.self) {
      self.init(.inUse, use.text)
    } else if let unknown = error.parameters(as: PortInterface.NoSuchSlot.self) {
      self.init(.noSuchSlot, unknown.text)
    } else if let lack = error.parameters(as: PortInterface.SlotsNotSupported.self) {
      self.init(.notSupported, lack.text)
    } else if let failed = error.parameters(as: PortInterface.ModemFailed.self) {
      self.init(.failed, "\(failed.operation): \(failed.cause)")
    } else {
      self.init(.failed, "the port answered \(error.name)")
    }
  }
}

extension ModemError.Code {
  fileprivate init(_ reason: PortInterface.NotReady.Reason) {
    self =
      switch reason {
      case .simAbsent: .simAbsent
      case .simLocked: .simLocked
      case .simNotReady: .simNotReady
      case .notRegistered: .notRegistered
      case .other: .failed
      }
  }
}

extension PortInterface.NotReady.Reason {
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
