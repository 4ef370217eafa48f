import ArgumentParser
import BrowserBridge
import DaemonRuntime
import Glibc
import HTTPExchange
import HostHTTP
import JournalLog
import Logging
import LoopbackHTTP
import ModemAPIClient
import ModemModel
import NIOPosix
import SettingsFile
import SystemdSupport
import Varlink

struct ModemdWebCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-web", abstract: "Lets web pages of configured sites ask modemd, by a link with a ticket.",
    discussion:
      "Listens on this machine's loopback addresses only. Fetches tickets from the sites that its configuration names, "
      + "shows a page of its own, asks modemd, tells the site the verdict, and leads the browser back.",
    version: Product.version)

  @Option(help: "The configuration file; it must be there.")
  var configuration = "/etc/modemd/web.json"

  @Option(help: "modemd's socket.")
  var socket = ModemAPIClient.defaultPath

  @Option(help: "Where root and the configured users get links to the inspector.")
  var control = "/run/modemd-web/control"

  @Option(help: "The port on 127.0.0.1 and [::1], in place of the file's.")
  var port: Int?

  @Option(help: "A PEM file of certificates to trust besides the system's own, in place of the file's.")
  var extraRoots: String?

  @Flag(help: "Say what is wrong with the configuration, and end.")
  var check = false

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Logger.Level.info

  func validate() throws {
    if let port, !(1024...65_535).contains(port) { throw ValidationError("--port is not 1024 to 65535") }
  }

  func run() async throws {
    PrivateMemory.keep()
    let environment = ServiceEnvironment.take()
    if check {
      let report = WebFileCheck(
        configuration,
        credentials: CredentialsDirectory(environment) ?? CredentialsDirectory(ofUnit: "modemd-web.service"))
      print(report.line)
      if !report.isGood { throw ExitCode.failure }
      return
    }
    let logger = DaemonLog.start("modemd-web", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.event(.startFailed, level: .critical, "\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    let settings = try WebSettings.read(configuration, credentials: CredentialsDirectory(environment))
    let notifier = try ServiceNotifier(environment)
    // One thread for browsers, one for backends: a flood of the first does not delay the second.
    let browsers = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let outside = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let local = Set(settings.backends.filter(\.allowsPrivateAddresses).flatMap(\.origins))
    let client = HostClient(
      group: outside, trust: TLSTrust(extraRootsFile: extraRoots ?? settings.extraRoots), userAgent: "modemd-web",
      configured: { local.contains($0) }, logger: logger)
    let inspector = Inspector(socket: socket, logger: logger)
    let bridge = BrowserBridge(
      settings, office: TicketOffice(client: client, clock: .machine, logger: logger),
      gateway: ModemGateway(socket: socket), inspector: inspector, logger: logger)
    let server = try await LoopbackServer.start(
      port: port ?? settings.port, on: browsers, logger: logger, serve: { await bridge.answer($0) })
    let links = await listen(inspector, settings.inspectors, server.port, logger)
    logger.notice("listens on port \(server.port) of 127.0.0.1 and [::1]")
    let watchdog = try environment.watchdogInterval().map { interval in
      DaemonPart("watchdog") {
        await notifier.keepAlive(interval: interval) {
          for loop in [browsers.next(), outside.next()] { try? await loop.submit {}.get() }
        }
      }
    }
    let parts = [
      watchdog,
      DaemonPart("flows") { await bridge.run() },
      DaemonPart("socket") {
        try? notifier.send(.ready, .status("serving \(settings.backends.count) sites"))
        await Self.untilCancelled()
        try? notifier.send(.stopping)
        // In a task that is not cancelled.
        await Task {
          await links?.close()
          await server.close()
        }.value
      },
    ].compactMap(\.self)
    try await DaemonPart.run(parts, until: await ProcessSignals.take(SIGTERM, SIGINT), logger: logger)
  }

  /// Offers links to the inspector. Without its socket the pages of sites are served all the same.
  private func listen(
    _ inspector: Inspector, _ users: Set<UInt32>, _ port: Int, _ logger: Logger
  ) async -> VarlinkServer? {
    do {
      // Everybody may connect: the kernel says who it is.
      return try await VarlinkServer.start(
        InspectorControl.router(inspector, users: users, port: port), at: .path(control, mode: 0o666),
        on: MultiThreadedEventLoopGroup(numberOfThreads: 1), logger: logger)
    } catch {
      logger.warning("there is no inspector: \(error)")
      return nil
    }
  }

  private static func untilCancelled() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
  }
}
