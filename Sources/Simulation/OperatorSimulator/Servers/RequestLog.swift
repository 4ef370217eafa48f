import Glibc

/// A file with one line for each request to one side of a world, which shows the path of a call.
package struct RequestLog: Sendable {
  /// One line: the side, the method, the host, only the first part of the path, because the rest
  /// may identify a person, and the number of the connection.
  package struct Entry: Hashable, Sendable, CustomStringConvertible {
    package var side: String
    package var method: String
    package var host: String
    package var place: String
    /// Counts the connections of the process that serves the side. The description omits it.
    package var connection: Int?

    init(_ request: SimulatedRequest, side: String) {
      self.side = side
      method = request.method
      host = Self.word(request.host)
      place = "/" + Self.place(request)
    }

    /// Reads a line; nil for anything else.
    init?(line: Substring) {
      let words = line.split(separator: " ").map { String($0) }
      guard words.count == 4 || words.count == 5 else { return nil }
      (side, method, host, place) = (words[0], words[1], words[2], words[3])
      connection = words.count == 5 ? Int(words[4]) : nil
    }

    package var description: String { "\(side) \(method) \(host) \(place)" }

    /// The first part of the path, where it is a word of an API and no number, name or id.
    private static func place(_ request: SimulatedRequest) -> String {
      guard let part = request.pathParts.first else { return "" }
      let digits = part.utf8.reduce(0) { $0 + ((0x30...0x39).contains($1) ? 1 : 0) }
      return digits < 5 && part.utf8.count <= 40 ? word(part) : "…"
    }

    private static func word(_ text: String) -> String {
      text.isEmpty || text.contains { $0.isWhitespace || !$0.isASCII } ? "-" : text
    }
  }

  private let path: String
  private let side: String

  /// - Parameters:
  ///   - path: the file; lines are added to it.
  ///   - side: a word.
  package init(at path: String, side: String) {
    self.path = path
    self.side = side
  }

  /// - Parameter connection: the one that the request came on.
  func record(_ request: SimulatedRequest, connection: Int) {
    let entry = Entry(request, side: side)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = Array("\(entry) \(connection)\n".utf8)
    // One call, so that lines of several threads do not mix.
    _ = write(descriptor, line, line.count)
  }

  /// What a file holds; nothing when it is not there.
  package static func entries(in text: String) -> [Entry] { text.split(separator: "\n").compactMap { Entry(line: $0) } }
}
