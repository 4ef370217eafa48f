import AuthCore
import RedirectChain
import Web

/// The fields of tru.ID's SDKs, for the first hop only. The SDKs send `x-tru-sdk-request` with
/// every hop. Here, later hops carry nothing of the transaction, because they are other companies'
/// hosts and may be in cleartext.
enum TruIDHeaders {
  /// - Parameter random: 16 bytes, for the transaction's id.
  static func first(_ settings: TruIDSettings, _ subscriber: Subscriber, _ random: [UInt8]) -> [WebHeader] {
    guard settings.sendsSDKHeaders else { return [] }
    var headers = [WebHeader(name: "x-tru-sdk-request", value: RandomUUID.text(of: random))]
    if let home = subscriber.home { headers.append(.init(name: "x-tru-ops", value: home.description)) }
    if settings.isSandbox { headers.append(.init(name: "x-tru-mode", value: "sandbox")) }
    return headers
  }
}
