import AuthCore
import RedirectChain
import Web

/// The cookies of a discovery service that are kept between calls. They remember the last selected
/// operator.
struct DiscoveryCookies: Hashable, Sendable {
  /// All others are ignored (GSMA Discovery).
  static let names: Set<String> = [
    "Most-Recent-Selected-Operator", "Most-Recent-Selected-Operator-Expiry", "Enum-Nonce",
  ]

  private var values: [String: Secret] = [:]

  init() {}

  /// Applies an answer's cookies; one without a value, or with an expired `Max-Age`, is deleted.
  mutating func take(_ headers: [WebHeader]) {
    for header in headers where header.name.lowercased() == "set-cookie" {
      let parts = header.value.split(separator: ";").map { part in part.drop { $0 == " " } }
      guard let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
        pair.count == 2, Self.names.contains(String(pair[0]))
      else { continue }
      let age = parts.dropFirst().lazy.compactMap { part in
        part.lowercased().hasPrefix("max-age=") ? Int(part.dropFirst("max-age=".count)) : nil
      }.first
      let isOver = pair[1].isEmpty || age.map { $0 <= 0 } ?? false
      values[String(pair[0])] = isOver ? nil : Secret(String(pair[1]))
    }
  }

  /// The field that sends them; nil if there are none.
  var header: WebHeader? {
    guard !values.isEmpty else { return nil }
    let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.revealed)" }
    return WebHeader(name: "Cookie", value: pairs.joined(separator: "; "))
  }
}
