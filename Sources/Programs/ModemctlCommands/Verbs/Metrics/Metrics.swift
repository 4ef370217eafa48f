import ArgumentParser
import Glibc
import LimitClock
import MetricsAPI
import ModemctlCore
import Varlink

/// `modemctl metrics`
struct Metrics: Verb {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "modemd's figures, as text that collectors read.",
    discussion: """
      Prints OpenMetrics text, from the socket metrics.http beside modemd's own. With --json: the list of \
      io.systemd.Metrics, from the socket metrics. With --socket, the socket that it names. Root and members of the \
      group modemd-metrics may read the figures; modemd's documentation, metrics.md, explains each.
      """)

  @Flag(help: "Print Prometheus' older text form, which node_exporter's textfile collector reads.")
  var prometheus = false

  @OptionGroup var common: CommonOptions

  /// The document that `--json` gives.
  struct Document: Encodable {
    var metrics: [MetricsInterface.List.Reply]
  }

  func validate() throws {
    guard !prometheus || !common.json else { throw ValidationError("--prometheus and --json are two forms; name one") }
  }

  func run(in session: Session) async throws -> ExitStatus {
    let path = socket(session)
    do {
      if common.json {
        try session.console.write(JSONText.line(Document(metrics: try await list(at: path, session.clock))))
      } else {
        try session.console.write(try MetricsPage.fetch(from: path, prometheus: prometheus, clock: session.clock))
      }
      return .done
    } catch let error as VarlinkError where error.name == VarlinkError.permissionDenied.name {
      throw Self.denied
    } catch VarlinkClientError.unreachable(_, EACCES), VarlinkClientError.unreachable(_, EPERM) {
      throw Self.denied
    } catch let error as VarlinkError where error.parameters(as: MetricsInterface.NoSuchMetric.self) != nil {
      throw ModemctlError(.failed, "modemd has no figures")
    } catch VarlinkClientError.unreachable(_, let number) {
      let reason = number == ENOENT ? "there is no \(path)" : "nobody listens at \(path)"
      throw ModemctlError(
        .unreachable,
        "modemd tells no figures, \(reason); `systemctl restart modemd` starts its sockets too, or name the socket with --socket"
      )
    }
  }

  static let denied = ModemctlError(
    .denied,
    "you may not read modemd's figures, which tell what other users do; join the group with `sudo adduser $USER modemd-metrics` and log in again, or use sudo"
  )

  /// Beside modemd's own socket, unless it is named.
  private func socket(_ session: Session) -> String {
    if let named = common.socket { return named }
    let own = session.socket
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    return folder + (common.json ? "metrics" : "metrics.http")
  }

  /// More than modemd has: another service at the path does not fill memory.
  private static let most = 10_000

  private func list(at path: String, _ clock: LimitClock) async throws -> [MetricsInterface.List.Reply] {
    try await withThrowingTaskGroup(of: [MetricsInterface.List.Reply].self) { group in
      group.addTask {
        let client = try await VarlinkClient.connect(to: path, clock: clock)
        var all: [MetricsInterface.List.Reply] = []
        for try await reply in client.stream(MetricsInterface.List.self, .init()) {
          all.append(reply)
          guard all.count <= Self.most else {
            throw ModemctlError(.failed, "the service at \(path) has more figures than modemd can have")
          }
        }
        return all
      }
      group.addTask {
        try await clock.pause(for: .answer)
        throw MetricsPage.late
      }
      defer { group.cancelAll() }
      guard let all = try await group.next() else { throw VarlinkClientError.disconnected }
      return all
    }
  }
}
