import ModemAPI
import OutsideNumber
import Varlink

/// Why a verb did not do what it was asked: the exit status, and one sentence that says what to do.
package struct ModemctlError: Error, Hashable, Sendable, CustomStringConvertible {
  package let status: ExitStatus
  package let message: String

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  package var description: String { message }

  /// Explains an error of the connection or of modemd.
  ///
  /// - Parameters:
  ///   - socket: the path that was asked, for the message.
  ///   - providers: explain the errors of their own interfaces.
  package init(explaining error: any Error, socket: String, providers: [any ProviderVerbs.Type] = []) {
    switch error {
    case let error as ModemctlError: self = error
    case let error as VarlinkClientError: self.init(error, socket: socket)
    case let error as VarlinkError: self.init(error, providers)
    default: self.init(.failed, "\(error)")
    }
  }

  private init(_ error: VarlinkClientError, socket: String) {
    switch error {
    case .unreachable(_, Errno.accessDenied), .unreachable(_, Errno.notPermitted):
      self = .denied(socket)
    case .unreachable(_, let errno):
      let reason = errno == Errno.noFile ? "there is no \(socket)" : "nobody listens at \(socket)"
      self.init(
        .unreachable,
        "modemd does not run, \(reason); start it with `systemctl start modemd`, or name its socket with --socket")
    case .disconnected:
      self.init(
        .unreachable, "modemd closed the connection before it answered; look at `journalctl --unit modemd`")
    case .badReply:
      self.init(.failed, error.description)
    }
  }

  private static func denied(_ socket: String?) -> ModemctlError {
    ModemctlError(
      .denied,
      "you may not call modemd\(socket.map { " at \($0)" } ?? ""); join its group with `sudo adduser $USER modemd` "
        + "and log in again, or use sudo")
  }

  private init(_ error: VarlinkError, _ providers: [any ProviderVerbs.Type]) {
    if error.name == VarlinkError.permissionDenied.name {
      self = .denied(nil)
    } else if let sentence = Self.aboutModems(error) ?? Self.aboutBearers(error) ?? Self.aboutMessages(error)
      ?? Self.aboutUsage(error)
      ?? Self.aboutFlows(error) ?? Self.aboutCalls(error)
      ?? providers.lazy.compactMap({ $0.explain(error) }).first
    {
      self = sentence
    } else {
      self.init(.failed, "modemd answered \(error.name)")
    }
  }

  private static func aboutModems(_ error: VarlinkError) -> ModemctlError? {
    if let none = error.parameters(as: ModemInterface.NoModem.self) {
      return ModemctlError(.noModem, none.hint)
    }
    if let several = error.parameters(as: ModemInterface.MoreThanOneModem.self) {
      return ModemctlError(
        .noModem, "there are \(several.modems.count) modems; name one of \(several.modems.joined(separator: ", "))")
    }
    if let unknown = error.parameters(as: ModemInterface.NoSuchModem.self) {
      return ModemctlError(.noModem, "no modem is named \(unknown.modem); `modemctl list` shows the names")
    }
    if let port = error.parameters(as: ModemInterface.PortUnavailable.self) {
      return ModemctlError(
        .modemFailed, port.cause.advised("look at `systemctl status 'modemd-port@*'`", unless: "`systemctl status"))
    }
    if let pin = error.parameters(as: ModemInterface.WrongPIN.self) {
      let left = pin.retriesLeft.map { "; \($0) attempt\($0 == 1 ? "" : "s") left" } ?? ""
      return ModemctlError(.notReady, "the SIM refused the PIN\(left)")
    }
    if let last = error.parameters(as: ModemInterface.LastAttempt.self) {
      return ModemctlError(.notReady, "\(last.text), with `modemctl unlock --last-attempt`")
    }
    if let pin = error.parameters(as: ModemInterface.PINNotRequired.self) {
      return ModemctlError(.notReady, "the SIM does not wait for a PIN: \(pin.state)")
    }
    if let slots = aboutSlots(error) { return slots }
    if let failure = error.parameters(as: ModemInterface.ModemFailed.self) {
      return ModemctlError(.modemFailed, failure.cause)
    }
    return nil
  }

  private static func aboutSlots(_ error: VarlinkError) -> ModemctlError? {
    if let use = error.parameters(as: ModemInterface.InUse.self) {
      return ModemctlError(.notReady, "\(use.text); `modemctl disconnect` takes it down")
    }
    if let unknown = error.parameters(as: ModemInterface.NoSuchSlot.self) {
      return ModemctlError(.usage, unknown.text)
    }
    if let lack = error.parameters(as: ModemInterface.SlotsNotSupported.self) {
      return ModemctlError(.modemFailed, lack.text)
    }
    return nil
  }

  private static func aboutBearers(_ error: VarlinkError) -> ModemctlError? {
    if let missing = error.parameters(as: BearerInterface.NotReady.self) {
      return ModemctlError(
        .notReady,
        missing.reason == .simLocked
          ? missing.text.advised("enter the PIN with `modemctl unlock`", unless: "`modemctl unlock") : missing.text)
    }
    if let refusal = error.parameters(as: BearerInterface.Refused.self) {
      let code = refusal.code.map { " (cause \($0))" } ?? ""
      return ModemctlError(.notReady, "the network refused the bearer: \(refusal.text)\(code)")
    }
    if let address = error.parameters(as: BearerInterface.NoAddress.self) {
      return ModemctlError(.notReady, address.text)
    }
    if let use = error.parameters(as: BearerInterface.InUse.self) {
      return ModemctlError(
        .notReady,
        "\(use.flows) flow\(use.flows == 1 ? " uses" : "s use") the bearer, connections of programs included; "
          + "wait until they end, and try again")
    }
    return aboutConnections(error)
  }

  private static func aboutConnections(_ error: VarlinkError) -> ModemctlError? {
    if let name = error.parameters(as: BearerInterface.NotResolved.self) {
      return ModemctlError(.chainFailed, name.text)
    }
    if let connection = error.parameters(as: BearerInterface.NotConnected.self) {
      return ModemctlError(.chainFailed, connection.text)
    }
    if let destination = error.parameters(as: BearerInterface.DestinationNotAllowed.self) {
      return ModemctlError(.denied, "you may not reach \(destination.host) over the bearer: \(destination.text)")
    }
    if let budget = error.parameters(as: BearerInterface.BudgetSpent.self) {
      return ModemctlError(.denied, budget.text + (budget.resets.map { "; it starts anew at \($0)" } ?? ""))
    }
    return nil
  }

  private static func aboutUsage(_ error: VarlinkError) -> ModemctlError? {
    if let unknown = error.parameters(as: UsageInterface.NoSuchSocket.self) {
      return ModemctlError(
        .failed, "there is no connection \(unknown.id), or it is another user's; `modemctl sockets` shows the ids")
    }
    if error.parameters(as: UsageInterface.OtherUser.self) != nil {
      return ModemctlError(.denied, "only root may see another user's usage; use sudo")
    }
    return nil
  }

  private static func aboutCalls(_ error: VarlinkError) -> ModemctlError? {
    if let url = error.parameters(as: CheckInterface.InvalidURL.self) {
      return ModemctlError(.usage, url.reason)
    }
    if let option = error.parameters(as: CheckInterface.InvalidOption.self) {
      return ModemctlError(.usage, "\(option.option): expected \(option.expected)")
    }
    if let flows = error.parameters(as: CheckInterface.TooManyFlows.self) {
      return ModemctlError(
        .chainFailed,
        "\(flows.limit) flows wait for their turn already; try again in \(Duration.milliseconds(flows.retryAfterMilliseconds).words)"
      )
    }
    switch error.name {
    case "org.varlink.service.InvalidParameter":
      return ModemctlError(.usage, "modemd does not accept this \(error.field("parameter") ?? "parameter")")
    case "org.varlink.service.MethodNotFound", "org.varlink.service.InterfaceNotFound":
      let missing = error.field("method") ?? error.field("interface") ?? "this method"
      return ModemctlError(.failed, "the service there has no \(missing); is it modemd, and of the same version?")
    default: return nil
    }
  }
}

/// The error numbers that are distinguished (Linux, asm-generic/errno-base.h).
private enum Errno {
  static let notPermitted: Int32 = 1
  static let noFile: Int32 = 2
  static let accessDenied: Int32 = 13
}

extension String {
  /// The sentence followed by advice, unless it already contains such advice.
  ///
  /// - Parameter mark: what that advice contains.
  package func advised(_ advice: String, unless mark: String) -> String {
    contains(mark) ? self : "\(self); \(advice)"
  }
}
