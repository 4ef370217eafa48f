import LimitClock
import ModemModel
import ModemService
import PortAPI
import Varlink

/// The sockets over one port's bearer.
extension PortLink {
  func watchSockets(every interval: Duration) -> AsyncThrowingStream<BearerSockets, any Error> {
    // A report that nobody has read yet must not be lost: it may name an end.
    AsyncThrowingStream { continuation in
      let relay = Task {
        do {
          let milliseconds = Int(clamping: interval.saturatedMilliseconds)
          let replies = try await VarlinkClient.connect(to: path).stream(
            PortInterface.WatchSockets.self, .init(intervalMilliseconds: min(max(milliseconds, 100), 60_000)))
          for try await reply in replies { continuation.yield(try BearerSockets(reply)) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: failure(error))
        }
      }
      continuation.onTermination = { _ in relay.cancel() }
    }
  }

  func endSocket(cookie: UInt64) async throws {
    do {
      let client = try await VarlinkClient.connect(to: path)
      _ = try await client.call(PortInterface.EndSocket.self, .init(cookie: cookie.cookieDigits))
    } catch let error as VarlinkError where error.parameters(as: PortInterface.NoSuchSocket.self) != nil {
      return
    } catch let error as VarlinkError {
      if let stays = error.parameters(as: PortInterface.SocketNotEnded.self) {
        throw ModemError(.notSupported, stays.text)
      }
      throw failure(error)
    } catch {
      throw failure(error)
    }
  }
}
