/// The control port vanishes and returns by itself.
extension SimulatedModem {
  /// The link to the control port: now, and after each change; nil without a port. It reports what
  /// udev would.
  package func linkChanges() -> AsyncStream<String?> {
    let (stream, continuation) = AsyncStream.makeStream(of: String?.self)
    let state = state
    let id = state.withLock { state -> Int in
      defer { state.nextWatcher += 1 }
      state.linkWatchers[state.nextWatcher] = continuation
      continuation.yield(state.port == nil ? nil : state.link)
      return state.nextWatcher
    }
    continuation.onTermination = { _ in _ = state.withLock { $0.linkWatchers.removeValue(forKey: id) } }
    return stream
  }

  /// Takes the control port away, and brings it back under a link of another name: the same modem
  /// in another place.
  package func move(after delay: Duration = .milliseconds(300)) {
    unplug()
    Self.plugIn(state, after: delay, elsewhere: true)
  }

  static func announceLink(_ link: String?, _ state: Guarded<State>) {
    for watcher in state.withLock({ $0.linkWatchers.values }) { watcher.yield(link) }
  }

  /// Brings the port back later.
  /// - Parameter elsewhere: under the last link's name and a number that was not used before.
  static func plugIn(_ state: Guarded<State>, after delay: Duration, elsewhere: Bool) {
    let link = state.withLock { state -> String? in
      guard elsewhere, let link = state.link else { return state.link }
      let first =
        state.moves > 0 && link.hasSuffix("-\(state.moves)") ? "\(link.dropLast("-\(state.moves)".count))" : link
      state.moves += 1
      return "\(first)-\(state.moves)"
    }
    Task {
      try? await Task.sleep(for: delay)
      // It may have been plugged in meanwhile. A machine without terminals leaves the modem
      // unplugged.
      _ = try? plugIn(state, link: link)
    }
  }
}
