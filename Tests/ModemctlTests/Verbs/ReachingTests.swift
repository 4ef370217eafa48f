import Glibc
import ModemAPI
import Testing
import Varlink

@testable import ModemctlCommands

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
