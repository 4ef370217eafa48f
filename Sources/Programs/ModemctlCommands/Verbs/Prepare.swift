import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl prepare`
struct Prepare: Verb {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Bring the bearer up, resolve names and connect, before a check needs it.",
    discussion: """
      Prepares the URL's host, and the hosts that earlier chains from there went through. Nothing is \
      requested. The next check from there uses the connections within 20 seconds, or they close.
      """)

  @Argument(help: "The URL that will be opened; must be https. Without it, only the bearer is brought up.")
  var url: String?

  @Flag(help: "Prepare only the URL's host.")
  var noLearn = false

  @OptionGroup var tracing: TraceOption
  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(
      CheckInterface.Prepare.self,
      .init(url: url, modem: choice.modem, learn: noLearn ? false : nil, traceparent: tracing.traceparent),
      within: .network)
    try session.show(reply) {
      Details(groups: [
        Details.Group(
          "Ready",
          [
            ("Modem", reply.modem), ("Address", reply.source),
            ("Resolved", reply.resolved.isEmpty ? nil : reply.resolved.joined(separator: " ")),
            ("Connections", reply.connected.map(String.init)),
            ("Milliseconds", ShownTime.milliseconds(reply.milliseconds)),
          ])
      ]).render(session.paint)
    }
    guard !reply.unresolved.isEmpty else { return .done }
    session.complain("the bearer's DNS servers have no address for \(reply.unresolved.joined(separator: ", "))")
    return .chainFailed
  }
}
