import FleetAPI
import Glibc
import ModemModel
import Varlink

/// The socket at which root, this service's own user and members of the group modemd-fleet ask how
/// it is doing.
enum FleetControlRouter {
  static let group = "modemd-fleet"

  static func make(_ service: FleetService, group: String = group) -> VarlinkRouter {
    let (own, member) = (geteuid(), getgrnam(group)?.pointee.gr_gid)
    var router = VarlinkRouter(
      .init(vendor: "modemd", product: "modemd-fleet", version: Product.version, url: "")
    ) { peer, _ in
      peer.userID == 0 || peer.userID == own || member.map { peer.groupIDs.contains($0) } ?? false
    }
    // The socket's mode keeps them off, too.
    router.admitsStrangers = false
    router.add(FleetInterface.self)
    router.handle(FleetInterface.Status.self) { _, _ in await service.status() }
    return router
  }

  /// Few ask, and each answer is small.
  static var limits: VarlinkServer.Limits {
    var limits = VarlinkServer.Limits()
    (limits.frameBytes, limits.openingBytes) = (16 << 10, 4 << 10)
    (limits.connections, limits.userConnections) = (64, 16)
    (limits.calls, limits.userCalls) = (64, 16)
    (limits.bytes, limits.userBytes) = (4 << 20, 1 << 20)
    return limits
  }
}
