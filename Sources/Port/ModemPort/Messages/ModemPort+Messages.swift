import JournalLog
import ModemModel

/// The modem's short messages: read once the SIM is ready, and updated by the modem's events.
extension ModemPort {
  /// All present messages, then every change until the reader leaves.
  package func messageUpdates() -> AsyncStream<MessageUpdate> {
    let (id, updates) = store.watch()
    return AsyncStream { continuation in
      let relay = Task {
        for await update in updates { continuation.yield(update) }
        continuation.finish()
      }
      continuation.onTermination = { [weak self] _ in
        relay.cancel()
        Task { await self?.forgetMessageWatcher(id) }
      }
    }
  }

  private func forgetMessageWatcher(_ id: UInt64) { store.forget(id) }

  /// Deletes a message from the modem's store, or from the port's memory.
  ///
  /// - Throws: `ModemError`.
  package func deleteMessage(at reference: String) async throws {
    if let message = store.message(at: reference), !message.isStored {
      store.remove(reference)
      return
    }
    let backend = try messageBackend()
    try await backend.deleteMessage(at: reference)
    store.remove(reference)
    if let isFull = try? await backend.isMessageStoreFull() { store.setFull(isFull) }
  }

  private func messageBackend() throws -> any MessageBackend {
    guard let backend = try openBackend() as? any MessageBackend else { throw Self.noMessages }
    return backend
  }

  private static var noMessages: ModemError { ModemError(.notSupported, "this modem's messages cannot be read") }

  // MARK: While the control port is open

  /// Follows the messages of an open backend until the task is cancelled.
  func followMessages(of backend: any ModemBackend) -> Task<Void, Never> {
    Task {
      guard let backend = backend as? any MessageBackend else {
        store.clear(because: Self.noMessages.message)
        return
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.loadWithEachSIM(from: backend) }
        group.addTask {
          for await event in backend.messageEvents { await self.handle(event, from: backend) }
        }
      }
    }
  }

  /// The control port is closed: known messages stay.
  func leaveMessages() {
    store.becomeUnavailable(because: "the control port \(configuration.device) is not open")
  }

  private func loadWithEachSIM(from backend: any MessageBackend) async {
    var loaded: ICCID??
    for await state in changes() {
      guard state.sim.state == .ready else {
        // Messages belong to the SIM's owner. They stay while a modem only starts or is asked
        // again.
        switch state.sim.state {
        case .unknown: continue
        case .absent: store.clear(because: "there is no SIM in the modem")
        default: store.becomeUnavailable(because: "the SIM is not ready (\(state.sim.state.rawValue))")
        }
        loaded = nil
        continue
      }
      guard loaded != .some(state.sim.iccid) else { continue }
      if let last = messageOwner, let present = state.sim.iccid, last != present {
        store.clear(because: "the SIM was replaced")
      }
      messageOwner = state.sim.iccid ?? messageOwner
      if await load(from: backend) { loaded = .some(state.sim.iccid) }
    }
  }

  private func handle(_ event: MessageEvent, from backend: any MessageBackend) async {
    switch event {
    case .storeChanged:
      if state.sim.state == .ready { _ = await load(from: backend) }
    case .stored(let reference):
      do {
        guard var message = try await backend.message(at: reference) else { return }
        message.received = dependencies.now()
        store.add(message)
      } catch {
        logger.warning("a new message could not be read: \(error)")
        _ = await load(from: backend)
      }
    case .passedOn(var message):
      message.received = dependencies.now()
      store.add(message)
    case .storeFull:
      logger.event(
        .messageStoreFull, level: .warning,
        "the store of short messages is full; delete some with `modemctl sms delete`")
      store.setFull(true)
    }
  }

  /// Reads the whole store, and again after a pause if that fails for now.
  ///
  /// - Returns: whether it was read, or can never be read.
  private func load(from backend: any MessageBackend) async -> Bool {
    for pause in [Duration.seconds(2), .seconds(5), .seconds(15), nil] {
      do {
        try await backend.startMessages()
        let isFull = (try? await backend.isMessageStoreFull()) ?? false
        while true {
          let before = store.arrivals
          let stored = try await backend.messages()
          // A message that arrived while the store was read may be missing from the answer.
          guard store.arrivals == before else { continue }
          store.load(stored, isFull: isFull, at: dependencies.now())
          return true
        }
      } catch let error as ModemError {
        store.becomeUnavailable(because: error.description)
        switch error.code {
        case .notSupported:
          logger.notice("short messages are not available: \(error)")
          return true
        case .removed, .deviceUnavailable, .cancelled: return false
        // The modem reports when it is ready.
        case .simNotReady where pause == nil: return true
        default: logger.warning("short messages could not be read: \(error)")
        }
      } catch {
        store.becomeUnavailable(because: "\(error)")
      }
      guard let pause, (try? await dependencies.waitForRetry(pause)) != nil else { break }
    }
    return true
  }
}
