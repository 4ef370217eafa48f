import AuthFlows
import DaemonRuntime
import JournalLog
import Logging

/// Reads the files anew and lets new calls be served by what they say. If anything in them cannot
/// be used, nothing changes.
actor ServiceReload {
  private let places: Configuration.Places
  private let base: ServiceBase
  private let server: SocketService
  private let proxy: ProxyService?
  private var service: ConfiguredService
  private var configuration: Configuration
  /// The last reload: one is over before the next begins.
  private var last: Task<String, any Error>?

  /// - Parameter configuration: what `service` was made from.
  init(
    _ places: Configuration.Places, _ base: ServiceBase, _ service: ConfiguredService, _ configuration: Configuration,
    _ server: SocketService, _ proxy: ProxyService?
  ) {
    self.configuration = configuration
    self.places = places
    self.base = base
    self.service = service
    self.server = server
    self.proxy = proxy
  }

  /// - Returns: what is configured now, in one line.
  /// - Throws: what is wrong with a file; nothing has changed then.
  func run() async throws -> String {
    let former = last
    // A caller that leaves ends no reload half way.
    let reload = Task {
      _ = await former?.result
      return try await once()
    }
    last = reload
    return try await reload.value
  }

  /// The same for a caller, with a line in the log as a signal has one.
  func run(for caller: String, _ logger: Logger) async throws -> String {
    do {
      let summary = try await run()
      logger.notice("reloaded for \(caller): \(summary)")
      return summary
    } catch {
      logger.error("the reload for \(caller) changed nothing: \(error)")
      throw error
    }
  }

  private func once() async throws -> String {
    do {
      let summary = try await apply()
      base.reloads.add(failure: nil)
      base.metrics.noteReload(isDone: true)
      return summary
    } catch {
      base.reloads.add(failure: "\(error)")
      base.metrics.noteReload(isDone: false)
      throw error
    }
  }

  private func apply() async throws -> String {
    let configuration = try Configuration(places)
    try configuration.check(after: self.configuration)
    let former = service
    service = try ConfiguredService(configuration, on: base, after: former)
    former.retire()
    self.configuration = configuration
    base.logger.tell(of: configuration.providers.faults)
    base.metrics.note(providerFaults: configuration.providers.faults.count)
    await base.apply(configuration.settings)
    await server.change(to: service.router, limits: service.limits)
    await proxy?.change(to: service.proxy)
    return configuration.summary
  }
}

extension Logger {
  /// Tells of the files that cannot be used.
  func tell(of faults: [ProviderFault]) {
    for fault in faults {
      event(
        .providerDisabled, level: .error, "the provider \(fault.name) is disabled: \(fault)",
        metadata: ["provider": "\(fault.name)"])
    }
  }
}
