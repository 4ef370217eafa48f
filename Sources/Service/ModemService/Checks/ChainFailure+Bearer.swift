import ModemModel
import RedirectChain

extension ChainFailure {
  /// Why a chain's bearer could not be brought up.
  init(without error: any Error) {
    switch error {
    case let error as ServiceError: self.init(Self.cause(of: error), error.message)
    case let error as ChainFailure: self = error
    case let error as ModemError: self.init(Self.cause(of: error), error.description)
    default: self.init(.modemFailed, "\(error)")
    }
  }

  private static func cause(of error: ModemError) -> Cause {
    switch error.meaning {
    case .notReady(.simAbsent): .simAbsent
    case .notReady(.simLocked): .simLocked
    case .notReady(.simNotReady): .simNotReady
    case .notReady(.notRegistered): .notRegistered
    case .refused: .bearerRefused
    case .noAddress: .noAddress
    case .bearerLost: .bearerLost
    case .wrongPIN, .lastAttempt, .pinNotRequired, .inUse, .noSuchSlot, .notSupported, .modemFailed: .modemFailed
    }
  }

  private static func cause(of error: ServiceError) -> Cause {
    switch error.code {
    case .portUnavailable: .portUnavailable
    case .noModem, .moreThanOneModem, .noSuchModem, .inUse, .tooManyFlows, .waitedTooLong: .noModem
    }
  }
}
