import AuthCore
import HTTPTestSupport
import Testing
import Web

@testable import HostHTTP

@Suite("Connections that are opened for a call to come", .serialized, .timeLimit(.minutes(1)))
struct ReadyConnectionTests {
  @Test("The next call of the user takes it, even while it is being opened, and nothing is asked before")
  func taken() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let url = try WebURL("https://localhost:\(server.port)")
    world.client.makeReady(url, for: 1000)
    world.client.makeReady(url, for: 1000)
    for method in [.post, .get] as [WebRequest.Method] {
      let call = try HostWorld.call("https://localhost:\(server.port)", method: method, body: nil)
      #expect(try await world.client.send(call, for: 1000).get().status == 200)
    }
    #expect(server.requests.map(\.connection) == [1, 1] && server.connections == 1)
    // One waits already.
    world.client.makeReady(url, for: 1000)
    #expect(server.connections == 1 && world.client.keptConnections == 1)
    await server.stop()
  }

  @Test("It is nobody else's")
  func users() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    world.client.makeReady(try WebURL("https://localhost:\(server.port)"), for: 1000)
    for _ in 0..<1000 where world.client.keptConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(world.client.keptConnections == 1 && server.requests.isEmpty)
    let call = try HostWorld.call("https://localhost:\(server.port)")
    for user in [1001, nil] as [UInt32?] { _ = try await world.client.send(call, for: user).get() }
    #expect(server.requests.map(\.connection) == [2, 3])
    _ = try await world.client.send(call, for: 1000).get()
    #expect(server.requests.map(\.connection) == [2, 3, 1])
    await server.stop()
  }

  @Test("Cleartext, and what no call may reach, are left alone")
  func refused() async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start { _ in TestServer.json("{}") }
    world.client.makeReady(try WebURL("http://localhost:\(server.port)"), for: 1000)
    world.client.makeReady(try WebURL("https://printer.local:\(server.port)"), for: 1000)
    _ = try await world.client.send(try HostWorld.call("http://localhost:\(server.port)"), for: 1000).get()
    #expect(server.connections == 1 && world.client.keptConnections == 0)
    await server.stop()
  }

  @Test("A server that does not prove itself is left to the call, which tells why")
  func failing() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer(.stranger) { _ in TestServer.json("{}") }
    let url = try WebURL("https://localhost:\(server.port)")
    world.client.makeReady(url, for: 1000)
    let result = try await world.client.send(WebRequest("ask", .get, url), for: 1000)
    #expect(throws: WebFailure.self) { try result.get() }
    #expect(world.client.keptConnections == 0 && server.requests.isEmpty)
    await server.stop()
  }

  @Test("A client that is retired keeps none")
  func retired() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    world.client.retire()
    world.client.makeReady(try WebURL("https://localhost:\(server.port)"), for: 1000)
    #expect(world.client.keptConnections == 0 && server.requests.isEmpty)
    await server.stop()
  }

  @Test("Four of one user are opened at a time, sixteen in all, and one for each origin")
  func limits() throws {
    let openings = OpeningConnections()
    func key(_ user: UInt32, _ host: Int) throws -> OpeningConnections.Key {
      .init(userID: user, origin: try WebURL("https://h\(host).example").origin, isConfigured: true)
    }
    for user in 1...5 as ClosedRange<UInt32> {
      for host in 0..<6 {
        #expect(try openings.begin(key(user, host)) == (user < 5 && host < 4), "user \(user), host \(host)")
      }
    }
    openings.end(try key(1, 0))
    #expect(try !openings.begin(key(2, 5)))
    #expect(try openings.begin(key(5, 0)))
  }
}
