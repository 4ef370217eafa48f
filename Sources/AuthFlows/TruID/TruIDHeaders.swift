import AuthCore
import RedirectChain

/// The fields of tru.ID's SDKs, for the first hop alone. The SDKs send `x-tru-sdk-request` with every hop; here later hops carry nothing
/// of the transaction, since they are other companies' hosts and may be in clear.
enum TruIDHeaders {
  /// - Parameter random: 16 bytes, for the transaction's id.
  static func first(_ settings: TruIDSettings, _ subscriber: Subscriber, _ random: [UInt8]) -> [ChainRequest.Header] {
    guard settings.sendsSDKHeaders else { return [] }
    var headers = [ChainRequest.Header(name: "x-tru-sdk-request", value: uuid(random))]
    if let home = subscriber.home { headers.append(.init(name: "x-tru-ops", value: home.description)) }
    if settings.isSandbox { headers.append(.init(name: "x-tru-mode", value: "sandbox")) }
    return headers
  }

  /// A random UUID (RFC 9562, 5.4).
  static func uuid(_ random: [UInt8]) -> String {
    precondition(random.count == 16, "a UUID has 16 bytes")
    var bytes = random
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let parts = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
    return parts.map { $0.joined() }.joined(separator: "-")
  }
}
