import EventLoopTasks
import NIOConcurrencyHelpers
import NIOCore
import RedirectChain
import Web

/// Connections that are opened before a chain comes to their origins. Nothing is requested over
/// them: TCP and TLS alone are made ready.
///
/// It runs on one event loop, together with its sockets and with the chain that uses them.
actor ConnectionsAhead {
  /// What became of them.
  struct Tally: Hashable, Sendable {
    var used = 0
    var unused = 0
    var failed = 0
    /// What the unused ones moved.
    var unusedBytes = 0
  }

  private struct Contents {
    var tasks: [WebURL.Origin: Task<Connection, any Error>] = [:]
    var opened: [WebURL.Origin: Connection] = [:]
    /// Those that a chain has come to.
    var claimed: Set<WebURL.Origin> = []
    var used: Set<WebURL.Origin> = []
    var ready = 0
  }

  nonisolated let opener: OriginOpener
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private nonisolated let isWatched: Bool
  private nonisolated let contents = NIOLockedValueBox(Contents())

  /// - Parameter isWatched: whether somebody asks for what they cost.
  init(_ opener: OriginOpener, isWatched: Bool = false) {
    self.opener = opener
    self.isWatched = isWatched
    executor = opener.scope.loop.executor
  }

  /// Opens a connection to each origin that has none yet.
  nonisolated func open(_ urls: [WebURL]) {
    contents.withLockedValue { contents in
      let executor = LoopExecutor(opener.scope.loop)
      for url in urls where contents.tasks[url.origin] == nil && !contents.claimed.contains(url.origin) {
        contents.tasks[url.origin] = Task(executorPreference: executor) { try await self.connect(url) }
      }
    }
  }

  /// The connection to an origin; nil if none was opened, or somebody has claimed it before.
  nonisolated func claim(_ origin: WebURL.Origin) -> Task<Connection, any Error>? {
    contents.withLockedValue { contents in
      // A chain that opens its own connection needs none ahead any more.
      guard contents.claimed.insert(origin).inserted else { return nil }
      return contents.tasks[origin]
    }
  }

  /// A request goes over the connection to an origin.
  nonisolated func noteUse(of origin: WebURL.Origin) { contents.withLockedValue { _ = $0.used.insert(origin) } }

  /// Closes what nobody claimed in the regular way. Call it on the loop.
  nonisolated func dismissUnused() {
    let unused = contents.withLockedValue { contents in
      contents.opened.filter { !contents.claimed.contains($0.key) }
    }
    for (origin, connection) in unused where connection.handler.isIdle {
      // Half a handshake has no farewell.
      guard origin.scheme == .http || connection.handler.handshakeDone != nil else { continue }
      opener.scope.dismiss(connection.channel)
    }
  }

  /// How many are ready to carry a request, once all are or have failed.
  ///
  /// - Parameter limit: how long that may take at most.
  nonisolated func ready(within limit: TimeAmount) async -> Int {
    let loop = opener.scope.loop
    let settled = loop.makePromise(of: Void.self)
    let timer = loop.scheduleTask(in: limit) { settled.succeed() }
    let tasks = contents.withLockedValue(\.tasks.values)
    let all = Task {
      for task in tasks { try? await task.value.watch?.ready.get() }
      settled.succeed()
    }
    await withTaskCancellationHandler {
      try? await settled.futureResult.get()
    } onCancel: {
      settled.succeed()
    }
    timer.cancel()
    all.cancel()
    return contents.withLockedValue(\.ready)
  }

  /// What became of all of them. It waits for what is on its way, so call it when the scope has
  /// ended.
  nonisolated func tally() async -> Tally {
    let (tasks, used) = contents.withLockedValue { ($0.tasks, $0.used) }
    var tally = Tally()
    for (origin, task) in tasks {
      switch await task.result {
      case .success where used.contains(origin): tally.used += 1
      case .success(let connection):
        tally.unused += 1
        tally.unusedBytes += connection.watch?.bytes ?? 0
      // Nobody came for it in time.
      case .failure(let error) where error is ChainScope.Ended: tally.unused += 1
      case .failure: tally.failed += 1
      }
    }
    return tally
  }

  private func connect(_ url: WebURL) async throws -> Connection {
    let start = NIODeadline.now()
    var unseen = ChainHop(ChainMachine.Hop(index: 0, url: url))
    let addresses = try await opener.addresses(of: url, start, &unseen)
    var connection = try await opener.connect(to: url, addresses, preferring: nil, isWatched: isWatched)
    connection.candidates = unseen.addresses
    contents.withLockedValue { $0.opened[url.origin] = connection }
    connection.watch?.ready.whenSuccess { [contents] in contents.withLockedValue { $0.ready += 1 } }
    return connection
  }
}
