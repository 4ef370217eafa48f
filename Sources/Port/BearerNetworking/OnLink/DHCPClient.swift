import ModemModel
import NetworkAddress

/// The states of a DHCP client (RFC 2131, 4.4), without I/O. Messages and time go in; messages and
/// waits come out.
struct DHCPClient: Sendable {
  /// What a server lent.
  struct Lease: Hashable, Sendable {
    var assignment: BearerSettings.Assignment
    var dns: [IPAddress]
    var mtu: Int?
    var server: IPv4Address
    /// Since the start of the lease; nil for an infinite lease.
    var renewal: Duration?
    var rebinding: Duration?
    var end: Duration?

    var address: IPv4Address
  }

  enum Action: Hashable, Sendable {
    case send(DHCPMessage, from: IPv4Address, to: IPv4Address)
    /// Call `waited` after this time, unless another wait is asked for before.
    case wait(Duration)
    /// The lease is new, gone, or has changed.
    case changed
  }

  enum State: Hashable, Sendable {
    case idle
    case selecting(attempt: Int)
    case requesting(Lease, attempt: Int)
    case bound(Lease)
    /// After T1 or T2 of the lease.
    case renewing(Lease, isRebinding: Bool)
  }

  private(set) var state = State.idle
  private let hardwareAddress: [UInt8]
  private let random: @Sendable () -> UInt32
  private var transaction: UInt32 = 0
  /// From the start of the lease to the end of the present wait.
  private var age = Duration.zero

  /// - Parameters:
  ///   - hardwareAddress: six bytes that identify the client to the server.
  ///   - random: numbers for transactions.
  init(hardwareAddress: [UInt8], random: @escaping @Sendable () -> UInt32 = { .random(in: 1 ... .max) }) {
    self.hardwareAddress = hardwareAddress
    self.random = random
  }

  /// What is lent now.
  var lease: Lease? {
    switch state {
    case .idle, .selecting, .requesting: nil
    case .bound(let lease), .renewing(let lease, _): lease
    }
  }

  /// Looks for a server.
  mutating func begin() -> [Action] {
    transaction = random()
    state = .selecting(attempt: 1)
    return [discover, .wait(Self.patience(1))]
  }

  mutating func received(_ message: DHCPMessage) -> [Action] {
    guard message.transaction == transaction, message.hardwareAddress == hardwareAddress else { return [] }
    switch (state, message.kind) {
    case (.selecting, .offer):
      guard let offer = Lease(message) else { return [] }
      state = .requesting(offer, attempt: 1)
      return [request(for: offer), .wait(Self.patience(1))]
    case (.requesting, .acknowledgement):
      guard let lease = Lease(message) else { return [] }
      return bind(lease)
    case (.renewing(let old, _), .acknowledgement):
      guard let lease = Lease(message) else { return [] }
      // Report it only if something changed.
      return bind(lease).filter { $0 != .changed || lease.assignment != old.assignment || lease.dns != old.dns }
    case (.requesting, .refusal): return begin()
    case (.renewing, .refusal): return begin() + [.changed]
    default: return []
    }
  }

  mutating func waited() -> [Action] {
    switch state {
    case .idle: return []
    case .selecting(let attempt):
      state = .selecting(attempt: attempt + 1)
      return [discover, .wait(Self.patience(attempt + 1))]
    case .requesting(let offer, let attempt):
      guard attempt < 4 else { return begin() }
      state = .requesting(offer, attempt: attempt + 1)
      return [request(for: offer), .wait(Self.patience(attempt + 1))]
    case .bound(let lease):
      state = .renewing(lease, isRebinding: false)
      transaction = random()
      return askAgain(lease, isRebinding: false)
    case .renewing(let lease, let isRebinding):
      if let end = lease.end, age >= end { return begin() + [.changed] }
      let isRebinding = isRebinding || lease.rebinding.map { age >= $0 } ?? false
      state = .renewing(lease, isRebinding: isRebinding)
      return askAgain(lease, isRebinding: isRebinding)
    }
  }

  private mutating func bind(_ lease: Lease) -> [Action] {
    state = .bound(lease)
    age = lease.renewal ?? .zero
    return [.changed] + (lease.renewal.map { [.wait($0)] } ?? [])
  }

  /// Requests an extension, and waits for half of the rest of this phase (RFC 2131, 4.4.5).
  private mutating func askAgain(_ lease: Lease, isRebinding: Bool) -> [Action] {
    let phaseEnd = (isRebinding ? lease.end : lease.rebinding) ?? age + .seconds(60)
    let left = max(phaseEnd - age, .zero)
    let wait = left > .seconds(120) ? left / 2 : max(left, .seconds(1))
    age += wait
    var message = DHCPMessage(.request, transaction: transaction, hardwareAddress: hardwareAddress)
    message.clientAddress = lease.address
    return [
      .send(message, from: lease.address, to: isRebinding ? Self.everyone : lease.server), .wait(wait),
    ]
  }

  private var discover: Action {
    .send(
      DHCPMessage(.discover, transaction: transaction, hardwareAddress: hardwareAddress), from: Self.nobody,
      to: Self.everyone)
  }

  private func request(for offer: Lease) -> Action {
    var message = DHCPMessage(.request, transaction: transaction, hardwareAddress: hardwareAddress)
    message.requestedAddress = offer.address
    message.server = offer.server
    return .send(message, from: Self.nobody, to: Self.everyone)
  }

  /// A modem's server is near. It is asked again after one second, then at intervals that double up
  /// to a minute.
  private static func patience(_ attempt: Int) -> Duration { .seconds(min(1 << min(attempt - 1, 6), 64)) }

  private static let nobody = IPv4Address(number: 0)
  private static let everyone = IPv4Address(number: .max)
}

extension DHCPClient.Lease {
  /// Reads an offer or an acknowledgement; nil if it has no usable address or no server.
  init?(_ message: DHCPMessage) {
    guard let address = message.yourAddress, let server = message.server else { return nil }
    let mask = message.mask?.number ?? 0
    // A mask whose ones are not contiguous is ignored; the link is then point-to-point.
    let length = mask != 0 && (~mask &+ 1).nonzeroBitCount == 1 ? mask.nonzeroBitCount : 32
    guard let prefix = IPPrefix(.v4(address), length: length) else { return nil }
    let router = message.routers.first { router in
      length < 32 && router != address && (router.number ^ address.number) & mask == 0
    }
    assignment = BearerSettings.Assignment(prefix: prefix, gateway: router.map { .v4($0) })
    self.address = address
    dns = message.dns.map { .v4($0) }
    mtu = message.mtu.flatMap { (576...65535).contains($0) ? Int($0) : nil }
    self.server = server
    // 0xffffffff is infinite. The minimum is a minute: a shorter lease would keep the client busy.
    let seconds = message.leaseTime.flatMap { $0 == .max ? nil : max($0, 60) }
    end = seconds.map { .seconds($0) }
    renewal = seconds.map { .seconds(Self.within($0, message.renewalTime, otherwise: $0 / 2)) }
    rebinding = seconds.map { .seconds(Self.within($0, message.rebindingTime, otherwise: $0 / 8 * 7)) }
    if let first = renewal, let second = rebinding, first > second { renewal = second }
  }

  private static func within(_ lease: UInt32, _ time: UInt32?, otherwise: UInt32) -> UInt32 {
    time.flatMap { (30..<max(lease, 31)).contains($0) ? $0 : nil } ?? otherwise
  }
}
