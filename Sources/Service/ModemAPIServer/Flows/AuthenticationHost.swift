import AuthCore
import AuthFlows
import FlowService
import Logging
import ModemAPI
import ModemService
import Varlink

/// The service as flows need it.
struct AuthenticationHost: FlowHost {
  let service: AuthenticationService
  let access: AccessPolicy

  var providers: ProviderSet { service.providers }

  var logger: Logger { service.logger }

  func subscriber(_ modem: String?) throws -> Subscriber { try service.subscriber(modem) }

  func revealsSIM(to peer: Peer) -> Bool {
    access.allows(peer, ModemInterface.Get.name) && access.showsIdentity(to: peer)
  }

  func run(
    on modem: String?, for peer: Peer, askForCode: FlowLanes.AskForCode?,
    onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) -> FlowRun {
    service.run(on: modem, for: Caller(peer), askForCode: askForCode, onProgress: onProgress)
  }

  func endedFlow(
    of method: String, provider: String?, kind: String?, result: FlowResult?, isCancelled: Bool, after time: Duration
  ) {
    service.observer?.endedFlow(
      of: method, provider: provider, kind: kind, result: result, isCancelled: isCancelled, after: time)
  }

  func declared(_ error: any Error) -> VarlinkError? { wireError(error) as? VarlinkError }
}
