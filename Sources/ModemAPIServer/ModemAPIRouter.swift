import ModemService
import Varlink

/// modemd's interfaces over its services: decodes a call, asks the service, encodes the answer.
public enum ModemAPIRouter {
  /// The router of modemd.
  public static func make(
    registry: ModemRegistry, bearers: BearerService, checks: CheckService, access: AccessPolicy, version: String
  ) -> VarlinkRouter {
    let information = ServiceInformation(
      vendor: "modemd", product: "modemd", version: version, url: "https://github.com/modemd/modemd")
    var router = VarlinkRouter(information) { peer, _ in access.allows(peer) }
    ModemHarness(registry: registry).add(to: &router)
    BearerHarness(registry: registry, bearers: bearers).add(to: &router)
    CheckHarness(checks: checks).add(to: &router)
    return router
  }
}
