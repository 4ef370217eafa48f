import MBIMBackend
import ModemModel
import QMIBackend

/// The port's components, in one line for people.
enum Software {
  /// As in `modemd-port 0.1.0, libmbim 1.28.2`.
  static func line(_ version: String, _ kind: ModemProtocol) -> String {
    let library =
      switch kind {
      case .mbim: MBIMBackend.library
      case .qmi: QMIBackend.library
      }
    return "modemd-port \(version), \(library)"
  }
}
