import DNSWire
import Glibc
import HTTPExchange
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkAddress
import RedirectChain
import Web

/// A chain inside this machine, over its loopback device, from a client to servers of its own.
///
/// Some work happens when a process first needs it: the runtime looks up conformances and generic
/// types, threads start, and pages of the program load. It would add some milliseconds to the first
/// chain while an operator waits. A rehearsal does this work beforehand. It has its own client,
/// servers, names and keys, and keeps none of them.
struct Rehearsal {
  private static let host = "rehearsal.invalid"
  private static let here = IPAddress.v4(IPv4Address(number: 0x7f00_0001))
  private static let time = Duration.seconds(5)

  let group: any EventLoopGroup
  let options: ChainClient.Options

  /// Walks it once.
  ///
  /// - Throws: the error that keeps this machine from talking to itself. A real chain is then only
  ///   slower by these milliseconds.
  func run(_ onHop: @escaping @Sendable (ChainHop) -> Void) async throws -> ChainResult {
    let contexts = try RehearsalIdentity.contexts()
    let loop = group.next()
    let dns = try await RehearsalServers.names(on: loop, Self.here)
    defer { dns.close(promise: nil) }
    let clear = try await RehearsalServers.hop(on: loop, tls: nil)
    defer { clear.close(promise: nil) }
    let secure = try await RehearsalServers.hop(on: loop, tls: contexts.server)
    defer { secure.close(promise: nil) }
    guard let ports = Ports(dns: dns, clear: clear, secure: secure) else {
      throw BoundHTTPError(.badAddress, "a server of the rehearsal has no port")
    }
    let interface = try BoundInterface(
      name: "lo", index: Int(if_nametoindex("lo")), dnsServers: [Self.here], sources: [Self.here], dnsPort: ports.dns)
    return await chain(ports, contexts.client, over: interface, onHop)
  }

  private struct Ports {
    let dns: Int
    let clear: Int
    let secure: Int

    init?(dns: any Channel, clear: any Channel, secure: any Channel) {
      guard let dns = dns.localAddress?.port, let clear = clear.localAddress?.port,
        let secure = secure.localAddress?.port
      else { return nil }
      (self.dns, self.clear, self.secure) = (dns, clear, secure)
    }
  }

  /// https, then cleartext, then a relative redirect, then the redirect URI.
  private func chain(
    _ ports: Ports, _ tls: TLSClientContext, over interface: BoundInterface,
    _ onHop: @escaping @Sendable (ChainHop) -> Void
  ) async -> ChainResult {
    var options = options
    options.learnsOrigins = false
    options.wallClock = { 0 }
    let quiet = Logger(label: "rehearsal") { _ in SwiftLogNoOpLogHandler() }
    let client = ChainClient(group: group, options: options, logger: quiet, tls: TLSContextBox(tls))
    let clear = "http://\(Self.host):\(ports.clear)"
    var policy = ChainPolicy()
    policy.allowedAddresses = [Self.here]
    policy.totalTime = Self.time
    do {
      let url = try WebURL("https://\(Self.here):\(ports.secure)/to?\(clear)/relative")
      let request = ChainRequest(
        url: url, redirectURI: try RedirectURI("rehearsal:/end"), state: "1",
        headers: [.init(name: "Accept", value: "application/json")], policy: policy)
      return await client.run(request, over: interface, onHop: onHop)
    } catch {
      return .failed(ChainFailure(.badRedirect, "\(error)"))
    }
  }
}

extension ChainClient {
  /// Runs a chain from this machine to itself, so that the first real one need not wait for what a
  /// process sets up only once. It takes some milliseconds, and nothing leaves the machine.
  ///
  /// - Parameter onHop: hears of each hop, as with a real chain.
  /// - Returns: whether the chain reached its end.
  @discardableResult
  package func rehearse(onHop: @escaping @Sendable (ChainHop) -> Void = { _ in }) async -> Bool {
    do {
      let result = try await Rehearsal(group: group, options: options).run(onHop)
      if case .redirectReached = result { return true }
      logger.debug("the rehearsal of a chain failed", metadata: ["result": "\(result)"])
    } catch {
      logger.debug("no rehearsal of a chain", metadata: ["reason": "\(error)"])
    }
    return false
  }
}
