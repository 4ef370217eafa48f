import LimitClock
import ModemModel

/// The sockets over the bearer.
extension ModemPort {
  /// How many sockets a list has, and how many callers follow them at one time.
  package static let socketLimit = (sockets: 4096, watchers: 8)

  /// Reports the sockets over the bearer at once, and after each interval, until `take` returns
  /// false.
  ///
  /// - Throws: `ModemError` if the kernel does not list them, or too many callers follow them;
  ///   `CancellationError`.
  package func watchSockets(every interval: Duration, _ take: @Sendable (BearerSockets) -> Bool) async throws {
    let access = try socketAccess()
    guard socketWatchers < Self.socketLimit.watchers else {
      throw ModemError(
        .busy, "\(Self.socketLimit.watchers) callers already follow the sockets over the bearer; wait until one ends")
    }
    socketWatchers += 1
    defer { socketWatchers -= 1 }
    let watch = SocketWatch(access, limit: Self.socketLimit.sockets)
    while take(try await watch.report(of: bearerInKernel)) { try await dependencies.clock.pause(for: interval) }
  }

  /// Destroys a socket over the bearer.
  ///
  /// - Throws: `ModemError` if the kernel does not list the sockets.
  package func endSocket(_ cookie: UInt64) async throws -> SocketEnding {
    guard let bearer = bearerInKernel else { return .unknown }
    return try await socketAccess().endSocket(cookie, over: bearer)
  }

  private var bearerInKernel: InstalledBearer? {
    switch bearer.phase {
    case .up(let installed), .damaged(let installed, _): installed
    case .idle, .comingUp, .breakingOff, .goingDown, .releasing: nil
    }
  }

  private func socketAccess() throws -> any BearerSocketAccess {
    guard let access = dependencies.sockets else {
      throw ModemError(.notSupported, "this port does not look at the machine's sockets")
    }
    return access
  }
}
