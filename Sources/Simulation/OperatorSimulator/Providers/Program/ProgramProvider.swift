import NIOPosix

/// A host whose server is a program that somebody runs in the world, as an app's own server. The
/// world ends TLS for it, as a reverse proxy does, and passes each request on to its Unix socket.
///
///     { "kind": "program", "socket": "app-server" }
package struct ProgramProvider: SimulatedProvider {
  package static let kind = "program"
  package static let hosts = ["server": ProviderHost("app.example", ["203.0.113.180", "2001:db8:180::20"])]
  package static let known = ["socket"]

  private let host: String
  private let socket: String

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    host = hosts.name("server")
    let isName = { (text: String) in
      !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
    }
    socket =
      try fields.text("socket", "a file name of small letters, digits and hyphens", { isName($0) ? $0 : nil })
      ?? "program"
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    guard let folder = environment.folder else { return [] }
    return [
      ForwardingService(hosts: [host], to: "\(folder)/\(socket)", on: MultiThreadedEventLoopGroup.singleton)
    ]
  }
}
