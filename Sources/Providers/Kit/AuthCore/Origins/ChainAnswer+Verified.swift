@_spi(Exchange) import RedirectChain
@_spi(Exchange) import Web

/// What an answer says for which nobody vouches: that it refuses, and why. It holds nothing that a verdict, a code, a token or a session could be made
/// of: the body of a success is not in it.
public struct Hearsay: Hashable, Sendable {
  public let status: Int
  /// Empty for a success.
  public let body: [UInt8]
  /// Where it redirects to, where that was not followed.
  public let location: String?
  /// Whether it is a page for a person.
  public let isPage: Bool
}

extension ChainAnswer {
  /// The answer, where its server proved that it is one of these.
  ///
  /// - Parameter origins: whose word counts.
  /// - Returns: nil for an answer of somebody else, or of nobody who can be told.
  public func verified(from origins: TrustedOrigins) -> BackendReply? {
    guard let source, origins.contains(source.origin) else { return nil }
    var headers = fields
    if fields.isEmpty, let contentType { headers.append(.init(name: "Content-Type", value: contentType)) }
    return BackendReply(status: status, headers: headers, body: body)
  }

  /// What it says, whoever gave it.
  public var hearsay: Hearsay {
    let type = contentType?.lowercased() ?? ""
    return Hearsay(
      status: status, body: (200...299).contains(status) ? [] : body, location: values("location").first,
      isPage: type.hasPrefix("text/html") || type.hasPrefix("application/xhtml"))
  }
}

extension BackendReply {
  /// The same answer, which says when to ask again.
  ///
  /// - Parameter seconds: nil for what its own field says.
  public func asking(again seconds: Int?) -> BackendReply {
    guard let seconds else { return self }
    let others = headers.filter { $0.name.lowercased() != "retry-after" }
    return BackendReply(
      status: status, headers: others + [.init(name: "Retry-After", value: "\(seconds)")], body: body)
  }
}

extension AnswerSource {
  /// Whether the word of this source counts.
  public func isOne(of origins: TrustedOrigins) -> Bool { origins.contains(origin) }
}
