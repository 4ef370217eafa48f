import Glibc

/// Records in one byte that this process ends because of its own error, such as a trap or a bad
/// access, before it ends.
enum FatalSignals {
  static let fatal = UInt8(ascii: "f")

  /// Written once, before the handlers are set; they only read it.
  nonisolated(unsafe) private static var byte: UnsafeMutablePointer<UInt8>?

  /// Where to record it from now on.
  static func note(in byte: UnsafeMutablePointer<UInt8>) {
    self.byte = byte
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in FatalSignals.byte?.pointee = FatalSignals.fatal }
    // Once: the same signal comes again after the handler, and then ends the process.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { sigaction(signal, &action, nil) }
  }
}
