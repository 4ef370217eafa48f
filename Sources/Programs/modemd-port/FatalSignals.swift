import Glibc

/// Notes in one byte that this process ends by a mistake of its own, as a trap or a bad access, before it does.
enum FatalSignals {
  static let fatal = UInt8(ascii: "f")

  /// Written once, before the handlers are there; they only read it.
  nonisolated(unsafe) private static var byte: UnsafeMutablePointer<UInt8>?

  /// Where it is noted from now on.
  static func note(in byte: UnsafeMutablePointer<UInt8>) {
    self.byte = byte
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in FatalSignals.byte?.pointee = FatalSignals.fatal }
    // Once: the same signal comes again behind the handler, and then ends the process.
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { sigaction(signal, &action, nil) }
  }
}
