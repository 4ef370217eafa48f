import FlowService
import ModemAPI
import Varlink

/// org.modemd.Service.
struct ServiceHarness: Sendable {
  /// Whoever may reload can make a mistake in a file count, and learns of it.
  static let rights = InterfaceRights([.ownEntry: [ServiceInterface.Reload.self]])

  let reloads: ReloadHistory

  func add(to router: inout VarlinkRouter) {
    router.add(ServiceInterface.self)
    router.handle(ServiceInterface.Reload.self) { [reloads] _, _ in
      guard let reload = reloads.wanted else {
        throw VarlinkError(ServiceInterface.ReloadFailed(message: "this service has no files to read anew"))
      }
      do {
        return .init(summary: try await reload())
      } catch {
        throw VarlinkError(ServiceInterface.ReloadFailed(message: "\(error)"))
      }
    }
  }
}
