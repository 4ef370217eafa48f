import Rtnetlink

/// How a plan gets into the kernel. What closes a path is added before what opens it, so that no
/// packet slips out in between.
extension BearerNetwork {
  func apply(_ plan: BearerPlan, to link: Link, _ kernel: NetlinkSession) throws {
    try remember(link, kernel)
    try close(plan, kernel)
    try enslave(plan, link, kernel)
    try setLink(plan, link, kernel)
    try setAddresses(plan, kernel)
    try open(plan, kernel)
  }

  /// Like `apply`, but leaves the link and its addresses to the program that set them.
  func applyRouting(_ plan: BearerPlan, _ kernel: NetlinkSession) throws {
    try close(plan, kernel)
    try open(plan, kernel)
  }

  private func close(_ plan: BearerPlan, _ kernel: NetlinkSession) throws {
    try setRules(plan, kernel)
    for route in plan.routes where route.kind == .unreachable { try kernel.replace(route) }
  }

  private func open(_ plan: BearerPlan, _ kernel: NetlinkSession) throws {
    for route in plan.routes where route.kind != .unreachable {
      do {
        try kernel.replace(route)
      } catch let error as NetlinkError where error.code == .failed && route.hasGateway {
        throw RefusedGateway(family: route.family, error: error)
      }
    }
    for stale in try kernel.routes(inTable: plan.table)
    where stale.origin == BearerPlan.Numbers.origin && !plan.routes.contains(stale) {
      try Self.ignoringAbsence { try kernel.delete(stale) }
    }
  }

  /// Notes a link's present state on the link, unless it has a note already.
  func remember(_ link: Link, _ kernel: NetlinkSession) throws {
    guard link.alias.flatMap(LinkNote.init(alias:)) == nil else { return }
    let note = LinkNote(of: link, acceptsAdvertisements: files.acceptsAdvertisements(link.name))
    guard let text = note.text else { return }
    try kernel.set(LinkChange(alias: text), of: link)
  }

  private func setRules(_ plan: BearerPlan, _ kernel: NetlinkSession) throws {
    for family in try Self.families(kernel) {
      let present = try kernel.rules(family)
      for rule in plan.rules where rule.family == family && !present.contains(rule) { try kernel.add(rule) }
      for stale in present
      where stale.origin == BearerPlan.Numbers.origin && stale.table == plan.table && !plan.rules.contains(stale) {
        try Self.ignoringAbsence { try kernel.delete(stale) }
      }
    }
  }

  private func setLink(_ plan: BearerPlan, _ link: Link, _ kernel: NetlinkSession) throws {
    // This comes first: below the minimum MTU, a link has no IPv6 and none of the settings that
    // follow.
    let least = plan.hasIPv6 ? max(link.mtu, BearerPlan.Numbers.leastMTU.ipv6) : link.mtu
    let mtu = plan.mtu ?? least
    if mtu != link.mtu { try kernel.set(LinkChange(mtu: mtu), of: link) }
    // Without a link-local address, the kernel sends no router solicitation. An advertisement that
    // arrives anyway must not put a default route into the main table.
    let mode = try kernel.link(index: link.index)?.addressGeneration
    if let mode, mode != Self.noAddressGeneration {
      try kernel.set(LinkChange(addressGeneration: Self.noAddressGeneration), of: link)
    }
    if files.acceptsAdvertisements(link.name) ?? 0 != 0 { files.setAcceptsAdvertisements(0, of: link.name) }
    if !link.isUp { try kernel.set(LinkChange(isUp: true), of: link) }
  }

  private func setAddresses(_ plan: BearerPlan, _ kernel: NetlinkSession) throws {
    let stale = try kernel.addresses(ofInterface: plan.index).filter { present in
      present.origin == BearerPlan.Numbers.origin && !plan.addresses.contains { $0.prefix == present.prefix }
    }
    let gone = Set(stale.map(\.prefix.address)).subtracting(plan.addresses.map(\.prefix.address))
    // Before the addresses go, so that the other ends learn of it too.
    if !gone.isEmpty { endSockets(over: plan.interface, plan.index, kernel) { gone.contains($0.source) } }
    for stale in stale {
      try Self.ignoringAbsence { try kernel.delete(stale, on: plan.interface) }
    }
    for address in plan.addresses { try kernel.set(address, on: plan.interface) }
  }

  /// IN6_ADDR_GEN_MODE_NONE.
  private static let noAddressGeneration: UInt8 = 1

  static func ignoringAbsence(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as NetlinkError where error.code == .notFound || error.code == .noDevice {
      // Already gone: routes vanish with their device.
    }
  }
}
