import NIOCore
import NetworkAddress

/// Everything that a simulated network serves: names, web servers and the services behind them.
package struct OperatorConfiguration: Sendable {
  /// Servers of one host, each at every address.
  package struct Host: Sendable {
    package var name: String
    package var addresses: [IPAddress]
    /// Nil for a host that serves only cleartext.
    package var identity: ServerIdentity?
    /// Where https answers, when there is an identity.
    package var securePorts: [Int]
    /// Where http answers.
    package var cleartextPorts: [Int]

    package init(
      name: String, addresses: [IPAddress], identity: ServerIdentity?, securePorts: [Int] = [443],
      cleartextPorts: [Int]
    ) {
      self.name = name
      self.addresses = addresses
      self.identity = identity
      self.securePorts = securePorts
      self.cleartextPorts = cleartextPorts
    }
  }

  package var nameServers: [IPAddress]
  package var names: NameTable
  /// How the name servers answer at the moment.
  package var nameServerBehaviour: @Sendable () -> NameServerBehaviour = { .honest }
  package var hosts: [Host]
  /// How all web servers treat their connections.
  package var connectionBehaviour = ConnectionBehaviour()
  /// Asked in order; the first that answers counts.
  package var services: [any SimulatedService]
  /// Where requests are recorded; nil for nowhere.
  package var log: RequestLog?
  /// The Unix socket for requests that another process forwards; nil for none.
  package var forwardedAt: String?

  package init(nameServers: [IPAddress], names: NameTable, hosts: [Host], services: [any SimulatedService]) {
    self.nameServers = nameServers
    self.names = names
    self.hosts = hosts
    self.services = services
  }
}

/// The running servers of a simulated network. All sockets are in the network namespace in which
/// `start` is called.
package struct Operator: Sendable {
  private let nameServers: [NameServer]
  private let webServers: [WebServer]

  /// Starts every server.
  ///
  /// - Throws: `IOError` if an address or port is not available, `NIOSSLError` for a certificate
  ///   that cannot be read.
  package static func start(_ configuration: OperatorConfiguration, on group: any EventLoopGroup) async throws
    -> Operator
  {
    var nameServers: [NameServer] = []
    for address in configuration.nameServers {
      nameServers.append(
        try await NameServer.start(
          at: address, table: configuration.names, behaviour: configuration.nameServerBehaviour, on: group))
    }
    var webServers: [WebServer] = []
    for host in configuration.hosts {
      let secure = host.identity.map { identity in host.securePorts.map { ($0, ServerIdentity?.some(identity)) } } ?? []
      for (port, identity) in secure + host.cleartextPorts.map({ ($0, nil) }) {
        for address in host.addresses {
          webServers.append(
            try await WebServer.start(
              at: address, port: port, identity: identity, services: configuration.services,
              connectionBehaviour: configuration.connectionBehaviour, log: configuration.log, on: group))
        }
      }
    }
    if let path = configuration.forwardedAt {
      webServers.append(
        try await WebServer.start(forwardedAt: path, services: configuration.services, on: group))
    }
    return Operator(nameServers: nameServers, webServers: webServers)
  }

  package func stop() async {
    for server in nameServers { await server.stop() }
    for server in webServers { await server.stop() }
  }
}
