import ArgumentParser
import ModemAPI
import ModemctlCore

/// `modemctl resolve`
struct Resolve: Verb {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Look up a name over the bearer, by the bearer's DNS servers alone.",
    discussion: """
      Brings the bearer up if it is down. Neither /etc/hosts nor this machine's resolver is asked. Only root may, \
      unless access.table in modemd.json names org.modemd.Bearer.Resolve.
      """)

  @Argument(help: "A host name, or an address.")
  var name: String

  @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Ask for IPv4 addresses only.")
  var isIPv4Only = false

  @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Ask for IPv6 addresses only.")
  var isIPv6Only = false

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !isIPv4Only || !isIPv6Only else { throw ValidationError("-4 and -6 exclude each other") }
  }

  func run(in session: Session) async throws -> ExitStatus {
    let reply = try await session.call(
      BearerInterface.Resolve.self,
      .init(modem: choice.modem, name: name, family: isIPv4Only ? .ipv4 : isIPv6Only ? .ipv6 : nil), within: .network)
    try session.show(reply) { Self.text(reply) }
    return .done
  }

  /// As `resolvectl query` shows it: an address a line, then where they are from.
  private static func text(_ reply: BearerInterface.Resolve.Reply) -> String {
    var text = ""
    for (index, address) in reply.addresses.enumerated() {
      let start = index == 0 ? "\(reply.name): " : String(repeating: " ", count: reply.name.count + 2)
      let notes =
        ["link: \(reply.interface)"] + (address.translated ? ["NAT64"] : [])
        + (address.refused.map { ["not reached: \($0)"] } ?? [])
      text += "\(start)\(address.address) -- \(notes.joined(separator: ", "))\n"
    }
    let source = reply.servers.map { "by \($0.joined(separator: ", "))" } ?? "without asking a server"
    text += "\n-- Resolved over \(reply.interface) \(source) in \(reply.milliseconds) ms.\n"
    if let prefix = reply.translationPrefix {
      text += "-- The network reaches IPv4 addresses under \(prefix) (NAT64).\n"
    }
    return text
  }
}
