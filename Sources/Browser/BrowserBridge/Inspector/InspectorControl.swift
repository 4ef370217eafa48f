import ModemModel
import Varlink
import WebAPI

/// The socket at which root and the configured users get links to the inspector.
package enum InspectorControl {
  /// - Parameters:
  ///   - users: who may call it, besides root.
  ///   - port: where the page is.
  package static func router(_ inspector: Inspector, users: Set<UInt32>, port: Int) -> VarlinkRouter {
    var router = VarlinkRouter(
      .init(vendor: "modemd", product: "modemd-web", version: Product.version, url: "")
    ) { peer, _ in peer.userID == 0 || users.contains(peer.userID) }
    router.add(WebInterface.self)
    router.handle(WebInterface.Open.self) { parameters, context in
      let user = try user(parameters.user, context.peer)
      return .init(
        url: "http://127.0.0.1:\(port)" + (await inspector.newPath(for: user)), user: Int(user),
        expiresInSeconds: Int(InspectorDoor.linkTime.components.seconds))
    }
    return router
  }

  private static func user(_ asked: Int?, _ peer: Peer) throws -> UInt32 {
    guard let asked else { return peer.userID }
    guard let user = UInt32(exactly: asked), user != UInt32.max else {
      throw VarlinkError(WebInterface.InvalidUser(reason: "user is not a user id: 0 to 4294967294 is expected"))
    }
    guard peer.userID == 0 || peer.userID == user else {
      throw VarlinkError(
        WebInterface.InvalidUser(reason: "user is another one than the caller; only root may name another"))
    }
    return user
  }
}
