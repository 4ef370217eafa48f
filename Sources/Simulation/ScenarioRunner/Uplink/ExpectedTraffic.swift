import NetworkAddress

/// What the host may send by its other uplink: requests to hosts of the Internet that a scenario's
/// providers have there, and queries for their names. It must come from the host's own address
/// there: what carries the bearer's has strayed.
struct ExpectedTraffic: Sendable {
  var sources: Set<IPAddress>
  var names: Set<String>
  var addresses: Set<IPAddress>

  func includes(_ packet: UplinkPacket) -> Bool {
    guard sources.contains(packet.source) else { return false }
    return addresses.contains(packet.destination) || packet.queriedName.map(names.contains) == true
  }
}

extension Scenario {
  /// Nil if nothing may go there.
  var expectedOnUplink: ExpectedTraffic? {
    let hosts = providerHosts.filter { $0.ways == .both }
    guard !hosts.isEmpty else { return nil }
    return ExpectedTraffic(
      sources: Set(WorldLinks.hostAddresses.map(\.address)), names: Set(hosts.map(\.name)),
      addresses: Set(hosts.flatMap(\.addresses)))
  }
}
