import Glibc
import ModemAPI
import Testing
import Varlink

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("Reaching modemd", .timeLimit(.minutes(1)))
struct ReachingTests {
  @Test("A daemon that does not run is one sentence that says what to do", arguments: ["list", "watch", "connect"])
  func notRunning(verb: String) async {
    let run = await RecordingConsole.run(verb, "--socket", "/nonexistent/modemd")
    #expect(run.status == .unreachable && run.output == "")
    #expect(
      run.messages
        == "modemctl: modemd does not run, there is no /nonexistent/modemd; start it with `systemctl start modemd`, "
        + "or name its socket with --socket\n")
  }

  @Test("--socket comes before MODEMD_SOCKET, and that before the usual place")
  func socket() async {
    let named = await RecordingConsole.run("list", "--socket", "/a/b", variables: ["MODEMD_SOCKET": "/c/d"])
    #expect(named.messages.contains(" /a/b;"))
    let variable = await RecordingConsole.run("list", variables: ["MODEMD_SOCKET": "/c/d"])
    #expect(variable.messages.contains(" /c/d;"))
    for variables in [[:], ["MODEMD_SOCKET": ""]] {
      let session = Session(
        options: CommonOptions(), console: RecordingConsole().console(variables: variables))
      #expect(session.console.variable("MODEMD_SOCKET") ?? "" == "")
    }
  }

  @Test(
    "Each error has its exit status and a sentence",
    arguments: [
      (VarlinkClientError.unreachable(path: "/s", errno: EACCES), .denied, "sudo adduser $USER modemd"),
      (VarlinkClientError.unreachable(path: "/s", errno: EPERM), .denied, "sudo adduser $USER modemd"),
      (VarlinkClientError.unreachable(path: "/s", errno: ECONNREFUSED), .unreachable, "nobody answers at /s"),
      (VarlinkClientError.unreachable(path: "/s", errno: ENOENT), .unreachable, "systemctl start modemd"),
      (VarlinkClientError.disconnected, .unreachable, "journalctl"),
      (VarlinkClientError.badReply(method: "a.b.C"), .failed, "same version"),
      (VarlinkError.permissionDenied, .denied, "sudo adduser $USER modemd"),
      (VarlinkError.methodNotFound("a.b.C"), .failed, "has no a.b.C"),
      (VarlinkError.interfaceNotFound("a.b"), .failed, "has no a.b"),
      (VarlinkError.invalidParameter("apn"), .usage, "apn"),
      (VarlinkError(ModemInterface.NoModem(hint: "plug one in")), .noModem, "plug one in"),
      (VarlinkError(ModemInterface.MoreThanOneModem(modems: ["a", "b"])), .noModem, "name one of a, b"),
      (VarlinkError(ModemInterface.NoSuchModem(modem: "x")), .noModem, "no modem is named x"),
      (VarlinkError(ModemInterface.PortUnavailable(cause: "it stopped")), .modemFailed, "it stopped"),
      (VarlinkError(ModemInterface.WrongPIN()), .notReady, "refused the PIN"),
      (VarlinkError(ModemInterface.WrongPIN(retriesLeft: 1)), .notReady, "; 1 attempt left"),
      (VarlinkError(ModemInterface.PINNotRequired(state: "ready")), .notReady, "ready"),
      (VarlinkError(ModemInterface.ModemFailed(operation: "o", cause: "no answer")), .modemFailed, "no answer"),
      (VarlinkError(BearerInterface.NotReady(reason: .simLocked, text: "locked")), .notReady, "modemctl unlock"),
      (VarlinkError(BearerInterface.NotReady(reason: .notRegistered, text: "no network")), .notReady, "no network"),
      (VarlinkError(BearerInterface.Refused(code: 33, text: "not subscribed")), .notReady, "(cause 33)"),
      (VarlinkError(BearerInterface.NoAddress(text: "none")), .notReady, "none"),
      (VarlinkError(BearerInterface.InUse(flows: 1)), .notReady, "1 flow uses"),
      (VarlinkError(BearerInterface.InUse(flows: 2)), .notReady, "2 flows use"),
      (VarlinkError(CheckInterface.InvalidURL(reason: "no host")), .usage, "no host"),
      (VarlinkError(CheckInterface.InvalidOption(option: "headers", expected: "x")), .usage, "headers: expected x"),
      (VarlinkError(CheckInterface.TooManyFlows(limit: 4, retryAfterMilliseconds: 9)), .chainFailed, "4 flows"),
    ] as [(any Error & Sendable, Ending, String)])
  func errors(error: any Error & Sendable, status: Ending, fragment: String) {
    let explained = ModemctlError(explaining: error, socket: "/s")
    #expect(explained.status == status)
    #expect(explained.message.contains(fragment), "\(explained.message)")
    #expect(!explained.message.contains("\n") && !explained.message.hasSuffix("."))
  }

  @Test(
    "What to do is said once",
    arguments: [
      (
        VarlinkError(
          BearerInterface.NotReady(
            reason: .simLocked, text: "the SIM waits for its PIN; enter it with `modemctl unlock`")),
        "the SIM waits for its PIN; enter it with `modemctl unlock`"
      ),
      (
        VarlinkError(BearerInterface.NotReady(reason: .simLocked, text: "connect: the SIM is locked")),
        "connect: the SIM is locked; enter the PIN with `modemctl unlock`"
      ),
      (
        VarlinkError(
          ModemInterface.PortUnavailable(
            cause: "the port modem-1 stopped; look at `systemctl status 'modemd-port@*'`")),
        "the port modem-1 stopped; look at `systemctl status 'modemd-port@*'`"
      ),
      (
        VarlinkError(CheckInterface.TooManyFlows(limit: 4, retryAfterMilliseconds: 3000)),
        "4 flows wait for their turn already; try again in 3 s"
      ),
    ])
  func adviceOnce(error: VarlinkError, sentence: String) {
    #expect(ModemctlError(explaining: error, socket: "/s").message == sentence)
  }

  @Test(
    "A wait is told in whole seconds, and once",
    arguments: [
      ("the operator is busy", "the operator is busy; ask again in 3 s (dnsFailed)"),
      ("the operator is busy; try again in 3 s", "the operator is busy; try again in 3 s (dnsFailed)"),
    ])
  func waits(text: String, sentence: String) throws {
    let failure = CheckInterface.Failure(cause: .dnsFailed, text: text, retryAfterMilliseconds: 3000)
    #expect(OutcomeText.failed(failure).message == sentence)
  }

  @Test(
    "Times are told without fractions of a second",
    arguments: [
      ("2026-11-22T00:00:00.123Z", "2026-11-22T00:00:00Z"), ("2026-11-22T00:00:00Z", "2026-11-22T00:00:00Z"),
      ("yesterday", "yesterday"), ("", ""), ("1.x5Z", "1.x5Z"), (".", "."),
    ])
  func times(wire: String, shown: String) {
    #expect(ShownTime.text(wire) == shown)
  }

  @Test("Help names every exit status and every verb, on standard output", arguments: [["--help"], ["help"], []])
  func help(arguments: [String]) async {
    let recorder = RecordingConsole()
    #expect(await Modemctl.run(arguments, on: recorder.console()) == 0)
    #expect(recorder.messages == "")
    for status in Ending.allCases { #expect(recorder.output.contains("  \(status.rawValue)  ")) }
    for verb in ["list", "status", "connect", "disconnect", "open", "watch", "unlock"] {
      #expect(recorder.output.contains("\n  \(verb) "))
    }
  }
}
