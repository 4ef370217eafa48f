import LimitClock
import Testing

@testable import BrowserBridge

@Suite("The inspector's links and sessions") struct InspectorDoorTests {
  private let start = LimitClock.Instant(.zero)

  @Test func `a link is good once, for its user, for a minute`() throws {
    let door = TestDoor()
    let link = door.newLink(for: 1000, at: start)
    #expect(door.enter(String(repeating: "0", count: 40), 1000, at: start) == nil)
    let session = try #require(door.enter(link, 1000, at: start + .seconds(59)))
    #expect(door.enter(link, 1000, at: start + .seconds(59)) == nil)
    #expect(door.session(session.key, 1000, at: start + .seconds(60)) == session)
    let old = door.newLink(for: 1000, at: start)
    #expect(door.enter(old, 1000, at: start + .seconds(60)) == nil)
  }

  @Test func `another user's browser uses a link up and gets nothing`() {
    let door = TestDoor()
    let link = door.newLink(for: 1000, at: start)
    #expect(door.enter(link, 1001, at: start) == nil)
    #expect(door.enter(link, 1000, at: start) == nil)
  }

  @Test func `a session is its user's, and ends`() throws {
    let door = TestDoor()
    let session = try #require(door.enter(door.newLink(for: 1000, at: start), 1000, at: start))
    #expect(door.session(session.key, 1001, at: start) == nil)
    #expect(door.session(session.form, 1000, at: start) == nil)
    #expect(door.session(session.key, 1000, at: start + .seconds(899)) != nil)
    #expect(door.session(session.key, 1000, at: start + .seconds(900)) == nil)
    door.end(session)
    #expect(door.session(session.key, 1000, at: start) == nil)
  }

  @Test func `a user has four links and sessions, and takes no other user's place`() throws {
    let door = TestDoor()
    let others = try #require(door.enter(door.newLink(for: 7, at: start), 7, at: start))
    let links = (0..<5).map { _ in door.newLink(for: 1000, at: start) }
    #expect(door.enter(links[0], 1000, at: start) == nil)
    let sessions = links.dropFirst().compactMap { door.enter($0, 1000, at: start) }
    #expect(sessions.count == 4)
    let fifth = try #require(door.enter(door.newLink(for: 1000, at: start), 1000, at: start))
    #expect(door.session(sessions[0].key, 1000, at: start) == nil)
    for session in [sessions[1], fifth] { #expect(door.session(session.key, 1000, at: start) == session) }
    #expect(door.session(others.key, 7, at: start) == others)
  }
}

/// A door whose changes can stand within a macro.
private final class TestDoor {
  private var door = InspectorDoor()

  func newLink(for user: UInt32, at now: LimitClock.Instant) -> String { door.newLink(for: user, at: now) }

  func enter(_ token: String, _ user: UInt32, at now: LimitClock.Instant) -> InspectorDoor.Session? {
    door.enter(token, user, at: now)
  }

  func session(_ key: String, _ user: UInt32, at now: LimitClock.Instant) -> InspectorDoor.Session? {
    door.session(key, user, at: now)
  }

  func end(_ session: InspectorDoor.Session) { door.end(session) }
}
