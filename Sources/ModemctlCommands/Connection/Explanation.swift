import Glibc
import ModemAPI
import Varlink

/// An error as one sentence that says what to do, and the exit status that goes with it.
struct Explanation: Hashable, Sendable {
  let status: ExitStatus
  let sentence: String

  init(_ status: ExitStatus, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  init(_ error: any Error) {
    switch error {
    case let error as VarlinkClientError: self = Self.connection(error)
    case let error as VarlinkError: self = Self.answer(error)
    default: self.init(.failed, "\(error)")
    }
  }

  private static func connection(_ error: VarlinkClientError) -> Explanation {
    switch error {
    case .unreachable(let path, EACCES), .unreachable(let path, EPERM):
      Explanation(
        .permissionDenied,
        "you may not open \(path); join the group modemd (`sudo adduser $USER modemd`, then log in again) or use sudo")
    case .unreachable(let path, ENOENT), .unreachable(let path, ECONNREFUSED):
      Explanation(
        .unreachable,
        "modemd is not running: nobody listens at \(path); start it with `sudo systemctl start modemd`, or name another socket with MODEMD_SOCKET"
      )
    case .unreachable(let path, let number):
      Explanation(.unreachable, "\(path) cannot be opened: \(String(cString: strerror(number)))")
    case .disconnected:
      Explanation(
        .unreachable, "modemd closed the connection before it answered; look at `journalctl -u modemd` and try again")
    case .badReply: Explanation(.failed, "\(error)")
    }
  }

  private static func answer(_ error: VarlinkError) -> Explanation {
    switch error.name {
    case "org.varlink.service.PermissionDenied":
      return Explanation(
        .permissionDenied,
        "modemd does not let you ask; join the group modemd (`sudo adduser $USER modemd`, then log in again)")
    case "org.varlink.service.InvalidParameter":
      return Explanation(.failed, "modemd does not accept the parameter \(error.field("parameter") ?? "")")
    case "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound":
      return Explanation(
        .failed, "this modemd does not know what was asked; are modemd and modemctl of the same version?")
    default:
      return modem(error) ?? bearer(error) ?? check(error) ?? Explanation(.failed, "modemd answered \(error.name)")
    }
  }

  private static func modem(_ error: VarlinkError) -> Explanation? {
    if let none = error.parameters(as: ModemInterface.NoModem.self) { return Explanation(.noModem, none.hint) }
    if let several = error.parameters(as: ModemInterface.MoreThanOneModem.self) {
      return Explanation(
        .noModem, "there are \(several.modems.count) modems; name one of \(several.modems.joined(separator: ", "))")
    }
    if let unknown = error.parameters(as: ModemInterface.NoSuchModem.self) {
      return Explanation(.noModem, "no modem is named \(unknown.modem); `modemctl list` shows the names")
    }
    if let gone = error.parameters(as: ModemInterface.PortUnavailable.self) {
      return Explanation(.notReady, gone.cause)
    }
    if let wrong = error.parameters(as: ModemInterface.WrongPIN.self) {
      let left = wrong.retriesLeft.map { "; \($0) attempt\($0 == 1 ? " is" : "s are") left" } ?? ""
      return Explanation(.notReady, "the SIM refused the PIN\(left)")
    }
    if error.parameters(as: ModemInterface.PINNotRequired.self) != nil {
      return Explanation(.notReady, "the SIM does not wait for a PIN")
    }
    return error.parameters(as: ModemInterface.ModemFailed.self).map { Explanation(.notReady, $0.cause) }
  }

  private static func bearer(_ error: VarlinkError) -> Explanation? {
    if let notReady = error.parameters(as: BearerInterface.NotReady.self) {
      return Explanation(.notReady, notReady.text)
    }
    if let refused = error.parameters(as: BearerInterface.Refused.self) {
      let code = refused.code.map { " (cause \($0))" } ?? ""
      return Explanation(
        .notReady,
        "the network refused the bearer: \(refused.text)\(code); check the APN and what the subscription allows")
    }
    if let none = error.parameters(as: BearerInterface.NoAddress.self) { return Explanation(.notReady, none.text) }
    return error.parameters(as: BearerInterface.InUse.self).map {
      Explanation(
        .notReady, "\($0.flows) flow\($0.flows == 1 ? " uses" : "s use") the bearer; wait for the end and try again")
    }
  }

  private static func check(_ error: VarlinkError) -> Explanation? {
    if let url = error.parameters(as: CheckInterface.InvalidURL.self) {
      return Explanation(.chainFailed, "this URL cannot be opened: \(url.reason)")
    }
    if let option = error.parameters(as: CheckInterface.InvalidOption.self) {
      return Explanation(.chainFailed, "\(option.option) is out of its range: expected \(option.expected)")
    }
    return error.parameters(as: CheckInterface.TooManyFlows.self).map {
      Explanation(.notReady, "\($0.limit) flows are running; try again in \($0.retryAfterMilliseconds) ms")
    }
  }
}
