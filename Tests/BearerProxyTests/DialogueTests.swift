import Testing

@testable import BearerProxy

@Suite("What a client of the proxy says")
struct DialogueTests {
  /// Takes bytes in pieces of a size, and returns all steps but `wait`.
  private static func steps(_ bytes: [UInt8], piece: Int) -> (steps: [ProxyDialogue.Step], early: [UInt8]) {
    var dialogue = ProxyDialogue()
    var steps: [ProxyDialogue.Step] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      dialogue.append(bytes[start..<min(start + piece, bytes.count)])
      if let last = steps.last, last.isLast { continue }
      while true {
        let step = dialogue.next()
        if step == .wait { break }
        steps.append(step)
        if step.isLast { break }
      }
    }
    return (steps, Array(dialogue.early))
  }

  private static let open = ProxyRequest(host: "example.com", port: 443)
  private static let name: [UInt8] = [3, 11] + Array("example.com".utf8) + [1, 0xbb]

  @Test("SOCKS 5 in pieces of any size", arguments: [1, 2, 3, 7, 1000])
  func socks(piece: Int) {
    let (steps, early) = Self.steps([5, 1, 0, 5, 1, 0] + Self.name + [9, 9], piece: piece)
    #expect(steps == [.send([5, 0]), .open(Self.open)])
    #expect(early == [9, 9])
  }

  @Test(
    "SOCKS 5: addresses",
    arguments: [([1, 192, 0, 2, 1, 0, 80], "192.0.2.1"), ([4] + Array(repeating: 0, count: 15) + [1, 0, 80], "::1")])
  func addresses(address: [UInt8], host: String) {
    let (steps, _) = Self.steps([5, 1, 0, 5, 1, 0] + address, piece: 100)
    #expect(steps.last == .open(ProxyRequest(host: host, port: 80)))
  }

  @Test("SOCKS 5: the user name is the modem's, whatever the password", arguments: [1, 100])
  func modem(piece: Int) {
    let user: [UInt8] = [1, 5] + Array("wwan0".utf8) + [2, 1, 1]
    let (steps, _) = Self.steps([5, 2, 0, 2] + user + [5, 1, 0] + Self.name, piece: piece)
    let request = ProxyRequest(modem: "wwan0", host: "example.com", port: 443)
    #expect(steps == [.send([5, 2]), .send([1, 0]), .open(request)])
    let none = Self.steps([5, 1, 2, 1, 0, 0, 5, 1, 0] + Self.name, piece: piece).steps
    #expect(none.last == .open(Self.open))
  }

  @Test("SOCKS 5: what is refused, and with which reply")
  func refusals() {
    func last(_ bytes: [UInt8]) -> ProxyDialogue.Step? { Self.steps(bytes, piece: 100).steps.last }
    #expect(last([5, 1, 1]) == .hangUp([5, 0xff]))
    #expect(last([5, 1, 2, 2, 1, 65, 0]) == .hangUp([1, 1]))
    #expect(last([5, 1, 2, 1, 1, 7, 0]) == .hangUp([1, 1]))
    for (request, code) in [
      ([5, 2, 0, 1, 1, 2, 3, 4, 0, 80], 7), ([5, 3, 0, 1, 1, 2, 3, 4, 0, 80], 7), ([5, 1, 0, 9], 8),
      ([4, 1, 0, 1, 1, 2, 3, 4, 0, 80], 1), ([5, 1, 0, 1, 1, 2, 3, 4, 0, 0], 1), ([5, 1, 0, 3, 0, 0, 80], 1),
      ([5, 1, 0, 3, 3, 97, 10, 98, 0, 80], 1), ([5, 1, 0, 3, 1, 0xff, 0, 80], 1),
    ] as [([UInt8], UInt8)] {
      guard case .refuse(let refusal) = last([5, 1, 0] + request) else {
        Issue.record("\(request) was not refused")
        continue
      }
      #expect(refusal.replyCode == code, "\(request)")
    }
  }

  @Test("HTTP in pieces of any size, lines ended either way", arguments: [1, 2, 3, 1000], ["\r\n", "\n"])
  func http(piece: Int, end: String) {
    let head = "CONNECT example.com:443 HTTP/1.1\(end)Host: example.com:443\(end)\(end)TLS"
    let (steps, early) = Self.steps(Array(head.utf8), piece: piece)
    #expect(steps == [.open(Self.open)])
    #expect(early == Array("TLS".utf8))
  }

  @Test(
    "HTTP: targets",
    arguments: [
      ("[2001:db8::1]:443", "2001:db8::1"), ("192.0.2.1:443", "192.0.2.1"), ("a-b_c.example.:443", "a-b_c.example."),
      ("example.com", nil), ("example.com:", nil), ("example.com:0", nil), ("example.com:65536", nil), (":443", nil),
      ("example.com:+1", nil), ("2001:db8::1:443", nil), ("[]:443", nil), ("[a]:443", nil), ("u@h:443", nil),
      ("http://h:443", nil), ("h/:443", nil), ("h%00:443", nil),
    ] as [(String, String?)])
  func targets(target: String, host: String?) {
    let (steps, _) = Self.steps(Array("CONNECT \(target) HTTP/1.1\r\n\r\n".utf8), piece: 1000)
    if let host {
      #expect(steps == [.open(ProxyRequest(host: host, port: 443))])
    } else {
      #expect(steps.first?.refusal?.kind == .malformed)
    }
  }

  @Test(
    "HTTP: the user name is the modem's",
    arguments: [
      ("Basic d3dhbjA6", "wwan0"), ("basic d3dhbjA6eA==", "wwan0"), ("Basic d3dhbjA=", "wwan0"), ("Basic Og==", nil),
    ] as [(String, String?)])
  func httpModem(value: String, modem: String?) {
    let head = "CONNECT example.com:443 HTTP/1.1\r\nproxy-authorization:  \(value)\r\n\r\n"
    let (steps, _) = Self.steps(Array(head.utf8), piece: 1000)
    #expect(steps == [.open(ProxyRequest(modem: modem, host: "example.com", port: 443))])
  }

  @Test(
    "HTTP: what is refused",
    arguments: [
      ("GET http://example.com/ HTTP/1.1\r\n\r\n", 405), ("OPTIONS * HTTP/1.1\r\n\r\n", 405),
      ("CONNECT h:1 HTTP/2\r\n\r\n", 400), ("CONNECT  h:1 HTTP/1.1\r\n\r\n", 400), ("X\r\n\r\n", 400),
      ("\u{16}\u{3}\u{1}", 400), ("\u{4}\u{1}", 400), ("\r\n\r\n", 400),
      ("CONNECT h:1 HTTP/1.1\r\nProxy-Authorization: Bearer x\r\n\r\n", 400),
      ("CONNECT h:1 HTTP/1.1\r\nProxy-Authorization: Basic ====\r\n\r\n", 400),
      ("CONNECT h:1 HTTP/1.1\r\nProxy-Authorization: Basic CgoK\r\n\r\n", 400),
      ("CONNECT h:1 HTTP/1.1\r\nX: " + String(repeating: "x", count: 9000), 431),
    ])
  func httpRefusals(head: String, status: Int) {
    for piece in [1, 10_000] {
      let (steps, _) = Self.steps(Array(head.utf8), piece: piece)
      #expect(steps.count == 1 && steps.first?.refusal?.status.code == status)
    }
  }

  @Test("each answer is whole: its length is the body's")
  func answers() throws {
    for kind in ProxyRefusal.Kind.allCases {
      var dialogue = ProxyDialogue()
      dialogue.append(Array("GET".utf8))
      _ = dialogue.next()
      let text = String(decoding: dialogue.answer(ProxyRefusal(kind, "Wörter.")), as: UTF8.self)
      let parts = text.split(separator: "\r\n\r\n")
      #expect(parts.count == 2 && text.hasPrefix("HTTP/1.1 \(ProxyRefusal(kind, "").status.code) "))
      #expect(parts[0].contains("\r\nContent-Length: \(parts[1].utf8.count)"))
      #expect(parts[0].contains("\r\nAllow: CONNECT") == (kind == .methodNotAllowed))
      #expect((1...8).contains(ProxyRefusal(kind, "").replyCode))
    }
  }
}

extension ProxyDialogue.Step {
  fileprivate var isLast: Bool {
    switch self {
    case .wait, .send: false
    case .open, .refuse, .hangUp: true
    }
  }

  fileprivate var refusal: ProxyRefusal? { if case .refuse(let refusal) = self { refusal } else { nil } }
}
