import ModemModel
import NetworkAddress

/// An IPv6 address made from a router's advertisements (RFC 4862; RFC 6459, 5.2), without I/O.
struct Autoconfiguration: Sendable {
  enum Action: Hashable, Sendable {
    case solicit
    /// Call `waited` after this time, unless another wait is asked for before.
    case wait(Duration)
    case changed
  }

  /// What the last advertisement gave; nil before the first one and after it expires.
  private(set) var assignment: BearerSettings.Assignment?
  private(set) var dns: [IPAddress] = []
  /// Bytes.
  private(set) var mtu: Int?
  private let interfaceID: UInt64
  private var solicitations = 0
  /// From the end of the present wait to the end of the address; nil if no address expires.
  private var left: Duration?

  /// - Parameter interfaceID: the low half of the address, as the network gave it.
  init(interfaceID: UInt64) { self.interfaceID = interfaceID }

  /// Looks for a router.
  mutating func begin() -> [Action] {
    solicitations = 1
    left = nil
    return [.solicit, .wait(.seconds(1))]
  }

  mutating func received(_ advertisement: RouterAdvertisement) -> [Action] {
    let usable = advertisement.prefixes.filter {
      $0.isAutonomous && $0.length == 64 && $0.validLifetime > 0 && !$0.address.isLinkLocal
    }
    guard advertisement.lifetime > 0,
      let prefix = usable.first(where: { $0.preferredLifetime > 0 }) ?? usable.first,
      let made = IPPrefix(.v6(IPv6Address(high: prefix.address.high, low: interfaceID)), length: 64)
    else {
      // One router may stop while nothing is lost. If all fall silent, the address expires.
      guard assignment?.gateway == .v6(advertisement.router), advertisement.lifetime == 0 else { return [] }
      return forget() + begin()
    }
    let before = self
    assignment = BearerSettings.Assignment(prefix: made, gateway: .v6(advertisement.router))
    dns = advertisement.dns.map { .v6($0) }
    mtu = advertisement.mtu.flatMap { (1280...65535).contains($0) ? Int($0) : nil }
    let isNew = assignment != before.assignment || dns != before.dns || mtu != before.mtu
    let seconds = min(prefix.validLifetime, UInt32(advertisement.lifetime))
    // Ask again in good time. A router's lifetime is at most 18 hours, so this is always set.
    let wait = Duration.seconds(max(seconds / 4 * 3, 1))
    left = max(.seconds(seconds) - wait, .seconds(1))
    solicitations = 0
    return (isNew ? [.changed] : []) + [.wait(wait)]
  }

  mutating func waited() -> [Action] {
    if let rest = left {
      if solicitations == 0 {
        solicitations = 1
        // Ask three times before the address expires.
        left = rest / 3 * 2
        return [.solicit, .wait(rest / 3)]
      }
      guard solicitations < 3 else { return forget() + begin() }
      solicitations += 1
      return [.solicit, .wait(max(rest / 2, .seconds(1)))]
    }
    solicitations += 1
    // At growing intervals, up to a quarter of an hour (RFC 7559).
    return [.solicit, .wait(.seconds(min(1 << min(solicitations, 10), 900)))]
  }

  private mutating func forget() -> [Action] {
    guard assignment != nil else { return [] }
    assignment = nil
    dns = []
    mtu = nil
    return [.changed]
  }
}
