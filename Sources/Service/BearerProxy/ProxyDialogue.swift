/// What a client says before its connection is open, by SOCKS 5 or by HTTP: its first byte decides.
/// A value without I/O.
struct ProxyDialogue: Sendable {
  /// What to do next.
  enum Step: Hashable, Sendable {
    /// Read more.
    case wait
    /// Answer with these bytes, and ask again.
    case send([UInt8])
    /// Open a connection, and say with `answer` what became of it.
    case open(ProxyRequest)
    case refuse(ProxyRefusal)
    /// Answer with these bytes, and close.
    case hangUp([UInt8])
  }

  private enum Language: Sendable {
    case unknown
    case socks(SOCKSDialogue)
    case http(ConnectHead)
  }

  /// Bytes of a request, in all.
  static let mostBytes = 8192

  private var language = Language.unknown
  private var bytes: ArraySlice<UInt8> = []

  /// Bytes that the client sent behind its request.
  var early: ArraySlice<UInt8> { bytes }
  /// Whether the client has said anything.
  var hasBegun: Bool { if case .unknown = language { false } else { true } }

  mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func next() -> Step {
    if case .unknown = language {
      guard let first = bytes.first else { return .wait }
      language = first == 5 ? .socks(SOCKSDialogue()) : .http(ConnectHead())
    }
    let step: Step
    switch language {
    case .unknown: return .wait
    case .socks(var dialogue):
      step = dialogue.next(&bytes)
      language = .socks(dialogue)
    case .http(var head):
      step = head.next(&bytes)
      language = .http(head)
    }
    if step == .wait, bytes.count > Self.mostBytes {
      return .refuse(ProxyRefusal(.tooLong, "The request has more than \(Self.mostBytes) bytes."))
    }
    return step
  }

  /// The last words of the dialogue.
  ///
  /// - Parameter refusal: nil if the connection is open.
  func answer(_ refusal: ProxyRefusal?) -> [UInt8] {
    switch language {
    // Nobody knows what the client would understand.
    case .unknown: []
    case .socks: SOCKSDialogue.reply(refusal?.replyCode ?? 0)
    case .http: Self.response(refusal)
    }
  }

  private static func response(_ refusal: ProxyRefusal?) -> [UInt8] {
    guard let refusal else { return Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8) }
    let status = refusal.status
    let body = Array((refusal.text + "\n").utf8)
    let allow = refusal.kind == .methodNotAllowed ? "Allow: CONNECT\r\n" : ""
    let head =
      "HTTP/1.1 \(status.code) \(status.reason)\r\nContent-Type: text/plain; charset=utf-8\r\n\(allow)"
      + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + body
  }
}
