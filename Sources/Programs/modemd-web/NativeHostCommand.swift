import ArgumentParser
import BrowserBridge
import DaemonRuntime
import Glibc
import JournalLog
import Logging
import ModemAPIClient
import NIOCore
import NIOPosix
import NativeMessaging

/// What browsers start for a page with the extension, through `modemd-browser-host`.
struct NativeHostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-web native-host", abstract: "Lets one page ask modemd, over a browser's native messaging.",
    discussion:
      "A browser starts it with the rights of its user, and talks to it over standard input and output. It answers "
      + "extensions and origins that its configuration names, and ends when the page leaves.")

  @Option(help: "The configuration file; it must be there.")
  var configuration = "/etc/modemd/browser-host.json"

  @Option(help: "modemd's socket.")
  var socket = ModemAPIClient.defaultPath

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Logger.Level.notice

  @Argument(parsing: .postTerminator, help: "What the browser says: the extension that calls.")
  var caller: [String] = []

  func run() async throws {
    PrivateMemory.keep()
    let logger = DaemonLog.start("modemd-browser-host", level: logLevel)
    do {
      let settings = try HostSettings.read(configuration)
      guard let caller = BrowserCaller(caller), settings.extensions.contains(caller.extension) else {
        logger.error("no browser has started this for an extension that \(configuration) names")
        throw ExitCode.failure
      }
      try await serve(settings, logger)
    } catch let code as ExitCode {
      throw code
    } catch {
      logger.event(.startFailed, level: .critical, "\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ settings: HostSettings, _ logger: Logger) async throws {
    let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
    let host = NativeHost(
      settings, gateway: ModemGateway(socket: socket), notes: CallNotes(folder: folder), logger: logger)
    let pipe = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .takingOwnershipOfDescriptors(input: dup(STDIN_FILENO), output: dup(STDOUT_FILENO)) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await pipe.executeThenClose { inbound, outbound in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await message in host.messages {
            guard (try? await outbound.write(ByteBuffer(bytes: message))) != nil else { return }
          }
        }
        await host.serve(inbound.map { Array($0.readableBytesView) })
        await group.waitForAll()
      }
    }
  }
}
