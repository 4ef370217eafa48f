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

/// A chain that is walked on this machine alone, over its loopback device, from a client to servers of its own.
///
/// What a process makes when it first needs it (conformances and generic types that the runtime looks up, threads, pages
/// of the program) took a chain some milliseconds, all of them while an operator waits. A rehearsal takes them
/// beforehand. Nothing of it is kept: client, servers, names and keys are its own.
struct Rehearsal {
  private static let host = "rehearsal.invalid"
  private static let here = IPAddress.v4(IPv4Address(number: 0x7f00_0001))
  private static let time = Duration.seconds(5)

  let group: any EventLoopGroup
  let options: ChainClient.Options

  /// Walks it once.
  ///
  /// - Throws: whatever keeps this machine from talking to itself; a real chain is slower then by its milliseconds, and
  ///   nothing else.
  func run() async throws -> ChainResult {
    let contexts = try RehearsalKey.contexts()
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
    return await chain(ports, contexts.client, over: interface)
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
  private func chain(_ ports: Ports, _ tls: TLSClientContext, over interface: BoundInterface) async -> ChainResult {
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
      // By its address: there is no certificate that could hold a name.
      let url = try WebURL("https://\(Self.here):\(ports.secure)/to?\(clear)/relative")
      let request = ChainRequest(
        url: url, redirectURI: try RedirectURI("rehearsal:/end"), state: "1",
        headers: [.init(name: "Accept", value: "application/json")], policy: policy)
      return await client.run(request, over: interface)
    } catch {
      return .failed(ChainFailure(.badRedirect, "\(error)"))
    }
  }
}

extension ChainClient {
  /// Walks a chain from this machine to itself, so that the first real one need not wait for what a process makes only
  /// once. It takes some milliseconds, and nothing leaves the machine.
  ///
  /// - Returns: whether it came to its end.
  @discardableResult
  public func rehearse() async -> Bool {
    do {
      let result = try await Rehearsal(group: group, options: options).run()
      if case .redirectReached = result { return true }
      logger.debug("the rehearsal of a chain failed", metadata: ["result": "\(result)"])
    } catch {
      logger.debug("no rehearsal of a chain", metadata: ["reason": "\(error)"])
    }
    return false
  }
}
