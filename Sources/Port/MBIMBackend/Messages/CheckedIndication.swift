import CMBIM
import ReplyCheck

/// An INDICATE_STATUS message whose counts, offsets and lengths lie in it.
struct CheckedIndication {
  let message: OpaquePointer
  let subject: MBIMFrame.Subject
  /// What is in force between modem and host.
  let extensions: MBIMExtensions

  /// Checks a message; nil when it is no indication, or its contents must not be given to libmbim.
  init?(_ message: OpaquePointer, _ extensions: MBIMExtensions) {
    guard let frame = try? MBIMFrame(rawBytes(of: message)), case .indication(let subject) = frame.kind,
      (try? MBIMReplyCheck.check(frame, extensions)) != nil
    else { return nil }
    self.message = message
    self.subject = subject
    self.extensions = extensions
  }
}
