import AuthCore
import JSONTree
import RedirectChain

/// What tru.ID serves at an address or in a country.
package struct TruIDCoverage: Hashable, Sendable {
  /// A product, and where it can be used.
  package struct Product: Hashable, Sendable {
    /// As in `pck`, `sck`, `suk`.
    package let id: String
    package let name: String?
    /// As in `FULL`, `PARTIAL`, `COMING_SOON`; nil if the answer is about one address.
    package let extent: String?
    /// MCCs with MNCs.
    package let networks: [String]
  }

  /// MCC and MNC.
  package let network: String?
  package let networkName: String?
  /// Other codes of the same network.
  package let aliases: [String]
  /// Two letters.
  package let country: String?
  /// As in 44.
  package let dialingCode: String?
  /// The address that the provider saw: the bearer's public one.
  package let address: String?
  /// Nil if the answer has no list, in which case the products are unknown.
  package let products: [Product]?
  /// Family of the bearer's address from which the question was sent; nil if it did not go over the
  /// bearer. Behind a translator, it may differ from that of `address`.
  var family: ChainHop.Family?

  init(_ json: JSONValue) {
    network = json["network_id"]?.string
    networkName = json["network_name"]?.string
    aliases = (json["network_aliases"]?.items ?? []).compactMap { $0.string ?? $0["network_id"]?.string }
    country = json["country_code"]?.string
    dialingCode = json["dialing_code"]?.string ?? json["dialing_code"]?.integer.map { "\($0)" }
    address = json["mobile_data_ip"]?.string
    products = json["products"]?.items.compactMap { item in
      item["product_id"]?.string.map { id in
        Product(
          id: id, name: item["product_name"]?.string, extent: item["coverage"]?.string,
          networks: (item["networks"]?.items ?? []).compactMap { $0["network_id"]?.string })
      }
    }
  }

  /// Whether a product is served, or any product for nil; nil if the answer does not mention
  /// products.
  func serves(_ product: TruIDProduct?) -> Bool? {
    guard let products else { return nil }
    let served = products.filter { $0.extent.map { $0 == "FULL" || $0 == "PARTIAL" } ?? true }
    guard let product else { return !served.isEmpty }
    return served.contains { $0.id == product.coverageID }
  }
}
