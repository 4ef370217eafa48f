import ModemModel
import ModemService
import PortAPI
import Varlink

extension PortLink: MessageLink {
  var messages: (any MessageLink)? { self }

  func messageUpdates() async throws -> AsyncThrowingStream<MessageUpdate, any Error> {
    let replies = try await VarlinkClient.connect(to: path).stream(PortInterface.WatchMessages.self, .init())
    return AsyncThrowingStream { continuation in
      let relay = Task {
        do {
          for try await reply in replies { if let update = try MessageUpdate(reply) { continuation.yield(update) } }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in relay.cancel() }
    }
  }

  func deleteMessage(at reference: String) async throws {
    _ = try await ask(PortInterface.DeleteMessage.self, .init(reference: reference))
  }
}
