import NIOCore
import NetworkAddress
import OperatorSimulator

/// The side of a world that a process serves.
package enum ServerRole: String, CaseIterable, Sendable {
  /// The operator, behind the bearer.
  case network = "operator"
  /// The host's other uplink, which owns the same addresses and reports a leak in every answer.
  case uplink
  /// The host itself, if a provider has its own program on it.
  case host
}

/// The certificates of a world: the same for operator and uplink, so that TLS does not hide a leak.
package struct WorldCertificates: Sendable {
  private let folder: String

  /// - Parameter folder: where the files are, or go.
  package init(in folder: String) { self.folder = folder }

  /// Makes an authority and a certificate for each host with TLS.
  func make(for scenario: Scenario) throws {
    let chain = scenario.chain
    let authority = try PrivateAuthority(in: folder, name: "authority")
    let ofProviders = scenario.providerHosts.filter { !$0.securePorts.isEmpty }.map(\.name)
    for host in [chain.aggregator.name, chain.signOn.name] + ofProviders { _ = try authority.issue(for: host) }
    _ = try authority.issue(for: "another.example", file: chain.misnamed.name)
  }

  func identity(of host: String) -> ServerIdentity {
    ServerIdentity(certificatePath: "\(folder)/\(host).pem", keyPath: "\(folder)/\(host).key")
  }
}

extension Scenario {
  /// What the servers of one side serve.
  ///
  /// - Parameters:
  ///   - folder: the world's: its certificates, and the files and sockets with which its processes
  ///     communicate.
  ///   - group: for connections from a server of one side to the other side.
  package func servers(_ role: ServerRole, _ folder: WorldFolder, on group: any EventLoopGroup) -> OperatorConfiguration
  {
    let certificates = WorldCertificates(in: folder.file("certificates"))
    let ofProviders = providerHosts.filter { ($0.ways == .local) == (role == .host) }.map { host in
      OperatorConfiguration.Host(
        name: host.name, addresses: host.addresses,
        identity: host.securePorts.isEmpty ? nil : certificates.identity(of: host.name),
        securePorts: host.securePorts, cleartextPorts: host.cleartextPorts)
    }
    let hosts = role == .host ? [] : chainHosts(role, certificates)
    var configuration = OperatorConfiguration(
      nameServers: role == .host ? [] : network.dns, names: names(role), hosts: hosts + ofProviders, services: [])
    configuration.connectionBehaviour = chain.connectionBehaviour
    configuration.log = RequestLog(at: folder.requests(role), side: role.rawValue)
    let forwarded = providerHosts.filter { $0.ways == (role == .host ? .local : .both) }.map(\.name)
    let forwarding = ForwardingService(hosts: Set(forwarded), to: folder.forwarding, on: group)
    switch role {
    case .network:
      configuration.nameServerBehaviour = { folder.nameServerBehaviour }
      configuration.services = chainServices + providerServices(folder)
      configuration.forwardedAt = providers.isEmpty ? nil : folder.forwarding
    case .uplink: configuration.services = [forwarding, LeakService()]
    case .host: configuration.services = [forwarding]
    }
    return configuration
  }

  private func chainHosts(_ role: ServerRole, _ certificates: WorldCertificates) -> [OperatorConfiguration.Host] {
    let hosts = [chain.aggregator, chain.signOn, chain.misnamed].map { host in
      OperatorConfiguration.Host(
        name: host.name, addresses: host.addresses, identity: certificates.identity(of: host.name),
        cleartextPorts: role == .uplink ? [80] : [])
    }
    let enrichment = OperatorConfiguration.Host(
      name: chain.enrichment.name, addresses: chain.enrichment.addresses, identity: nil, cleartextPorts: [80])
    return hosts + [enrichment]
  }

  private func names(_ role: ServerRole) -> NameTable {
    var entries: [String: NameTable.Entry] = [:]
    for host in chain.hosts { entries[host.name] = .addresses(host.addresses) }
    // `localhost` is never answered; other names may lead to loopback.
    for host in providerHosts where host.name != "localhost" { entries[host.name] = .addresses(host.addresses) }
    // The other uplink gives wrong addresses for every name, so that its users are noticed.
    if role == .uplink { return NameTable(entries, otherwise: chain.aggregator.addresses) }
    for (name, fault) in chain.nameFaults {
      switch fault {
      case .unknown: entries[name] = nil
      case .failure: entries[name] = .failure
      case .silence: entries[name] = .silence
      }
    }
    return NameTable(entries)
  }

  /// The numbers of the SIMs in use, by each address that their bearers may get.
  var numbersByAddress: [IPAddress: String] {
    var numbers: [IPAddress: String] = [:]
    // Own addresses come last: if networks are so close that another one's further sessions overlap
    // them, the own ones count.
    for addresses in [\Scenario.bearerAddresses, \.network.addresses] {
      for member in members {
        for address in member[keyPath: addresses] { numbers[address] = member.simInUse.numbers.first }
      }
    }
    return numbers
  }

  private var chainServices: [any SimulatedService] {
    let hosts = ChainHosts(
      aggregator: chain.aggregator.name, signOn: chain.signOn.name, enrichment: chain.enrichment.name)
    return [
      CheckChainService(hosts: hosts, subscribers: SubscriberDirectory(numbersByAddress)),
      FaultService(
        host: chain.aggregator.name, misnamedHost: chain.misnamed.name, unknownHost: chain.unknownName),
    ]
  }
}
