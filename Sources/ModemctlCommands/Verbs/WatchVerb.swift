import ArgumentParser
import Glibc
import ModemAPI
import Varlink

struct WatchVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Changes of modems as they happen, until interrupted.")

  @Argument(help: "Id, device or interface; without it every modem.")
  var modem: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    // An interrupted watch is no failure; nothing is to be cleaned up.
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    try await Session.run(common) { session in
      let masking = Masking(reveals: common.reveal)
      for try await reply in session.client.stream(ModemInterface.Watch.self, .init(modem: modem)) {
        if common.json {
          Terminal.print(
            JSONOutput.line(ModemInterface.Watch.Reply(change: reply.change, modem: reply.modem.map(masking.modem))))
        } else if let modem = reply.modem {
          Terminal.print(Self.line(reply.change, masking.modem(modem)))
        } else {
          Terminal.complain("watching; end it with Ctrl-C")
        }
      }
      throw VarlinkClientError.disconnected
    }
  }

  static func line(_ change: ModemInterface.Watch.Reply.Change, _ modem: ModemInterface.Modem) -> String {
    let network = modem.registration.serving.map { " \(ModemText.name($0))" } ?? ""
    let signal = modem.registration.rssi.map { " \($0) dBm" } ?? ""
    let state =
      modem.fault.map { "fault: \($0.cause)" }
      ?? "sim \(modem.sim.state.rawValue), \(modem.registration.state.rawValue)\(network)\(signal)"
    return "\(change.rawValue) \(modem.id): \(state)"
  }
}
