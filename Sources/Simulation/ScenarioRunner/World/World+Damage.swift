import CLinux
import NetworkAddress
import Rtnetlink

/// What others may do to the host's network while a bearer is in use.
extension World {
  /// Deletes `wwan0`, as when a modem is pulled out.
  package func removeInterface() async throws {
    try await links.host.run {
      let kernel = try Kernel()
      try kernel.session.delete(try kernel.link("wwan0"))
    }
    pump?.stop()
    pump = nil
  }

  /// Makes `wwan0` anew, as when a modem comes back.
  package func restoreInterface() async throws {
    guard pump == nil else { return }
    try carryPackets(from: try await links.makeModemDevice())
  }

  /// Deletes `wwan0` and gives its index and addresses to a device that leads to the other uplink: the worst that can
  /// become of a number that somebody remembers.
  package func reuseIndex() async throws {
    let addresses = [scenario.network.ipv4, scenario.network.ipv6].compactMap { $0?.prefix.address }
      .compactMap { IPPrefix($0, length: $0.bytes.count * 8) }
    let index = try await links.host.run { try Kernel().link("wwan0").index }
    try await removeInterface()
    let uplink = links.uplink.descriptor
    try await links.host.run {
      let kernel = try Kernel()
      try kernel.session.makeVirtualEthernet("lan2", index: index, peer: "lan3")
      try kernel.session.move(try kernel.link("lan3"), toNamespace: uplink)
    }
    let watch = try await links.uplink.run {
      try Kernel().bringUp("lan3", [])
      return try UplinkWatch(interface: "lan3")
    }
    watches.withLock { $0.append(watch) }
    try await links.host.run { try Kernel().bringUp("lan2", addresses) }
  }

  /// Sets `wwan0` up or down, as `ip link set` does.
  package func setLink(isUp: Bool) async throws {
    try await links.host.run {
      let kernel = try Kernel()
      try kernel.session.set(LinkChange(isUp: isUp), of: try kernel.link("wwan0"))
    }
  }

  /// Deletes the routes of every table but the machine's own two, as a careless administrator might.
  ///
  /// - Returns: how many there were.
  @discardableResult
  package func emptyTables() async throws -> Int {
    try await links.host.run {
      let session = try Kernel().session
      let own = [RT_TABLE_MAIN, RT_TABLE_LOCAL].map { UInt32($0.rawValue) }
      let routes = try session.routes().filter { !own.contains($0.table) }
      for route in routes { try session.delete(route) }
      return routes.count
    }
  }

  /// Deletes all rules but those that a machine starts with.
  ///
  /// - Returns: how many there were.
  @discardableResult
  package func removeRules() async throws -> Int {
    try await links.host.run {
      let session = try Kernel().session
      let own = [RT_TABLE_MAIN, RT_TABLE_LOCAL, RT_TABLE_DEFAULT].map { UInt32($0.rawValue) }
      let rules = try AddressFamily.allCases.flatMap { try session.rules($0) }.filter { !own.contains($0.table) }
      for rule in rules { try session.delete(rule) }
      return rules.count
    }
  }
}
