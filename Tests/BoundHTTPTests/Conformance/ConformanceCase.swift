import FoundationEssentials
import HTTPTestSupport
import NIOCore
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

/// One row of the table in `Cases/*.json`: what servers answer, request by request, and what must
/// come of it. `Cases/README.md` says what the keys mean.
struct ConformanceCase: Decodable, Sendable, CustomTestStringConvertible {
  struct Answer: Decodable, Sendable {
    var status: Int?
    var location: String?
    var fields: [String]?
    var type: String?
    var body: String?
    /// A body that is not text.
    var base64: String?
    /// The answer's own bytes, each part in a segment of its own.
    var raw: [String]?
    var close: Bool?
  }

  struct Post: Decodable, Sendable {
    var json: String?
    var text: String?
    var base64: String?
    var type: String?
  }

  struct Policy: Decodable, Sendable {
    var maximumRedirects: Int?
    var cleartextDomains: [String]?
    var bodyBytes: Int?
    var allowsClearStart: Bool?
    var staysOnFirstSite: Bool?
    var readMilliseconds: Int?
  }

  struct End: Decodable, Sendable {
    var answer: Int?
    var body: String?
    var reached: String?
    var parameters: [String: String]?
    var failed: String?
    var hop: Int?
    var retryAfter: Int?
  }

  let name: String
  /// Which client's defect this is, and where the facts name it.
  var defect: String?
  let start: String
  var post: Post?
  var redirectURI: String?
  var state: String?
  var headers: [String: String]?
  var policy: Policy?
  let answers: [Answer]
  /// The URLs that servers were asked for.
  let hops: [String]
  /// Fields of the requests, by the request's number from 1; null is for one that must not be
  /// there.
  var sent: [String: [String: String?]]?
  var connections: Int?
  let end: End

  var testDescription: String { name }

  static let files = [
    "statuses", "locations", "cookies", "framing", "codings", "policy", "redirect-uris", "clients-defects",
  ]

  static let all: [ConformanceCase] = files.flatMap { file -> [ConformanceCase] in
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Cases/\(file).json"
    do {
      let text = expanded(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self))
      return try JSONDecoder().decode([ConformanceCase].self, from: Data(text.utf8))
    } catch {
      Issue.record("\(path): \(error)")
      return []
    }
  }

  /// Writes out `{{x*100}}`: a hundred times what stands before the star.
  private static func expanded(_ text: String) -> String {
    var parts = text.split(separator: "{{", omittingEmptySubsequences: false)
    var result = String(parts.removeFirst())
    for part in parts {
      guard let end = part.firstRange(of: "}}"), let star = part[..<end.lowerBound].lastIndex(of: "*"),
        let count = Int(part[part.index(after: star)..<end.lowerBound])
      else {
        result += "{{" + part
        continue
      }
      result += String(repeating: String(part[..<star]), count: count) + part[end.upperBound...]
    }
    return result
  }

  func request() throws -> ChainRequest {
    var policy = ChainPolicy()
    policy.maximumRedirects = self.policy?.maximumRedirects ?? policy.maximumRedirects
    policy.cleartextDomains = self.policy?.cleartextDomains.map(Set.init)
    policy.bodyBytes = self.policy?.bodyBytes ?? policy.bodyBytes
    policy.requiresSecureStart = self.policy?.allowsClearStart != true
    policy.staysOnFirstSite = self.policy?.staysOnFirstSite ?? false
    if let time = self.policy?.readMilliseconds { policy.readTime = .milliseconds(time) }
    return ChainRequest(
      url: try WebURL(start), method: method, redirectURI: try redirectURI.map { try RedirectURI($0) }, state: state,
      headers: (headers ?? [:]).sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }, policy: policy)
  }

  private var method: ChainRequest.Method {
    guard let post else { return .get }
    if let json = post.json { return .post(.json(json)) }
    if let text = post.text { return .post(.text(text)) }
    return .post(.init(Array(Data(base64Encoded: post.base64 ?? "") ?? Data()), contentType: post.type))
  }
}

extension ConformanceCase.Answer {
  /// What the server does.
  var steps: [TestServer.Step] {
    var steps: [TestServer.Step]
    if let raw {
      steps = Array(raw.map { [TestServer.Step.send($0)] }.joined(separator: [.wait(.milliseconds(2))]))
    } else {
      let content = base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array((body ?? "").utf8)
      var lines = fields ?? []
      if let type { lines.append("Content-Type: \(type)") }
      if let location { lines.append("Location: \(location)") }
      let head = ["HTTP/1.1 \(status ?? 200) X", "Content-Length: \(content.count)"] + lines
      steps = [.bytes(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content)]
    }
    if close == true { steps.append(.close) }
    return steps
  }
}
