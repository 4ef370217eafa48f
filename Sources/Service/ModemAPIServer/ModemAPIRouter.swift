import AuthFlows
import BearerStreams
import FlowService
import ModemAPI
import ModemService
import ProviderSettings
import TrafficLedger
import Varlink

/// modemd's interfaces over its services: decodes a call, asks the service, encodes the answer.
package enum ModemAPIRouter {
  /// The router of modemd.
  ///
  /// - Parameters:
  ///   - streams: nil for a service that connects no programs.
  ///   - ledger: nil for a service without org.modemd.Usage.
  ///   - messages: nil for a service without org.modemd.Messages.
  ///   - authentication: nil for a service without flows of authentication.
  ///   - providers: the methods of the providers' own interfaces.
  ///   - files: where providers' files are, and what they may be; nil for a service without files.
  ///   - questions: what flows ask their callers; those of an earlier router, if its flows may
  ///     still wait for answers.
  ///   - reloads: how reloads of the files ended.
  ///   - verifyRoute: which providers verify numbers in calls that do not say so.
  ///   - access: who may call what; the defaults are those of the interfaces registered here.
  package static func make(
    registry: ModemRegistry, bearers: BearerService, checks: CheckService, streams: BearerStreams? = nil,
    ledger: TrafficLedger? = nil, messages: MessageService? = nil, authentication: AuthenticationService? = nil,
    providers: [any FlowMethods] = [],
    questions: PendingQuestions = PendingQuestions(), files: ProviderFiles? = nil,
    reloads: ReloadHistory = ReloadHistory(), verifyRoute: VerifyRoute = .any, access: AccessPolicy, version: String
  ) -> VarlinkRouter {
    var access = access
    access.defaults = AccessDefaults(AccessDefaults.ownRights + providers.flatMap { type(of: $0).rights })
    let information = ServiceInformation(
      vendor: "modemd", product: "modemd", version: version, url: "https://github.com/modemd/modemd")
    var router = VarlinkRouter(information) { [access] peer, method in
      access.allows(peer, method)
    }
    ModemHarness(registry: registry, access: access).add(to: &router)
    SlotHarness(registry: registry, access: access).add(to: &router)
    ServiceHarness(reloads: reloads).add(to: &router)
    BearerHarness(registry: registry, bearers: bearers).add(to: &router)
    if let streams { SocketHarness(streams: streams, access: access).add(to: &router) }
    CheckHarness(checks: checks, access: access).add(to: &router)
    if let ledger { UsageHarness(registry: registry, ledger: ledger).add(to: &router) }
    if let messages { MessagesHarness(messages: messages).add(to: &router) }
    if let authentication {
      var flows = FlowRouter(
        router, for: AuthenticationHost(service: authentication, access: access), questions: questions,
        clock: authentication.clock)
      let files = files ?? ProviderFiles(folder: "", kinds: [], credentials: nil)
      VerifyMethods(files: files, reloads: reloads, route: verifyRoute).add(to: &flows)
      for methods in providers { methods.add(to: &flows) }
      router = flows.router
    }
    limitCalls(of: &router)
    return router
  }

  /// Names that the access table may have beside those of interfaces and methods.
  package static let furtherNames: Set<String> = [SocketHarness.datagramRight]

  /// The size limits of calls: small in general, and larger for calls that may hold a body.
  private static func limitCalls(of router: inout VarlinkRouter) {
    router.usualCallBytes = 64 << 10
    for interface in [
      ModemInterface.name, BearerInterface.name, MessagesInterface.name, UsageInterface.name, ServiceInterface.name,
      CheckInterface.History.name,
    ] {
      router.limitCalls(of: interface, to: VarlinkRouter.smallCallBytes)
    }
    router.limitCalls(of: CheckInterface.Open.name, to: 1 << 20)
    // A file of the largest size, with credentials.
    router.limitCalls(of: VerifyInterface.TestProviderFile.name, to: 1 << 20)
  }
}
