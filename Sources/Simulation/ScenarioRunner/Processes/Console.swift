import Glibc

/// Where a program speaks to people. Nothing is held back, so that lines stand in order with those of other programs.
package enum Console {
  package static func say(_ text: String) { write(text + "\n", to: 1) }

  /// Says on standard error what went wrong.
  ///
  /// - Parameter program: who says it.
  package static func complain(_ error: any Error, program: String = "modem-simulator") {
    write("\(program): \(error)\n", to: 2)
  }

  /// Writes to standard output as it is.
  package static func write(_ text: String) { write(text, to: 1) }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}
