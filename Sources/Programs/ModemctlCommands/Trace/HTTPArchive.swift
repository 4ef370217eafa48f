import ModemAPI
import ModemModel
import ModemctlCore

/// A chain as an HTTP Archive 1.2 (HAR), as browsers' developer tools read it. Values that modemd
/// or modemctl masked stay masked.
struct HTTPArchive: Codable, Hashable, Sendable {
  struct Log: Codable, Hashable, Sendable {
    var version = "1.2"
    var creator: Program
    var pages: [Page]
    var entries: [Entry]
    var comment: String?
  }

  struct Program: Codable, Hashable, Sendable {
    var name: String
    var version: String
  }

  /// One chain is one page.
  struct Page: Codable, Hashable, Sendable {
    struct Timings: Codable, Hashable, Sendable {
      var onContentLoad: Double?
      var onLoad: Double?
    }
    var startedDateTime: String
    var id: String
    var title: String
    var pageTimings: Timings
  }

  struct Entry: Codable, Hashable, Sendable {
    var pageref: String
    var startedDateTime: String
    var time: Double
    var request: Request
    var response: Response
    var cache = Cache()
    var timings: Timings
    var serverIPAddress: String?
    var connection: String?
    var comment: String?
  }

  /// Nothing was cached: an empty object, as the format requires.
  struct Cache: Codable, Hashable, Sendable {}

  struct NameAndValue: Codable, Hashable, Sendable {
    var name: String
    var value: String
  }

  struct Request: Codable, Hashable, Sendable {
    var method: String
    var url: String
    var httpVersion = "HTTP/1.1"
    var cookies: [NameAndValue]
    var headers: [NameAndValue]
    var queryString: [NameAndValue]
    var headersSize = -1
    var bodySize = -1
  }

  struct Response: Codable, Hashable, Sendable {
    var status: Int
    var statusText: String
    var httpVersion: String
    var cookies: [NameAndValue]
    var headers: [NameAndValue]
    var content: Content
    var redirectURL: String
    var headersSize = -1
    var bodySize = -1
  }

  struct Content: Codable, Hashable, Sendable {
    var size: Int
    var mimeType: String
    var text: String?
    var encoding: String?
  }

  /// Milliseconds; -1 if not applicable. `connect` includes `ssl`.
  struct Timings: Codable, Hashable, Sendable {
    var blocked = -1.0
    var dns = -1.0
    var connect = -1.0
    var send = 0.0
    var wait = 0.0
    var receive = 0.0
    var ssl = -1.0
  }

  var log: Log

  /// - Parameters:
  ///   - hops: as they are shown.
  ///   - outcome: as it is shown.
  ///   - began: when the chain was requested.
  init(_ hops: [CheckInterface.Hop], _ outcome: CheckInterface.Outcome, began: Timestamp) {
    let page = Page(
      startedDateTime: began.description, id: "chain", title: hops.first.map { HopTable.origin($0) } ?? "chain",
      pageTimings: .init(onLoad: outcome.milliseconds.isFinite ? outcome.milliseconds : nil))
    var entries: [Entry] = []
    var end = 0.0
    for (position, hop) in hops.enumerated() {
      let start = hop.start.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? end
      let moment = Timestamp(milliseconds: began.milliseconds + Int64(start.rounded()))
      var entry = Entry(hop, page: page.id, started: moment)
      if position == hops.count - 1 { entry.take(outcome) }
      entries.append(entry)
      end = start + entry.time
    }
    log = Log(
      creator: Program(name: "modemctl", version: Product.version), pages: [page], entries: entries,
      comment: outcome.failure.map { "\($0.cause.rawValue): \($0.text)" })
  }
}

extension HTTPArchive.Entry {
  fileprivate init(_ hop: CheckInterface.Hop, page: String, started: Timestamp) {
    let phases = HopPhases(hop.times)
    let (connect, tls) = (phases.duration(.connection), phases.duration(.tls))
    var timings = HTTPArchive.Timings()
    timings.dns = phases.duration(.names) ?? -1
    timings.connect = connect == nil && tls == nil ? -1 : (connect ?? 0) + (tls ?? 0)
    timings.ssl = tls ?? -1
    timings.wait = phases.duration(.waiting) ?? 0
    timings.receive = phases.duration(.body) ?? 0
    let url = hop.url ?? HopTable.origin(hop) + "/"
    let answer = hop.answerFields.map(Self.values) ?? []
    let location = answer.first { $0.name.lowercased() == "location" }?.value
    self.init(
      pageref: page, startedDateTime: started.description, time: phases.end,
      request: HTTPArchive.Request(
        method: (hop.method ?? .get).rawValue.uppercased(), url: url,
        cookies: hop.cookies.map { .init(name: $0, value: Mask.dots) },
        headers: hop.requestFields.map(Self.values) ?? [],
        queryString: Self.query(of: url)),
      response: HTTPArchive.Response(
        status: hop.status ?? 0, statusText: "", httpVersion: hop.status == nil ? "" : "HTTP/1.1",
        cookies: (hop.setCookies ?? []).map { .init(name: $0, value: Mask.dots) }, headers: answer,
        content: .init(size: hop.bodyBytes ?? 0, mimeType: Self.mediaType(answer)),
        redirectURL: location ?? hop.next ?? ""),
      timings: timings, serverIPAddress: hop.address, connection: String(hop.port))
  }

  /// The last hop carries the answer's body and the text of a failure.
  fileprivate mutating func take(_ outcome: CheckInterface.Outcome) {
    comment = outcome.failure.map { "\($0.cause.rawValue): \($0.text)" }
    if let redirect = outcome.redirect { response.redirectURL = redirect.uri }
    guard let answer = outcome.answer else { return }
    let text = answer.json.map { JSONText.line($0) } ?? answer.text
    response.content = HTTPArchive.Content(
      size: response.content.size, mimeType: answer.contentType ?? response.content.mimeType,
      text: text ?? answer.base64, encoding: text == nil && answer.base64 != nil ? "base64" : nil)
  }

  private static func values(_ fields: [CheckInterface.Field]) -> [HTTPArchive.NameAndValue] {
    fields.map { .init(name: $0.name, value: $0.value ?? Mask.dots) }
  }

  private static func mediaType(_ fields: [HTTPArchive.NameAndValue]) -> String {
    let value = fields.first { $0.name.lowercased() == "content-type" }?.value
    return value == Mask.dots ? "x-unknown" : value ?? "x-unknown"
  }

  /// The query as it was sent in the URL, without decoding.
  private static func query(of url: String) -> [HTTPArchive.NameAndValue] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    let query = url[url.index(after: mark)...].prefix { $0 != "#" }
    return query.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return .init(name: String(halves[0]), value: halves.count > 1 ? String(halves[1]) : "")
    }
  }
}
