import ModemModel
import NetworkAddress
import Rtnetlink

/// A bearer that another program set up. Only a routing table and the rules that lead to it are
/// added.
extension BearerNetwork {
  /// Adds the table and its rules. Calling it again with new settings replaces the old ones.
  ///
  /// - Throws: `ModemError` `networking`, also if the interface is down or lacks an address,
  ///   because the bearer's owner sets those.
  func adopt(_ settings: BearerSettings, on interface: String) throws -> InstalledBearer {
    try speaking("use \(interface)") { kernel in
      let link = try Self.existingLink(interface, kernel)
      guard link.isUp else {
        throw ModemError(.networking, "\(interface) is down; the program that connected the bearer must set it up")
      }
      let families = try Self.families(kernel)
      let settings = try Self.settings(settings, for: families)
      try Self.requireAddresses(settings, on: link, kernel)
      let guardian = try applyGuarded(settings, to: link, families: families, isAdopted: true, kernel) { plan, _ in
        try applyRouting(plan, kernel)
      }
      let kept = Set([settings.ipv4, settings.ipv6].compactMap { $0?.prefix.address })
      endSockets(over: interface, link.index, kernel) { !$0.source.isUnspecified && !kept.contains($0.source) }
      let bearer = InstalledBearer(
        settings: settings, interface: interface, interfaceIndex: link.index,
        table: Int(BearerPlan.table(forInterface: link.index)), guardian: guardian)
      note(bearer, isAdopted: true)
      return bearer
    }
  }

  /// The addresses of an interface.
  package func addresses(of interface: String) throws -> [IPPrefix] {
    try speaking("read the addresses of \(interface)") { kernel in
      let link = try Self.existingLink(interface, kernel)
      return try kernel.addresses(ofInterface: link.index).map(\.prefix)
    }
  }

  private static func requireAddresses(_ settings: BearerSettings, on link: Link, _ kernel: NetlinkSession) throws {
    let present = try kernel.addresses(ofInterface: link.index).map(\.prefix.address)
    for assignment in [settings.ipv4, settings.ipv6].compactMap({ $0 })
    where !present.contains(assignment.prefix.address) {
      throw ModemError(
        .networking,
        "ModemManager's bearer has an address that is not set on \(link.name); let NetworkManager connect it, "
          + "or set `sharing` to another way")
    }
  }
}
