import NetworkAddress
import Rtnetlink

@testable import ScenarioRunner

/// What a bearer leaves in the host's network, if anything.
struct HostState: Equatable, Sendable {
  var addresses: Set<IPPrefix> = []
  var routes: Set<String> = []
  var rules: Set<String> = []
  /// Tables of the packet filter, and VRF devices.
  var guards: Set<String> = []
}

extension World {
  /// Addresses of `wwan0`, routes that lead through it or stand in tables of their own, and all
  /// rules.
  func hostState() async throws -> HostState {
    try await links.host.run {
      let session = try Kernel().session
      guard let link = try session.link(named: "wwan0") else { return HostState() }
      var state = HostState()
      state.addresses = Set(
        try session.addresses(ofInterface: link.index).map(\.prefix).filter { !$0.address.isLinkLocal })
      state.rules = Set(try AddressFamily.allCases.flatMap { try session.rules($0) }.map { "\($0)" })
      let filter = NetlinkSession(try KernelNetlinkSocket.filter())
      state.guards = Set(try filter.filterTables() + session.links().filter { $0.vrfTable != nil }.map(\.name))
      for route in try session.routes() where route.table != 254 && route.table != 255 {
        state.routes.insert("\(route.words) in \(route.table)")
      }
      return state
    }
  }
}
