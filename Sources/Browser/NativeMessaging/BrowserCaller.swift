/// The extension for which a browser has started the host.
///
/// Chromium's first argument is the extension's origin. Firefox has two: the path of the host's
/// manifest and the extension's id. Both come from the browser and not from a page.
package struct BrowserCaller: Hashable, Sendable {
  /// As in `abcdefghijklmnopabcdefghijklmnop` of Chromium or `modemd@example.org` of Firefox.
  package let `extension`: String

  /// - Parameter arguments: those behind the program's name.
  /// - Returns: nil if no browser starts a host that way.
  package init?(_ arguments: [String]) {
    guard let first = arguments.first else { return nil }
    let scheme = "chrome-extension://"
    if first.hasPrefix(scheme) {
      let id = first.dropFirst(scheme.count)
      // 32 letters a to p: 128 bits of the key's digest, four to a letter.
      guard id.hasSuffix("/"), id.utf8.count == 33, id.dropLast().utf8.allSatisfy({ (0x61...0x70).contains($0) })
      else { return nil }
      self.extension = String(id.dropLast())
    } else {
      guard first.hasPrefix("/"), arguments.count == 2, Self.isFirefoxID(arguments[1]) else { return nil }
      self.extension = arguments[1]
    }
  }

  /// Whether a text is an extension's id in one of the browsers.
  package static func isID(_ text: String) -> Bool {
    (text.utf8.count == 32 && text.utf8.allSatisfy { (0x61...0x70).contains($0) }) || isFirefoxID(text)
  }

  /// A name like a mail address, or a UUID in braces.
  private static func isFirefoxID(_ text: String) -> Bool {
    (3...80).contains(text.utf8.count) && (text.contains("@") || text.hasPrefix("{"))
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x40...0x5a).contains(byte) || (0x61...0x7b).contains(byte) || byte == 0x7d
          || byte == 0x2d || byte == 0x2e || byte == 0x5f
      }
  }
}

/// The origin of a page, in the one form that browsers write it (HTML, "ASCII serialisation of an
/// origin"). It is compared as a whole.
package struct PageOrigin: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// - Returns: nil unless the text is `https://` with a host in lower case and perhaps a port: no
  ///   path, no user, no `null`.
  package init?(_ text: String) {
    let scheme = "https://"
    guard text.hasPrefix(scheme), text.utf8.count <= 300 else { return nil }
    let rest = text.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
    guard let host = rest.first, rest.count <= 2, !host.isEmpty, host.first != ".", host.last != ".",
      host.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d || byte == 0x2e
      })
    else { return nil }
    guard rest.count == 1 || Self.isPort(rest[1], usual: 443) else { return nil }
    description = text
  }

  /// The origin of a page that a server of this machine has, in the clear over loopback.
  ///
  /// - Returns: nil unless the text is `http://localhost` or `http://127.0.0.1`, perhaps with a
  ///   port.
  package static func ofLoopback(_ text: String) -> PageOrigin? {
    let rest = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(rest.count), rest[0] == "http", ["//localhost", "//127.0.0.1"].contains(rest[1]),
      rest.count == 2 || isPort(rest[2], usual: 80)
    else { return nil }
    return PageOrigin(description: text)
  }

  private init(description: String) { self.description = description }

  /// The usual port is left out, and no number has a zero before it.
  private static func isPort(_ text: Substring, usual: UInt16) -> Bool {
    guard let port = UInt16(text) else { return false }
    return port > 0 && port != usual && "\(port)" == text
  }
}
