import AuthCore
import ModemModel
import RedirectChain

/// A person's choice on the discovery service's page, as the browser returns it:
/// `Redirect_URL?mcc_mnc=<mcc>_<mnc>&subscriber_id=<hex>`.
package struct OperatorSelection: Hashable, Sendable {
  package let network: PLMN
  /// The number, encrypted for the operator; nil if the person gave none.
  package let subscriberID: Secret?
  package let subscriberIDToken: Secret?

  package init(network: PLMN, subscriberID: Secret? = nil, subscriberIDToken: Secret? = nil) {
    self.network = network
    self.subscriberID = subscriberID
    self.subscriberIDToken = subscriberIDToken
  }

  /// Reads the URL to which the browser returned.
  ///
  /// - Throws: `AuthError` `invalidArgument`, which never holds the URL.
  package init(callback: Secret) throws(AuthError) {
    let uri = callback.revealed
    guard (try? RedirectURI(uri)) != nil else {
      throw .invalid("callback", "the whole URL that the browser came back to")
    }
    let parameters = RedirectURI.parameters(of: uri)
    if let word = parameters["error"] {
      throw .invalid("callback", "a URL with mcc_mnc; this one says \(Self.isWord(word) ? word : "an error")")
    }
    guard RedirectURI.doubled(["mcc_mnc", "subscriber_id", "subscriber_id_token"], in: uri) == nil,
      let codes = parameters["mcc_mnc"]?.split(separator: "_", omittingEmptySubsequences: false), codes.count == 2,
      let network = PLMN(mcc: String(codes[0]), mnc: String(codes[1]))
    else {
      throw .invalid("callback", "a URL with mcc_mnc, three digits, a low line, and two or three digits")
    }
    let word = { (name: String) in parameters[name].flatMap { $0.isEmpty ? nil : Secret($0) } }
    self.init(
      network: network, subscriberID: word("subscriber_id"), subscriberIDToken: word("subscriber_id_token"))
  }

  private static func isWord(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.isName(and: "_-.")
  }
}
