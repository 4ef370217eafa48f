import ArgumentParser
import ModemAPI
import ModemctlCore
import Varlink

/// `modemctl watch`
struct Watch: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show modems and bearers, then each change, until interrupted.")

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    var log = WatchLog(reveals: common.reveal)
    let (events, feed) = AsyncThrowingStream.makeStream(of: WatchLog.Event.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { await Self.forwardModems(session, choice.modem, to: feed) }
      for try await event in events {
        // The present state is read when the stream is ready, so that no change is missed.
        if case .ready = event { for modem in try await presentModems(session) { feed.yield(.modem(.present, modem)) } }
        if let id = log.newBearer(in: event) {
          group.addTask { await Self.forwardBearer(of: id, session, to: feed) }
        }
        guard let entry = log.entry(for: event) else { continue }
        try session.showNext(entry) { "\(session.console.time())  \(entry.text)\n" }
      }
    }
    throw VarlinkClientError.disconnected
  }

  private func presentModems(_ session: Session) async throws -> [ModemInterface.Modem] {
    if let modem = choice.modem {
      return [try await session.call(ModemInterface.Get.self, .init(modem: modem), within: .answer).modem]
    }
    return try await session.call(ModemInterface.List.self, .init(), within: .answer).modems
  }

  private typealias Feed = AsyncThrowingStream<WatchLog.Event, any Error>.Continuation

  private static func forwardModems(_ session: Session, _ modem: String?, to feed: Feed) async {
    do {
      for try await reply in try await session.connect().stream(ModemInterface.Watch.self, .init(modem: modem)) {
        feed.yield(reply.modem.map { .modem(.init(reply.change), $0) } ?? .ready)
      }
      feed.finish(throwing: VarlinkClientError.disconnected)
    } catch {
      feed.finish(throwing: error)
    }
  }

  private static func forwardBearer(of modem: String, _ session: Session, to feed: Feed) async {
    do {
      for try await reply in try await session.connect().stream(BearerInterface.Watch.self, .init(modem: modem)) {
        feed.yield(.bearer(reply.bearer))
      }
      feed.finish(throwing: VarlinkClientError.disconnected)
    } catch is VarlinkError {
      // The modem vanished before its bearer could be watched.
      feed.yield(.bearerUnwatched(modem: modem))
    } catch {
      feed.finish(throwing: error)
    }
  }
}
