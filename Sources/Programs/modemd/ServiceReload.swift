import DaemonRuntime

/// Reads the files anew and lets new calls be served by what they say. If anything in them cannot be
/// used, nothing changes.
actor ServiceReload {
  private let places: Configuration.Places
  private let base: ServiceBase
  private let server: SocketService
  private var service: ConfiguredService

  init(_ places: Configuration.Places, _ base: ServiceBase, _ service: ConfiguredService, _ server: SocketService) {
    self.places = places
    self.base = base
    self.service = service
    self.server = server
  }

  /// - Returns: what is configured now, in one line.
  /// - Throws: what is wrong with a file; nothing has changed then.
  func run() async throws -> String {
    let configuration = try Configuration(places)
    service = try ConfiguredService(configuration, on: base, after: service)
    await base.apply(configuration.settings)
    await server.change(to: service.router, limits: service.limits)
    return configuration.summary
  }
}
