import GLibBridge
import Glibc
import ModemModel

/// Failed calls, independent of the library that made them.
extension ModemError {
  /// Turns a failed call into a `ModemError`.
  ///
  /// - Parameters:
  ///   - name: What was asked of the modem.
  ///   - isRemoved: Whether the port vanished, for calls that ended for that reason.
  ///   - library: Maps an error of the library, by its domain and code.
  package init(
    _ error: GLibBridgeError, during name: String, isRemoved: Bool, library: (String, Int) -> ModemError
  ) {
    switch error.code {
    case .cancelled: self.init(.cancelled, "\(name): the caller gave up")
    case .deadline: self.init(.timeout, "\(name): the modem did not answer in time")
    case .busy: self.init(.busy, "\(name): too many commands are waiting for the modem", cause: error.message)
    case .abandoned where isRemoved: self = .removed(during: name)
    case .abandoned: self.init(.cancelled, "\(name): \(error.message)")
    case .library(let domain, let code): self = library(domain, code)
    }
  }

  /// The port vanished during a call.
  package static func removed(during name: String) -> ModemError {
    ModemError(.removed, "\(name): the control port went away; open the modem anew when it is back")
  }

  /// The modem was abandoned during a call, because it no longer answers.
  package static func silent(during name: String) -> ModemError {
    ModemError(.timeout, "\(name): the modem stopped answering; its port is opened anew, try again then")
  }

  /// Adds to a failed opening what the user can do about it.
  ///
  /// - Parameters:
  ///   - path: The control port.
  ///   - error: The error and the library's message.
  ///   - language: The protocol to open, as in `MBIM`.
  ///   - proxy: The proxy's name; nil without a proxy.
  ///   - silence: The message if the proxy does not answer.
  package static func notOpened(
    _ path: String, _ error: ModemError, _ bridge: GLibBridgeError, language: String, proxy: String?, silence: String
  ) -> ModemError {
    switch (error.code, proxy) {
    case (.removed, let proxy?):
      return .notOpened(.deviceUnavailable, through: proxy, device: path, "the proxy hung up", isRoot: geteuid() == 0)
    case (.timeout, let proxy?):
      return .notOpened(.timeout, through: proxy, device: path, silence, isRoot: geteuid() == 0)
    case (.removed, nil), (.cancelled, _): return error
    default:
      return ModemError(
        .deviceUnavailable,
        "open \(path): the control port cannot be opened; check that the modem is plugged in and speaks \(language)",
        cause: bridge.message)
    }
  }
}
