import RedirectChain
import Web

/// The chain that a call leads to, as far as it is known before the call is made.
package struct ChainLead: Hashable, Sendable {
  package let kind: ChainKind
  /// Where such a chain begins, as far as the configuration tells.
  package let first: WebURL?

  package init(_ kind: ChainKind, first: WebURL? = nil) {
    self.kind = kind
    self.first = first
  }
}
