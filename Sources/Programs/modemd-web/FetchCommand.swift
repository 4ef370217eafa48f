import ArgumentParser
import BrowserBridge
import DaemonRuntime
import Glibc
import JournalLog
import Logging
import LoopbackHTTP
import ModemAPIClient
import ModemModel
import NIOPosix
import SettingsFile
import SystemdSupport

/// What `modemd-web-fetch@USER.service` starts.
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-web fetch", abstract: "Lets pages of configured origins ask modemd by fetch.",
    discussion:
      "For kiosks with one user. It runs as that user, listens on this machine's loopback addresses only, answers no "
      + "other user's connections, and asks modemd with the user's own rights. Without fetch in the configuration file "
      + "it does not start.",
    version: Product.version)

  @Option(help: "The configuration file; it must be there.")
  var configuration = "/etc/modemd/web.json"

  @Option(help: "modemd's socket.")
  var socket = ModemAPIClient.defaultPath

  @Option(help: "The port on 127.0.0.1 and [::1], in place of the file's.")
  var port: Int?

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
      do throws(SettingsError) {
        let settings = try FetchSettings.read(configuration)
        print("\(configuration): good: \(settings.origins.keys.map(\.description).sorted().joined(separator: ", "))")
      } catch {
        print("\(error)")
        throw ExitCode.failure
      }
      return
    }
    let logger = DaemonLog.start("modemd-web-fetch", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.event(.startFailed, level: .critical, "\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    let settings = try FetchSettings.read(configuration)
    guard getuid() == settings.user, geteuid() == settings.user else {
      throw WrongUser(own: geteuid(), named: settings.user, file: configuration)
    }
    let notifier = try ServiceNotifier(environment)
    let browsers = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let bridge = FetchBridge(settings, user: settings.user, gateway: ModemGateway(socket: socket), logger: logger)
    var limits = RequestLimits()
    // A sign-in's `appVerification` is longer than any form.
    limits.bodyBytes = 16_384
    limits.bytes = 32_768
    let server = try await LoopbackServer.start(
      port: port ?? settings.port, limits: limits, on: browsers, logger: logger, serve: { await bridge.answer($0) })
    logger.notice("listens on port \(server.port) of 127.0.0.1 and [::1]")
    let watchdog = try environment.watchdogInterval().map { interval in
      DaemonPart("watchdog") {
        await notifier.keepAlive(interval: interval) { try? await browsers.next().submit {}.get() }
      }
    }
    let parts = [
      watchdog,
      DaemonPart("socket") {
        try? notifier.send(.ready, .status("answering \(settings.origins.count) origins"))
        await Self.untilCancelled()
        try? notifier.send(.stopping)
        // In a task that is not cancelled.
        await Task {
          await server.close()
          await bridge.end()
        }.value
      },
    ].compactMap(\.self)
    try await DaemonPart.run(parts, until: await ProcessSignals.take(SIGTERM, SIGINT), logger: logger)
  }

  private static func untilCancelled() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
  }

  /// Whoever runs it is not whom the file names.
  private struct WrongUser: Error, CustomStringConvertible {
    let own: UInt32
    let named: UInt32
    let file: String

    var description: String {
      "\(file): fetch.user is the user \(Self.name(named)), and this process runs as \(Self.name(own)); name the "
        + "browser's user in fetch.user, and start modemd-web-fetch@USER.service for the same user"
    }

    private static func name(_ user: UInt32) -> String {
      getpwuid(user).map { "\(String(cString: $0.pointee.pw_name)) (\(user))" } ?? "\(user)"
    }
  }
}
