import NIOCore
import NetworkAddress

/// Everything that a simulated network serves: names, web servers and the services behind them.
public struct OperatorConfiguration: Sendable {
  /// Servers of one host, each at every address.
  public struct Host: Sendable {
    public var name: String
    public var addresses: [IPAddress]
    /// Nil for a host that serves only cleartext.
    public var identity: ServerIdentity?
    /// Where https answers, when there is an identity.
    public var securePorts: [Int]
    /// Where http answers.
    public var cleartextPorts: [Int]

    public init(
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

  public var nameServers: [IPAddress]
  public var names: NameTable
  /// How the name servers answer at the moment.
  public var mood: @Sendable () -> NameServerMood = { .honest }
  public var hosts: [Host]
  /// How all web servers treat their connections.
  public var habits = ServerHabits()
  /// Asked in order; the first that answers counts.
  public var services: [any SimulatedService]
  /// Where requests are noted; nil for nowhere.
  public var log: RequestLog?
  /// The Unix socket at which requests come that another process forwards; nil for none.
  public var forwardedAt: String?

  public init(nameServers: [IPAddress], names: NameTable, hosts: [Host], services: [any SimulatedService]) {
    self.nameServers = nameServers
    self.names = names
    self.hosts = hosts
    self.services = services
  }
}

/// A simulated network's servers, while they run. All sockets are of the network namespace that `start` is called in.
public struct Operator: Sendable {
  private let nameServers: [NameServer]
  private let webServers: [WebServer]

  /// Starts every server.
  ///
  /// - Throws: `IOError` when an address or port cannot be had, `NIOSSLError` for a certificate that cannot be read.
  public static func start(_ configuration: OperatorConfiguration, on group: any EventLoopGroup) async throws
    -> Operator
  {
    var nameServers: [NameServer] = []
    for address in configuration.nameServers {
      nameServers.append(
        try await NameServer.start(at: address, table: configuration.names, mood: configuration.mood, on: group))
    }
    var webServers: [WebServer] = []
    for host in configuration.hosts {
      let secure = host.identity.map { identity in host.securePorts.map { ($0, ServerIdentity?.some(identity)) } } ?? []
      for (port, identity) in secure + host.cleartextPorts.map({ ($0, nil) }) {
        for address in host.addresses {
          webServers.append(
            try await WebServer.start(
              at: address, port: port, identity: identity, services: configuration.services,
              habits: configuration.habits, log: configuration.log, on: group))
        }
      }
    }
    if let path = configuration.forwardedAt {
      webServers.append(
        try await WebServer.start(forwardedAt: path, services: configuration.services, on: group))
    }
    return Operator(nameServers: nameServers, webServers: webServers)
  }

  public func stop() async {
    for server in nameServers { await server.stop() }
    for server in webServers { await server.stop() }
  }
}
