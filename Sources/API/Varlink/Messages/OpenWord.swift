/// An enum of replies: the words that its interface declares, and one case for words of a later
/// version. Generated code conforms to it.
///
/// A word is its text: two values are equal if their texts are. In a call's parameters, an
/// undeclared word is InvalidParameter, even if the type is used in both parameters and replies.
public protocol OpenWord: RawRepresentable<String>, Codable, Hashable, Sendable {
  /// The words that the interface declares, in its order.
  static var known: [Self] { get }
  /// A word that the interface does not declare.
  static func other(_ word: String) -> Self
}

extension OpenWord {
  /// The declared word with this text, else `other`.
  public init(word: String) { self = Self.known.first { $0.rawValue == word } ?? .other(word) }

  /// The same word of another enum.
  public init(word: some RawRepresentable<String>) { self.init(word: word.rawValue) }

  /// As `init(word:)`; never nil.
  public init(rawValue: String) { self.init(word: rawValue) }

  /// Whether the interface declares this word.
  public var isKnown: Bool { Self.known.contains { $0.rawValue == rawValue } }

  /// - Throws: `DecodingError` for a value that is not text, and for an undeclared word in a call's
  ///   parameters.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(word: try container.decode(String.self))
    if (decoder as? JSONValueDecoder)?.side == .parameters, !isKnown {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a word that is not declared")
    }
  }
}
