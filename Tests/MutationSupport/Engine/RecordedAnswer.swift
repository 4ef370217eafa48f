import AuthCore
import JSONTree
@_spi(Exchange) import RedirectChain
@_spi(Exchange) import Web

/// What a provider answered once, as data that can be changed anywhere.
package struct RecordedAnswer: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  /// In place of an answer.
  package enum Failure: Hashable, Sendable {
    case backend(BackendFailure.Kind)
    case chain(ChainFailure.Cause)

    package static let all: [Failure] =
      BackendFailure.Kind.allCases.map { .backend($0) } + ChainFailure.Cause.allCases.map { .chain($0) }
  }

  package var status: Int
  package var fields: [Field]
  package var body: [UInt8]
  /// The query of the redirect URI, where the chain reached it: names and values, not encoded.
  package var query: [Field]?
  /// URLs behind the first that the chain went through.
  package var trail: [String]
  package var failure: Failure?

  package init(
    _ status: Int = 200, _ body: String = "", _ fields: KeyValuePairs<String, String> = [:], trail: [String] = []
  ) {
    self.status = status
    self.body = Array(body.utf8)
    self.fields = fields.map { Field(name: $0.key, value: $0.value) }
    self.trail = trail
  }

  /// The chain reached the redirect URI with this query.
  package static func redirected(_ query: KeyValuePairs<String, String>) -> RecordedAnswer {
    var answer = RecordedAnswer(302)
    answer.query = query.map { Field(name: $0.key, value: $0.value) }
    return answer
  }

  package init(_ reply: BackendReply) {
    self.init(reply.status)
    body = reply.body
    fields = reply.headers.map { Field(name: $0.name, value: $0.value) }
  }
}

// MARK: Where it can be changed

extension RecordedAnswer {
  /// A part of an answer.
  package enum Place: Hashable, Sendable {
    case status
    case failure
    /// A field that it has, or one of `addedFields`.
    case field(Int)
    /// All of the body.
    case body
    case value(Document.Place)
    case parameter(Int)
    case trail(Int)
  }

  /// Fields that an answer may have and that somebody reads.
  static let addedFields = [
    "Retry-After", "Content-Type", "Location", "Set-Cookie", "WWW-Authenticate", "Cache-Control", "Expires", "Date",
  ]
  static let statuses = [
    0, 100, 101, 199, 201, 202, 204, 206, 299, 300, 302, 304, 307, 399, 400, 401, 403, 404, 406, 408, 409, 410, 412,
    429, 499, 500, 501, 502, 503, 599, 600, 999,
  ]
  static let wholes: [[UInt8]] = [
    [], [0], [0xff, 0xfe], [0xef, 0xbb, 0xbf, 0x7b, 0x7d], Array("-".utf8), Array("<html>".utf8),
    Array("error=server_error&state=x".utf8), Array(repeating: UInt8(ascii: "["), count: 60_000),
    Array(repeating: UInt8(ascii: "{"), count: 60_000), Array(repeating: 0, count: 60_000),
  ]

  /// The body as a document: JSON, or a token alone; nil for anything else.
  package var document: Document? {
    Document(body) ?? Document(Array(Extreme.quoted(text).utf8)).flatMap { $0.isToken ? $0 : nil }
  }

  private var text: String { String(decoding: body, as: UTF8.self) }

  package var places: [Place] {
    var places: [Place] = [.failure]
    if let query { return places + query.indices.map { .parameter($0) } }
    places += [.status, .body] + (0..<fields.count + Self.addedFields.count).map { .field($0) }
    places += trail.indices.map { .trail($0) }
    return places + (document?.places ?? []).map { .value($0) }
  }

  /// How many ways there are to change a place.
  package func count(of place: Place, _ extremes: [Extreme]) -> Int {
    switch place {
    case .status: Self.statuses.count
    case .failure: Failure.all.count
    case .body: Self.wholes.count
    case .field, .trail: extremes.count + 1
    case .parameter: extremes.count * 2 + 1
    case .value: extremes.count * 2 + 2
    }
  }

  /// The answer with one place changed in one of its ways.
  package func changed(_ place: Place, _ index: Int, _ extremes: [Extreme]) -> RecordedAnswer {
    var answer = self
    let extreme = extremes[index % extremes.count]
    switch place {
    case .status: answer.status = Self.statuses[index % Self.statuses.count]
    case .failure: answer.failure = Failure.all[index % Failure.all.count]
    case .body: answer.body = Self.wholes[index % Self.wholes.count]
    case .field(let number):
      if number >= fields.count {
        answer.fields.append(
          .init(name: Self.addedFields[(number - fields.count) % Self.addedFields.count], value: extreme.plain))
      } else if index == extremes.count {
        answer.fields.remove(at: number)
      } else {
        answer.fields[number].value = extreme.plain
      }
    case .trail(let number):
      // An earlier change may have taken it away.
      guard trail.indices.contains(number) else { break }
      if index == extremes.count { answer.trail.remove(at: number) } else { answer.trail[number] = extreme.plain }
    case .parameter(let number):
      guard var query, query.indices.contains(number) else { break }
      if index == extremes.count * 2 {
        query.remove(at: number)
      } else if index >= extremes.count {
        query.insert(.init(name: query[number].name, value: extreme.plain), at: number + 1)
      } else {
        query[number].value = extreme.plain
      }
      answer.query = query
    case .value(let place): answer.body = changed(place, index, extremes).map { Array($0.utf8) } ?? body
    }
    return answer
  }

  private func changed(_ place: Document.Place, _ index: Int, _ extremes: [Extreme]) -> String? {
    guard let document else { return nil }
    let edit: Document.Edit =
      switch index {
      case ..<extremes.count: .replace(extremes[index])
      case ..<(2 * extremes.count): .double(extremes[index - extremes.count])
      case 2 * extremes.count: .remove
      default: .rename("other")
      }
    let edited = document.with(edit, at: place)
    // A token that is a whole body has no quotes around it.
    if document.isToken, JSONValue(parsing: body) == nil { return edited.compact ?? edited.text }
    return edited.text
  }

  /// For people: which place it is.
  package func name(of place: Place) -> String {
    switch place {
    case .status: "status"
    case .failure: "failure"
    case .body: "body"
    case .field(let number):
      number < fields.count ? fields[number].name : Self.addedFields[(number - fields.count) % Self.addedFields.count]
    case .trail(let number): "trail \(number)"
    case .parameter(let number): query.flatMap { $0.indices.contains(number) ? $0[number].name : nil } ?? "parameter"
    case .value(let place): "$" + (document?.name(of: place) ?? "")
    }
  }
}

extension Document {
  var isToken: Bool { if case .token = self { true } else { false } }
}

// MARK: How it arrives

extension RecordedAnswer {
  /// Over the machine's own network.
  var backendResult: Result<BackendReply, BackendFailure> {
    switch failure {
    case .backend(let kind)?: .failure(BackendFailure(kind, "api.example: a sentence"))
    case .chain?: .failure(BackendFailure(.closed, "api.example: a sentence"))
    case nil: .success(backendReply)
    }
  }

  var backendReply: BackendReply { BackendReply(status: status, headers: headers, body: body) }

  private var headers: [WebHeader] { fields.map { .init(name: $0.name, value: $0.value) } }

  /// Over the bearer, as a chain tells it.
  ///
  /// - Parameter redirect: the registered URI, where the call has one.
  func bearerReply(to call: BearerCall, redirect: String) -> BearerReply {
    let last = trail.last.flatMap { try? WebURL($0) } ?? call.request.url
    var reply = BearerReply(
      result(redirect, by: AnswerSource(asked: last)), modem: "m0", source: "10.64.0.2", family: .ipv4)
    reply.visited = ([call.request.url.text] + trail).map { Secret($0) }
    return reply
  }

  private func result(_ redirect: String, by source: AnswerSource) -> ChainResult {
    let answer = ChainAnswer(status: status, contentType: contentType, body: body, fields: headers, from: source)
    switch failure {
    case .chain(let cause)?:
      // As the chain's own machine has them: an answer with these two alone.
      let refused = ChainAnswer(
        status: cause == .rateLimited ? 429 : 302, contentType: contentType, body: cause == .rateLimited ? body : [],
        fields: headers, from: source)
      return .failed(
        ChainFailure(
          cause, hop: 1, retryAfter: cause == .rateLimited ? 604_800 : nil,
          answer: [.rateLimited, .badRedirect].contains(cause) ? refused : nil, "a sentence"))
    case .backend?: return .failed(ChainFailure(.connectFailed, hop: 1, isUnsent: true, "a sentence"))
    case nil: break
    }
    if let query {
      let uri =
        "\(redirect)?"
        + query.map { "\(FormFields.encode($0.name))=\(FormFields.encode($0.value))" }.joined(separator: "&")
      return .redirectReached(uri: uri, parameters: RedirectURI.parameters(of: uri), by: source)
    }
    // As the chain's own machine has it (RFC 6585, 4).
    if status == 429 { return .failed(ChainFailure(.rateLimited, hop: 1, answer: answer, "a sentence")) }
    return .answer(answer)
  }

  private var contentType: String? { fields.first { $0.name.lowercased() == "content-type" }?.value }
}
