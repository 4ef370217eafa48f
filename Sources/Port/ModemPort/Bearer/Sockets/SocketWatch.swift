import ModemModel

/// Follows the sockets over a port's bearers, for one caller.
actor SocketWatch {
  private let access: any BearerSocketAccess
  private var tally: SocketTally
  private let limit: Int
  /// The bearer whose ends of sockets are followed. It stays when the bearer is down, because its
  /// sockets' owners close them afterwards.
  private var index: Int?
  private var ends: Task<Void, Never>?

  init(_ access: any BearerSocketAccess, limit: Int) {
    self.access = access
    self.limit = limit
    tally = SocketTally(limit: limit)
  }

  deinit { ends?.cancel() }

  /// The next report.
  ///
  /// - Parameter bearer: nil if it is down: then no socket is over it.
  /// - Throws: `ModemError`.
  func report(of bearer: InstalledBearer?) async throws -> BearerSockets {
    guard let bearer else { return tally.report(BearerSocketList()) }
    if index != bearer.interfaceIndex {
      let stream = try await access.endedSockets(over: bearer)
      ends?.cancel()
      index = bearer.interfaceIndex
      ends = Task { [weak self] in
        for await socket in stream { await self?.note(socket) }
      }
    }
    return tally.report(try await access.sockets(over: bearer, limit: limit))
  }

  private func note(_ socket: BearerSockets.Socket) { tally.note(socket) }
}
