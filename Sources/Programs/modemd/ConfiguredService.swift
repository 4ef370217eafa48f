import AuthCore
import AuthFlows
import BearerProxy
import BoundHTTP
import Glibc
import HTTPExchange
import HostHTTP
import Logging
import ModemAPI
import ModemAPIServer
import ModemService
import RedirectChain
import SealedFiles
import SettingsFile
import TS43Flows
import Varlink
import Web

/// The part of the service that follows from the configuration. A reload makes another one; flows
/// under way keep the one that they began with.
struct ConfiguredService: Sendable {
  let router: VarlinkRouter
  let limits: VarlinkServer.Limits
  let chains: ChainClient
  let proxy: BearerProxy.Service
  private let checks: CheckService
  private let authentication: AuthenticationService
  private let backends: HostClient

  /// Makes the service, and changes nothing of what runs.
  ///
  /// - Parameters:
  ///   - base: what all configurations share.
  ///   - former: the configuration before this one; nil at the start.
  /// - Throws: `SettingsError` for an entry of the access table that names nothing; at a reload
  ///   also `ExchangeError` for roots of trust that cannot be read.
  init(_ configuration: Configuration, on base: ServiceBase, after former: ConfiguredService? = nil) throws {
    let settings = configuration.settings
    let providers = Self.equipped(configuration.providers, on: base, after: former?.authentication.providers)
    var options = ChainClient.Options()
    options.trust = TLSTrust(extraRootsFile: base.extraRoots ?? settings.extraRoots)
    options.trust.newestVersion = settings.newestTLS
    // Where bytes are dear, nothing is opened that no request needs.
    options.learnsOrigins = settings.learnsOrigins && !settings.isMetered
    options.warms = !settings.isMetered
    options.onWarmed = { [metrics = base.metrics] tally in
      metrics.noteWarmed(
        used: tally.used, unused: tally.unused, failed: tally.failed, unusedBytes: tally.unusedBytes)
    }
    options.userAgent = "modemd/\(ModemdCommand.version)"
    let chains =
      try former.map { try ChainClient(sharing: $0.chains, options: options) }
      ?? ChainClient(group: base.group, options: options, beside: base.dialer, logger: base.logger)
    let prepare: CheckService.NamePreparer = { url, learns, owner, bearer in
      await chains.prepare(
        url, learns: learns, for: owner, over: bearer, onBytes: base.report(.warming, for: owner, over: bearer))
    }
    let warm: CheckService.ConnectionWarmer = { chain, bearer in
      chains.warm(chain, over: bearer, onBytes: base.report(.warming, for: chain.owner, over: bearer))
    }
    let run: CheckService.ChainRunner = { request, bearer, onHop in
      let report = base.report(request.isOfFlow ? .flows : .chains, for: request.owner, over: bearer)
      return await chains.run(request, over: bearer, onBytes: report, onHop: onHop)
    }
    let checks =
      former?.checks.replacing(
        reach: settings.reach, prepareNames: prepare, warmConnections: settings.isMetered ? nil : warm, runChain: run)
      ?? CheckService(
        registry: base.registry, bearers: base.bearers, history: base.history, reach: settings.reach, now: base.now,
        logger: base.logger, observer: base.metrics, prepareNames: prepare,
        warmConnections: settings.isMetered ? nil : warm, executor: { chains.executor }, runChain: run)
    let origins = providers.configuredOrigins
    let backends = HostClient(
      group: base.group, trust: options.trust, userAgent: options.userAgent,
      cleartextHosts: settings.cleartextBackends.union(providers.cleartextHosts),
      configured: { origins.contains($0) }, logger: base.logger)
    let traced = providers.tracedOrigins
    let send: AuthenticationService.HostSend = { call, caller in
      let request = traced.contains(call.url.origin) ? call.request.inTrace(.current) : call.request
      return try await backends.send(request, for: caller.userID).mapError { BackendFailure($0) }
    }
    let connect: AuthenticationService.HostConnect = { url, caller in backends.makeReady(url, for: caller.userID) }
    let authentication =
      former?.authentication.replacing(providers: providers, checks: checks, connect: connect, send: send)
      ?? AuthenticationService(
        providers: providers, registry: base.registry, checks: checks, messages: base.messages, now: base.now,
        logger: base.logger, observer: base.metrics, connect: connect, send: send)
    let access = Self.access(settings, base.logger)
    router = ModemAPIRouter.make(
      registry: base.registry, bearers: base.bearers, checks: checks, streams: base.streams, ledger: base.ledger,
      messages: base.messages, authentication: authentication, providers: base.methods, questions: base.questions,
      files: configuration.files, reloads: base.reloads, verifyRoute: settings.verifyRoute, access: access,
      version: ModemdCommand.version)
    limits = VarlinkServer.Limits(settings)
    proxy = BearerProxy.Service(base.streams) { access.allows($0, BearerInterface.OpenStream.name) }
    (self.chains, self.checks, self.authentication) = (chains, checks, authentication)
    self.backends = backends
    try Self.check(access, router)
  }

  /// Another configuration has taken over. Connections to backends that wait for a next call, and
  /// those that were made ready for chains, were made with these settings, and close.
  func retire() {
    backends.retire()
    chains.retire()
  }

  /// The providers, with what this program keeps for them.
  private static func equipped(
    _ providers: ProviderSet, on base: ServiceBase, after former: ProviderSet?
  ) -> ProviderSet {
    var providers = providers
    providers.change(TS43Settings.self) { $0.store = base.tokens }
    if base.tokens is TransientTokenStore, let first = providers.all(TS43Settings.self).first,
      former?.all(TS43Settings.self).isEmpty ?? true
    {
      base.logger.notice(
        "the provider \(first.name) keeps tokens of logins in memory alone, as there is no credential \(SealingKey.credential); the first login after each start asks the SIM"
      )
    }
    return providers
  }

  private static func access(_ settings: Settings, _ logger: Logger) -> AccessPolicy {
    AccessPolicy(
      groupIDs: identifiers(of: settings.groups) {
        logger.notice("there is no group \($0), so it gives nobody access")
      },
      table: settings.accessTable.mapValues { groups in
        identifiers(of: groups) {
          logger.notice("there is no group \($0), so it adds nobody to the access table")
        }
      },
      revealGroupIDs: identifiers(of: settings.revealGroups) {
        logger.notice("there is no group \($0), so nobody in it may reveal secrets")
      },
      messageGroupIDs: identifiers(of: settings.messageGroups) {
        logger.notice("there is no group \($0), so nobody in it may read messages")
      },
      identityGroupIDs: settings.identityGroups.map { groups in
        identifiers(of: groups) {
          logger.notice("there is no group \($0), so nobody in it is told who the SIM is")
        }
      },
      ownUserID: geteuid())
  }

  /// A misspelt name in the table would leave its method to the general groups.
  private static func check(_ access: AccessPolicy, _ router: VarlinkRouter) throws {
    let names = router.names.union(ModemAPIRouter.furtherNames)
    for name in access.table.keys.sorted() where !names.contains(name) {
      throw SettingsError(
        .wrongValue, "access.table: there is no interface or method \(name); `modemctl` and `varlinkctl` list them")
    }
  }

  private static func identifiers(of groups: [String], unknown: (String) -> Void) -> Set<UInt32> {
    var identifiers: Set<UInt32> = []
    for name in groups {
      if let entry = getgrnam(name) {
        identifiers.insert(entry.pointee.gr_gid)
      } else {
        unknown(name)
      }
    }
    return identifiers
  }
}
