import NetworkAddress
import OperatorSimulator

/// Which side of a world a process serves.
public enum ServerRole: String, CaseIterable, Sendable {
  /// The operator, behind the bearer.
  case network = "operator"
  /// The host's other uplink, which owns the same addresses and answers that something leaked.
  case uplink
}

/// The certificates of a world: the same for operator and uplink, so that TLS does not hide a leak.
public struct WorldCertificates: Sendable {
  private let folder: String

  /// - Parameter folder: where the files are, or go.
  public init(in folder: String) { self.folder = folder }

  /// Makes an authority and a certificate for each host.
  func make(for chain: Scenario.Chain) throws {
    let authority = try PrivateAuthority(in: folder, name: "authority")
    for host in [chain.aggregator, chain.signOn] { _ = try authority.issue(for: host.name) }
    _ = try authority.issue(for: "another.example", file: chain.misnamed.name)
  }

  func identity(of host: String) -> ServerIdentity {
    ServerIdentity(certificatePath: "\(folder)/\(host).pem", keyPath: "\(folder)/\(host).key")
  }
}

extension Scenario {
  /// What the servers of one side serve.
  public func servers(_ role: ServerRole, _ certificates: WorldCertificates) -> OperatorConfiguration {
    let hosts = [chain.aggregator, chain.signOn, chain.misnamed].map { host in
      OperatorConfiguration.Host(
        name: host.name, addresses: host.addresses, identity: certificates.identity(of: host.name),
        servesCleartext: role == .uplink)
    }
    let enrichment = OperatorConfiguration.Host(
      name: chain.enrichment.name, addresses: chain.enrichment.addresses, identity: nil, servesCleartext: true)
    var configuration = OperatorConfiguration(
      nameServers: network.dns, names: names(role), hosts: hosts + [enrichment], services: services(role))
    configuration.habits = chain.habits
    return configuration
  }

  private func names(_ role: ServerRole) -> NameTable {
    var entries: [String: NameTable.Entry] = [:]
    for host in chain.hosts { entries[host.name] = .addresses(host.addresses) }
    // The other uplink lies about every name: who asks it goes astray, and is seen.
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

  private func services(_ role: ServerRole) -> [any SimulatedService] {
    if role == .uplink { return [LeakService()] }
    var subscribers: [IPAddress: String] = [:]
    for addresses in [\MobileNetwork.renumbered.addresses, \.addresses] {
      for member in members {
        for address in member.network[keyPath: addresses] { subscribers[address] = member.simInUse.numbers.first }
      }
    }
    let hosts = ChainHosts(
      aggregator: chain.aggregator.name, signOn: chain.signOn.name, enrichment: chain.enrichment.name)
    return [
      CheckChainService(hosts: hosts, subscribers: SubscriberDirectory(subscribers)),
      FaultService(
        host: chain.aggregator.name, misnamedHost: chain.misnamed.name, unknownHost: chain.unknownName),
    ]
  }
}
