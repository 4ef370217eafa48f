/// A language of the pages.
package enum Language: String, Hashable, Sendable, CaseIterable {
  case en, de

  /// The language that a browser likes most; English if it names none of them (RFC 9110, 12.5.4).
  package init(accepted: String?) {
    var best: (language: Language, weight: Double)?
    for item in (accepted ?? "").prefix(512).split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
      guard let tag = parts.first?.split(separator: "-").first, let language = Language(rawValue: String(tag)) else {
        continue
      }
      let given = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
      let weight = given ?? 1
      if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
    }
    self = best?.language ?? .en
  }
}
