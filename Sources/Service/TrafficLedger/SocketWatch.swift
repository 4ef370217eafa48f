import DetachedThread
import ModemModel
import ModemService

/// What concerns sockets that were handed over.
enum DescriptorNews: Sendable {
  /// A modem has one more.
  case opened(modem: String)
  /// One must end.
  case end(modem: String, cookie: UInt64)
}

extension TrafficLedger {
  /// How often a port reports its sockets while there are any: a budget is passed by what goes
  /// through a socket meanwhile.
  private static let interval = Duration.seconds(1)
  /// A socket that this number of reports in a row does not have is closed. The first may have been
  /// made before it was opened.
  private static let missedReports = 2
  /// How often what was counted is written to the disk.
  private static let settleInterval = Duration.seconds(10)
  /// Longer journals end in a whole file.
  private static let journalLimit = 1 << 18

  /// Follows modems and sockets, and keeps the files, until the task is cancelled.
  package func run(_ registry: ModemRegistry) async {
    let changes = registry.watch()
    for modem in registry.modems { see(modem) }
    let (news, reader) = AsyncStream.makeStream(of: DescriptorNews.self)
    let early = change { state in
      state.descriptorNews = reader
      return Set(state.accounts.values.filter { $0.cookie != nil }.map(\.request.modem))
    }
    for modem in early { reader.yield(.opened(modem: modem)) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await change in changes { self.see(change) } }
      group.addTask {
        await Self.onThread { self.keep() }
        await self.keepFiles()
      }
      group.addTask { await self.follow(news, registry) }
    }
    await Self.onThread {
      self.settle()
      self.keep()
    }
  }

  /// Runs what waits for the disk on a thread of its own.
  private static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let isStarted = DetachedThread.start {
        body()
        continuation.resume()
      }
      if !isStarted {
        body()
        continuation.resume()
      }
    }
  }

  private func see(_ change: ModemRegistry.Change) {
    if case .removed(let modem) = change {
      self.change { state in
        state.upBearers.remove(modem.id)
        state.roamingModems.remove(modem.id)
      }
    } else {
      see(change.modem)
    }
  }

  /// A modem's state: whether it is roaming, and since when its bearer is up.
  func see(_ modem: ModemState) {
    change { state in
      // What a partner's network costs is not known here.
      if modem.registration.state == .roaming || modem.registration.state == .partner {
        state.roamingModems.insert(modem.id)
      } else {
        state.roamingModems.remove(modem.id)
      }
      guard modem.bearer.state.installed != nil, modem.fault == nil else {
        state.upBearers.remove(modem.id)
        return
      }
      state.upBearers.insert(modem.id)
      guard state.book.begin(bearerOf: modem.id, since: modem.bearer.since) else { return }
      files?.append([.bearer(modem: modem.id, since: modem.bearer.since)])
    }
  }

  private func keepFiles() async {
    while (try? await means.clock.pause(for: Self.settleInterval)) != nil {
      await Self.onThread {
        self.settle()
        if let files = self.files, files.journalBytes > Self.journalLimit { self.keep() }
      }
    }
  }

  // MARK: - Sockets that were handed over

  private func follow(_ news: AsyncStream<DescriptorNews>, _ registry: ModemRegistry) async {
    var watches: [String: Task<Void, Never>] = [:]
    for await one in news {
      switch one {
      case .opened(let modem):
        // One that ends now looks once more for itself.
        let last = watches[modem]
        watches[modem] = Task {
          await last?.value
          await self.watchSockets(of: modem, registry)
        }
      case .end(let modem, let cookie):
        Task { try? await registry.find(modem).link.endSocket(cookie: cookie) }
      }
    }
    for watch in watches.values { watch.cancel() }
  }

  /// Takes a port's reports as long as there are sockets over its bearer.
  private func watchSockets(of modem: String, _ registry: ModemRegistry) async {
    while hasSockets(modem), !Task.isCancelled {
      guard let link = try? registry.find(modem).link else { return forgetSockets(of: modem) }
      do {
        for try await report in link.watchSockets(every: Self.interval) {
          take(report, of: modem)
          if !hasSockets(modem) { return }
        }
      } catch {
        // The port's next process reports the same sockets.
      }
      try? await means.clock.pause(for: Self.interval)
    }
  }

  private func hasSockets(_ modem: String) -> Bool {
    change { state in state.accounts.values.contains { $0.cookie != nil && $0.request.modem == modem } }
  }

  /// The modem is gone, and its sockets with it.
  private func forgetSockets(of modem: String) {
    change { state in
      for (id, account) in state.accounts where account.cookie != nil && account.request.modem == modem {
        close(id, &state)
      }
    }
  }

  /// What the kernel counted.
  func take(_ report: BearerSockets, of modem: String) {
    let open = Dictionary(report.open.map { ($0.cookie, $0) }) { first, _ in first }
    let ended = Dictionary(report.ended.map { ($0.cookie, $0) }) { first, _ in first }
    change { state in
      roll(&state)
      for (id, account) in state.accounts where account.request.modem == modem {
        guard let cookie = account.cookie else { continue }
        if let socket = open[cookie] ?? ended[cookie], let sent = socket.sent, let received = socket.received {
          note(sent, received, id, &state)
        }
        state.accounts[id]?.misses = open[cookie] == nil ? account.misses + 1 : 0
        if ended[cookie] != nil || account.misses + 1 >= Self.missedReports && open[cookie] == nil {
          close(id, &state)
        }
      }
    }
  }
}
