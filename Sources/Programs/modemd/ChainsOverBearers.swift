import BearerStreams
import BoundHTTP
import ModemAPIServer
import ModemModel
import ModemService
import RedirectChain
import Web

extension ChainClient {
  /// Follows the bearers. Chains on a lost bearer end, and no name or origin learned over it is
  /// used on the next.
  func follow(_ bearers: AsyncStream<BearerNews>) async {
    var isRehearsed = false
    for await news in bearers {
      switch news {
      case .comingUp:
        guard !isRehearsed else { continue }
        isRehearsed = true
        // While the modem does its part. Nobody waits for it, and a service without chains uses no
        // memory for it.
        Task { await rehearse { CheckRehearsal.run([$0]) } }
      case .up: readTrustAhead()
      case .lost(let loss):
        if let index = Int32(exactly: loss.bearer.interfaceIndex) { bearerLost(interface: index, loss.reason) }
      }
    }
  }

  /// Follows a chain over an installed bearer.
  func run(
    _ request: ChainRequest, over bearer: InstalledBearer, onBytes: ByteReport?,
    onHop: @escaping @Sendable (ChainHop) -> Void
  ) async -> ChainResult {
    do {
      return await run(request, over: try BoundInterface(bearer), onHop: onHop, onBytes: onBytes)
    } catch {
      return .failed(ChainFailure(.bearerLost, "\(error)"))
    }
  }

  /// Makes connections ready for an expected chain over an installed bearer.
  func warm(_ chain: ExpectedChain, over bearer: InstalledBearer, onBytes: ByteReport?) -> ReadyCount? {
    guard let interface = try? BoundInterface(bearer) else { return nil }
    return warm(chain, over: interface, onBytes: onBytes)
  }

  /// Resolves the names that a chain from a URL will probably need, all at once.
  func prepare(
    _ url: WebURL, learns: Bool?, for owner: ChainRequest.Owner, over bearer: InstalledBearer, onBytes: ByteReport?
  ) async -> [CheckService.PreparedName] {
    guard let interface = try? BoundInterface(bearer) else { return [] }
    let hosts = likelyHosts(from: url, learns: learns, for: owner, over: interface)
    return await withTaskGroup(of: (Int, Bool).self) { group in
      for (position, host) in hosts.enumerated() {
        group.addTask { (position, await self.prepare(host: host, for: owner, over: interface, onBytes: onBytes)) }
      }
      var found = hosts.map { CheckService.PreparedName(host: $0, isResolved: false) }
      for await (position, isResolved) in group {
        found[position] = .init(host: hosts[position], isResolved: isResolved)
      }
      return found
    }
  }
}
