import ModemAPI
import Varlink

extension ModemctlError {
  /// What an error of org.modemd.Messages means; nil for others.
  package static func aboutMessages(_ error: VarlinkError) -> ModemctlError? {
    if let unknown = error.parameters(as: MessagesInterface.NoSuchMessage.self) {
      return ModemctlError(.failed, "there is no message \(unknown.id); `modemctl sms list` shows the ids")
    }
    if let unavailable = error.parameters(as: MessagesInterface.MessagesUnavailable.self) {
      return ModemctlError(.modemFailed, unavailable.text)
    }
    if let full = error.parameters(as: MessagesInterface.StorageFull.self) {
      return ModemctlError(.notReady, full.text)
    }
    if let none = error.parameters(as: MessagesInterface.NoCode.self) { return ModemctlError(.noCode, none.text) }
    if let waits = error.parameters(as: MessagesInterface.TooManyWaits.self) {
      return ModemctlError(.failed, "\(waits.limit) callers wait for codes; try again when one has ended")
    }
    if let option = error.parameters(as: MessagesInterface.InvalidOption.self) {
      return ModemctlError(.usage, "\(option.option): expected \(option.expected)")
    }
    return nil
  }
}
