import ModemModel
import ModemService
@_spi(Exchange) import RedirectChain
import Synchronization

/// Chains that end when the test says so, and that tell how they began.
final class ChainScript: Sendable {
  private struct Contents {
    var running: [String: CheckedContinuation<Void, Never>] = [:]
    var cancelled: [String] = []
  }

  /// Hosts of the chains that began, in their order.
  let began: AsyncStream<String>
  /// Hosts of the chains whose caller left.
  let left: AsyncStream<String>
  private let beginning: AsyncStream<String>.Continuation
  private let leaving: AsyncStream<String>.Continuation
  private let contents = Mutex(Contents())

  init() {
    (began, beginning) = AsyncStream.makeStream(of: String.self)
    (left, leaving) = AsyncStream.makeStream(of: String.self)
  }

  /// Lets the chain of a host end with an answer.
  func end(_ host: String) { contents.withLock { $0.running.removeValue(forKey: host) }?.resume() }

  func run(_ request: ChainRequest) async -> ChainResult {
    let host = request.url.host
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = contents.withLock { contents in
          guard !contents.cancelled.contains(host) else { return true }
          contents.running[host] = continuation
          return false
        }
        if isCancelled { continuation.resume() }
        beginning.yield(host)
      }
    } onCancel: {
      contents.withLock { contents in
        contents.cancelled.append(host)
        return contents.running.removeValue(forKey: host)
      }?.resume()
      leaving.yield(host)
    }
    return .answer(ChainAnswer(status: 200, contentType: nil, body: []))
  }
}
