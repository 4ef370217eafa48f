import Glibc

/// Reads a secret line: from the terminal without showing it, or from a pipe.
package enum SecretEntry {
  /// - Returns: the line without its end; nil at the end of input.
  /// - Throws: `ModemctlError` with status 130 after Ctrl-C.
  package static func read(prompt: String, _ show: (String) -> Void) throws -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
    var saved = termios()
    guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return readLine(strippingNewline: true) }
    var silent = saved
    // Signals are off too: Ctrl-C must not leave the terminal without echo.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    show(prompt)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
      show("\n")
    }
    var line = SecretLine()
    var byte: UInt8 = 0
    while Glibc.read(STDIN_FILENO, &byte, 1) == 1 {
      switch line.type(byte) {
      case .more: continue
      case .line(let text): return text
      case .end: return nil
      case .interrupted: throw ModemctlError(.interrupted, "")
      }
    }
    return nil
  }
}

/// A line as it is typed, with the keys that a terminal would otherwise handle.
package struct SecretLine {
  package enum Step: Hashable {
    case more
    case line(String)
    case end
    case interrupted
  }

  private var bytes: [UInt8] = []

  package mutating func type(_ byte: UInt8) -> Step {
    switch byte {
    case 0x03: return .interrupted
    case 0x04: return bytes.isEmpty ? .end : .line(String(decoding: bytes, as: UTF8.self))
    case 0x0a, 0x0d: return .line(String(decoding: bytes, as: UTF8.self))
    case 0x08, 0x7f: _ = bytes.popLast()
    case 0x15: bytes = []
    default: bytes.append(byte)
    }
    return .more
  }
}
