/// The kernel's sockets over a bearer. Calls throw `ModemError`.
package protocol BearerSocketAccess: Sendable {
  /// The sockets over a bearer now, those of modemd's user.
  ///
  /// - Parameter limit: how many are listed at most.
  func sockets(over bearer: InstalledBearer, limit: Int) async throws -> BearerSocketList

  /// The TCP sockets over a bearer that end from now on, with their last numbers. Some may be
  /// missing: the kernel does not wait for a slow reader.
  func endedSockets(over bearer: InstalledBearer) async throws -> AsyncStream<BearerSockets.Socket>

  /// Destroys a socket over a bearer; a socket elsewhere is unknown.
  func endSocket(_ cookie: UInt64, over bearer: InstalledBearer) async throws -> SocketEnding
}

/// Sockets over a bearer at one moment.
package struct BearerSocketList: Hashable, Sendable {
  package var sockets: [BearerSockets.Socket]
  /// How many more there are.
  package var unlisted: Int

  package init(sockets: [BearerSockets.Socket] = [], unlisted: Int = 0) {
    self.sockets = sockets
    self.unlisted = unlisted
  }
}

/// What became of a socket that was to be ended.
package enum SocketEnding: Hashable, Sendable {
  case ended
  /// There is none over this bearer.
  case unknown
  /// It lives on; why, in one sentence.
  case refused(String)
}
