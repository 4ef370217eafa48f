import ArgumentParser
import FleetAPI
import Glibc
import ModemctlCore
import Varlink

/// `modemctl fleet status`
struct FleetStatus: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "The connection to the broker, what waits, and which commands were refused.",
    discussion: "Root and members of the group modemd-fleet may ask. The status is 6 while there is no connection.")

  @OptionGroup var control: FleetControl
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ModemctlCore.ExitStatus {
    let reply = try await control.status(session)
    try session.show(reply) { FleetText.details(reply, now: session.console.now()).render(session.paint) }
    return reply.connection.state == .connected ? .done : .notReady
  }
}

/// modemd-fleet's own socket.
struct FleetControl: ParsableArguments {
  @Option(help: ArgumentHelp("modemd-fleet's socket.", valueName: "path"))
  var control = "/run/modemd-fleet/org.modemd.Fleet"

  /// - Throws: `ModemctlError` if modemd-fleet does not run, or does not answer this user.
  func status(_ session: Session) async throws -> FleetInterface.Status.Reply {
    do {
      return try await withThrowingTaskGroup(of: FleetInterface.Status.Reply.self) { group in
        group.addTask {
          try await VarlinkClient.connect(to: control, clock: session.clock)
            .call(FleetInterface.Status.self, .init())
        }
        group.addTask {
          try await session.clock.pause(for: .answer)
          throw ModemctlError(
            .unreachable, "modemd-fleet gave no answer within 10 seconds; look at `journalctl -u modemd-fleet`")
        }
        defer { group.cancelAll() }
        guard let reply = try await group.next() else { throw VarlinkClientError.disconnected }
        return reply
      }
    } catch VarlinkClientError.unreachable(_, EACCES), VarlinkClientError.unreachable(_, EPERM) {
      throw Self.denied
    } catch is VarlinkClientError {
      throw ModemctlError(
        .unreachable,
        "modemd-fleet does not run; `modemctl fleet join` sets it up, and `systemctl status modemd-fleet` tells why it "
          + "ended")
    } catch let error as VarlinkError where error.name == VarlinkError.permissionDenied.name {
      throw Self.denied
    }
  }

  private static let denied = ModemctlError(
    .denied, "only root and members of the group modemd-fleet may ask modemd-fleet; use sudo")
}
