import ClockTestSupport
import Glibc
import HTTPTestSupport
import Testing

@testable import BrowserBridge

@Suite("Whose browsers are answered", .timeLimit(.minutes(1)))
struct AllowedUsersTests {
  @Test func `root, the users that are named, and the members of the groups that are named`() async throws {
    let daemon = try #require(getpwnam("daemon")).pointee
    let (user, group) = (daemon.pw_uid, daemon.pw_gid)
    let strange: UInt32 = 61_004
    let nobody = AllowedUsers(users: [], groups: [])
    for (other, isAllowed) in [(0, true), (user, false), (strange, false)] {
      #expect(await nobody.allows(other) == isAllowed)
    }
    let named = AllowedUsers(users: [strange], groups: [])
    for (other, isAllowed) in [(0, true), (user, false), (strange, true)] {
      #expect(await named.allows(other) == isAllowed)
    }
    let members = AllowedUsers(users: [], groups: [group])
    for (other, isAllowed) in [(0, true), (user, true), (strange, false)] {
      #expect(await members.allows(other) == isAllowed)
    }
    #expect(await AllowedUsers(users: [], groups: [group &+ 61_000]).allows(user) == false)
  }

  @Test func `connections over IPv6 have their users too`() async throws {
    try await BridgeWorld.run { world in
      let port = world.browser.port
      // The second is an IPv4 connection of an IPv6 socket, and its name is not this server's.
      for (host, status) in [("[::1]", 404), ("[::ffff:127.0.0.1]", 421), ("127.0.0.1", 404)] {
        let script =
          "curl -s -m 30 -g -o /dev/null -w '%{http_code}' 'http://\(host):\(port)/nothing' | grep -qx \(status)"
        let end = try await TestBrowser.blocking { TestProcess.run(script) }
        #expect(end == 0, "\(host)")
      }
    }
  }
}
