@_spi(Exchange) import RedirectChain
@_spi(Exchange) import Web

/// The content of an unauthenticated answer: that it refuses, and why. It holds nothing to make a
/// verdict, a code, a token or a session from: the body of a success is not included.
package struct Hearsay: Hashable, Sendable {
  package let status: Int
  /// Empty for a success.
  package let body: [UInt8]
  /// Its redirect target, if that was not followed.
  package let location: String?
  /// Whether it is a page for a person.
  package let isPage: Bool
}

extension ChainAnswer {
  /// The answer, if its server proved that it is one of these origins.
  ///
  /// - Parameter origins: the trusted origins.
  /// - Returns: nil for an answer from any other or an unknown source.
  package func verified(from origins: TrustedOrigins) -> BackendReply? {
    guard let source, origins.contains(source.origin) else { return nil }
    var headers = fields
    if fields.isEmpty, let contentType { headers.append(.init(name: "Content-Type", value: contentType)) }
    return BackendReply(status: status, headers: headers, body: body)
  }

  /// Its content, whoever gave it.
  package var hearsay: Hearsay {
    let type = contentType?.lowercased() ?? ""
    return Hearsay(
      status: status, body: (200...299).contains(status) ? [] : body, location: values("location").first,
      isPage: type.hasPrefix("text/html") || type.hasPrefix("application/xhtml"))
  }
}

extension BackendReply {
  /// The same answer with a time to ask again.
  ///
  /// - Parameter seconds: nil to use the answer's own field.
  package func asking(again seconds: Int?) -> BackendReply {
    guard let seconds else { return self }
    let others = headers.filter { $0.name.lowercased() != "retry-after" }
    return BackendReply(
      status: status, headers: others + [.init(name: "Retry-After", value: "\(seconds)")], body: body)
  }
}

extension AnswerSource {
  /// Whether this source is trusted.
  package func isOne(of origins: TrustedOrigins) -> Bool { origins.contains(origin) }
}
