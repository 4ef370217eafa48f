import ModemAPI
import ModemAPIClient
import Synchronization

/// Notes what programs that watch a world's modem are told.
final class EventRecorder: Sendable {
  private let world: World
  private let noted = Mutex<[String]>([])
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(_ world: World) { self.world = world }

  /// Begins to watch; what happens after the return is noted.
  func start() async throws {
    let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
    let client = try await ModemAPIClient.connect(to: world.folder.socket)
    let modems = Task { [self] in
      do {
        for try await reply in client.stream(ModemInterface.Watch.self, .init()) {
          if reply.change == .ready { isReady.yield() }
          if let fault = reply.modem?.fault { note("fault: \(fault.cause)") }
          if reply.change == .removed { note("the modem is gone") }
        }
      } catch {}
    }
    let bearerClient = try await ModemAPIClient.connect(to: world.folder.socket)
    let bearers = Task { [self] in
      do {
        for try await reply in bearerClient.stream(BearerInterface.Watch.self, .init()) {
          if reply.event == .ready {
            isReady.yield()
          } else if let cause = reply.bearer.cause, [.down, .failed].contains(reply.bearer.state) {
            note("bearer \(reply.bearer.state.rawValue): \(cause.text)")
          }
        }
      } catch {}
    }
    tasks.withLock { $0 = [modems, bearers] }
    var count = 0
    for await _ in ready {
      count += 1
      if count == 2 { break }
    }
  }

  func stop() {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  /// What was told, each sentence once.
  var words: [String] { noted.withLock { $0 } }

  /// Waits until something was told; at most 20 seconds.
  func waitForEvent() async {
    let deadline = ContinuousClock.now + .seconds(20)
    while words.isEmpty, ContinuousClock.now < deadline { try? await Task.sleep(for: .milliseconds(2)) }
  }

  private func note(_ text: String) {
    let text = world.shortened(text)
    noted.withLock { if !$0.contains(text) { $0.append(text) } }
  }
}

extension World {
  /// Without the folder's name, which differs from run to run.
  nonisolated func shortened(_ text: String) -> String {
    var text = text[...]
    var result = ""
    let place = "\(folder.path)/"
    while let found = text.firstRange(of: place) {
      result += text[..<found.lowerBound]
      text = text[found.upperBound...]
    }
    return result + text
  }

  /// The socket of the port that is served.
  package var portSocket: String { folder.file("ports/\(portName)") }

  /// Plugs the modem in again, where its port was last.
  package func plugIn() throws {
    try modem.plugIn(link: servedLink ?? devicePath)
  }

  /// What is held once nothing has changed for three seconds: modemd waits for up to one before it connects to a port again.
  package func quiet() async throws -> Remains {
    var last = try await remains()
    var same = 0
    while same < 150 {
      try await Task.sleep(for: .milliseconds(20))
      let next = try await remains()
      same = next == last ? same + 1 : 0
      last = next
    }
    return last
  }
}
