import CMBIM
import ReplyCheck

/// An INDICATE_STATUS message whose counts, offsets and lengths are within its bounds.
struct CheckedIndication {
  let message: OpaquePointer
  let subject: MBIMFrame.Subject
  /// The version in force between modem and host.
  let extensions: MBIMExtensions

  /// Checks a message; nil if it is not an indication, or if its contents must not be passed to
  /// libmbim.
  init?(_ message: OpaquePointer, _ extensions: MBIMExtensions) {
    guard let frame = try? MBIMFrame(rawBytes(of: message)), case .indication(let subject) = frame.kind,
      (try? MBIMReplyCheck.check(frame, extensions)) != nil
    else { return nil }
    self.message = message
    self.subject = subject
    self.extensions = extensions
  }
}
