/// The kind of check that a chain belongs to. The URLs of one kind differ, as each has an id of its
/// own, but they begin at the same origin and go on through the same ones.
public struct ChainKind: Hashable, Sendable {
  /// The provider's kind, where such chains begin, and the product, as in
  /// `truID/eu.api.tru.id/subscriber_check`. Nothing of it is secret or personal.
  public let name: String

  public init(_ name: String) { self.name = name }
}
