import ModemAPI
import ModemctlCore
import Varlink

/// Calls of org.modemd.Messages, which has its own groups.
extension Session {
  func callMessages<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, within limit: Duration
  ) async throws -> Method.Reply {
    do {
      return try await call(method, parameters, within: limit)
    } catch let error as VarlinkError where error.name == VarlinkError.permissionDenied.name {
      throw Self.denied
    }
  }

  func messageStream<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> AsyncThrowingStream<Method.Reply, any Error> {
    let replies = try await connect().stream(method, parameters)
    return AsyncThrowingStream { continuation in
      let relay = Task {
        do {
          for try await reply in replies { continuation.yield(reply) }
          continuation.finish()
        } catch let error as VarlinkError where error.name == VarlinkError.permissionDenied.name {
          continuation.finish(throwing: Self.denied)
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in relay.cancel() }
    }
  }

  private static let denied = ModemctlError(
    .denied,
    "you may not read messages; use sudo, or be in a group that modemd's setting access.messageGroups names (by default "
      + "there is none)")
}
