import ArgumentParser
import Glibc
import ModemctlCore
import Varlink
import WebAPI

/// `modemctl web open`
struct WebOpen: Verb {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "A link to a page that shows modems, bearers and checks as they change.",
    discussion: """
      The link is good once, for a minute, and in the browser of one user. It is opened where there is a display. Only \
      root, and the users in modemd-web's setting inspectors, may have one. The page changes nothing.
      """)

  @Option(help: ArgumentHelp("User id of the browser; below sudo, that of who called sudo.", valueName: "uid"))
  var user: Int?

  @Option(help: ArgumentHelp("modemd-web's socket.", valueName: "path"))
  var control = "/run/modemd-web/control"

  @Flag(help: "Print the link alone, also where there is a display.")
  var print = false

  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await link(session)
    try session.show(reply) { reply.url + "\n" }
    // A browser of another user cannot use the link, and root's own should not run.
    if !print, !common.json, geteuid() != 0, reply.user == Int(geteuid()) { open(reply.url, session) }
    return .done
  }

  private func link(_ session: Session) async throws -> WebInterface.Open.Reply {
    let caller = geteuid() == 0 ? session.console.variable("SUDO_UID").flatMap { Int($0) } : nil
    do {
      let client = try await VarlinkClient.connect(to: control, clock: session.clock)
      return try await client.call(WebInterface.Open.self, .init(user: user ?? caller))
    } catch VarlinkClientError.unreachable {
      throw ModemctlError(.unreachable, "modemd-web does not run; look at `systemctl status modemd-web`")
    } catch let error as VarlinkError {
      if let invalid = error.parameters(as: WebInterface.InvalidUser.self) {
        throw ModemctlError(.usage, invalid.reason)
      }
      guard error.name == VarlinkError.permissionDenied.name else { throw error }
      throw ModemctlError(
        .denied, "only root, and the users in inspectors of /etc/modemd/web.json, may open the inspector")
    }
  }

  /// Leaves a browser behind, if there is a display and a program for it.
  private func open(_ url: String, _ session: Session) {
    guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { session.console.variable($0)?.isEmpty == false }),
      let program = BoundedCommand.find("xdg-open")
    else { return }
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(url), nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    guard posix_spawn(&process, program, nil, nil, &arguments, environ) == 0 else {
      return session.complain("no browser can be started; open the link yourself")
    }
  }
}
