import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing
import Varlink

@Suite("A door", .timeLimit(.minutes(1)))
struct DoorTests {
  /// Sends each connection the user that its socket's finder named, and keeps it.
  private final class Greeter: DoorReception {
    private var kept: [CInt] = []

    func receive(_ arrivals: [Arrival]) {
      for arrival in arrivals {
        let bytes = Array("\(arrival.peer.userID)\0".utf8)
        #expect(send(arrival.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        kept.append(arrival.descriptor)
      }
    }

    func closeAll() {
      for descriptor in kept { close(descriptor) }
      kept = []
    }

    deinit { closeAll() }
  }

  private static let greeting = Array("\(geteuid())".utf8)

  @Test("It accepts at each of its sockets by the socket's own rule, until it is closed")
  func sockets() async throws {
    let folder = try ScratchFolder()
    let (own, other) = ("\(folder.path)/own", "\(folder.path)/other")
    let passed = try ListeningSocket.open(.path(other, mode: 0o600))
    let asked = Mutex(0)
    let door = try await Self.open(
      .path(own, mode: 0o600),
      others: [
        Door.Socket(passed) { _ in
          // The first one has no peer, and is closed.
          let number = asked.withLock { asked in
            asked += 1
            return asked
          }
          return number == 1 ? nil : Peer(processID: getpid(), userID: 4711, groupIDs: [])
        }
      ])
    let first = try RawClient(to: own)
    #expect(try await first.receiveFrame() == Self.greeting)
    #expect(try await RawClient(to: other).receiveFrame() == nil)
    let second = try RawClient(to: other)
    #expect(try await second.receiveFrame() == Array("4711".utf8))
    await door.close()
    #expect(try await first.receiveFrame() == nil)
    #expect(try await second.receiveFrame() == nil)
    #expect(access(own, F_OK) != 0 && access(other, F_OK) == 0)
    #expect(throws: RawClient.Failure.self) { try RawClient(to: other) }
  }

  @Test("Where its path is taken, nothing is opened and nothing removed")
  func taken() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/socket"
    let first = try await Self.open(.path(path, mode: 0o600))
    await #expect(throws: VarlinkListenError.self) { try await Self.open(.path(path, mode: 0o600)) }
    #expect(try await RawClient(to: path).receiveFrame() == Self.greeting)
    await first.close()
  }

  private static func open(
    _ endpoint: VarlinkEndpoint, others: [Door<Greeter>.Socket] = []
  ) async throws -> Door<Greeter> {
    try await Door.open(
      endpoint, others: others, batchSize: 4, on: MultiThreadedEventLoopGroup.singleton.next(), logger: .quiet
    ) { Greeter() }
  }
}
