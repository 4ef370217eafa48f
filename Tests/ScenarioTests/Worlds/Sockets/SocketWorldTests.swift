import Glibc
import ModemAPI
import ModemAPIClient
import NIOCore
import Testing

@testable import ScenarioRunner

/// Sockets, streams and names over the bearer, for a program that is none of modemd's.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct SocketWorldTests {
  private static let page = "the operator's page"

  @Test(arguments: ["ipv4", "ipv6"])
  func `a descriptor and a stream reach the network of the bearer alone`(family: String) async throws {
    try await SocketUser.with(SocketUser.scenario(#"{ "ipType": "\#(family)" }"#)) { user in
      for (method, kind) in ["OpenSocket", "OpenStream"].flatMap({ [($0, "fetch"), ($0, "half")] }) {
        let run = try await user.call(method, user.destination, kind)
        #expect(run.output.contains(Self.page) && run.output.contains("END"), "\(method) \(kind): \(run)")
        #expect(run.output.contains(#""interface": "wwan0""#))
      }
      let resolved = try await user.call("Resolve", #"{"name":"\#(user.name)"}"#)
      let address = #""address": "\#(family == "ipv4" ? "198.51.100." : "2001:db8:")"#
      #expect(resolved.output.contains(address), "\(resolved)")
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test func `the client for Swift takes a descriptor and a stream`() async throws {
    try await SocketUser.with { user in
      let client = try await user.world.client()
      let taken = try await client.takeDescriptor(
        by: BearerInterface.OpenSocket.self, .init(host: user.name, port: 8080), within: .seconds(30))
      #expect(taken.reply.interface == "wwan0" && taken.reply.address != nil)
      #expect(try Self.fetch(over: taken.descriptor.number).contains(Self.page))
      let opened = try await client.upgrade(
        by: BearerInterface.OpenStream.self, .init(host: user.name, port: 8080), within: .seconds(30))
      try await opened.stream.write(ByteBuffer(string: Self.request))
      var text = ""
      while let bytes = try await opened.stream.read() { text += String(buffer: bytes) }
      #expect(opened.reply.interface == "wwan0" && text.contains(Self.page))
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  private static let request = "GET /index.html HTTP/1.0\r\n\r\n"

  /// What a server answers over a socket that blocks; it answers at once.
  private static func fetch(over descriptor: CInt) throws -> String {
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    #expect(send(descriptor, request, request.utf8.count, CInt(MSG_NOSIGNAL)) == request.utf8.count)
    var (text, buffer) = ("", [UInt8](repeating: 0, count: 65_536))
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
      text += String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    return text
  }

  @Test func `who is not in the table gets nothing, and datagrams have an entry of their own`() async throws {
    try await SocketUser.with { user in
      let denied = "org.varlink.service.PermissionDenied"
      for (method, parameters) in [
        ("OpenSocket", user.destination), ("OpenStream", user.destination), ("Resolve", #"{"name":"a.example"}"#),
      ] {
        let run = try await user.call(method, parameters, as: .first)
        #expect(run.output.contains(denied) && run.end == .exited(3), "\(method): \(run)")
      }
      let datagram = try await user.call("OpenSocket", #"{"kind":"datagram"}"#)
      #expect(datagram.output.contains(denied), "\(datagram)")
    }
    try await SocketUser.with(SocketUser.scenario(datagrams: true)) { user in
      let datagram = try await user.call("OpenSocket", #"{"kind":"datagram"}"#)
      #expect(datagram.output.contains("socketFileDescriptor") && datagram.end == .exited(0), "\(datagram)")
    }
  }

  @Test func `names and addresses of this machine are refused with their reason`() async throws {
    try await SocketUser.with { user in
      _ = try await user.world.perform("names own.example=192.0.2.2,127.0.0.1,::1")
      for method in ["OpenSocket", "OpenStream"] {
        let run = try await user.call(method, #"{"host":"own.example","port":22}"#)
        #expect(run.output.contains("refusedAddress"), "\(method): \(run)")
      }
      let resolved = try await user.call("Resolve", #"{"name":"own.example"}"#)
      #expect(resolved.output.contains(#""refused": "it is "#), "\(resolved)")
      #expect(!resolved.output.contains(#""refused": null"#), "\(resolved)")
      for parameters in [
        #"{"host":"a.example"}"#, #"{"port":80}"#, #"{"host":"a.example","port":0}"#,
        #"{"host":"a.example","port":80,"timeoutMilliseconds":0}"#,
      ] {
        let run = try await user.call("OpenSocket", parameters)
        #expect(run.output.contains("InvalidParameter"), "\(parameters): \(run)")
      }
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  static let losses: [(String, String?)] = [
    ("empty-tables", nil), ("drop-bearer 36", nil), ("renumber", nil), ("remove-interface", "restore-interface"),
  ]

  @Test(arguments: ["OpenStream", "OpenSocket"])
  func `what is open ends with its bearer, and counts as a use of it before`(method: String) async throws {
    try await SocketUser.with { user in
      for (verb, repair) in Self.losses {
        let running = try await user.world.begin(user.words(method, user.destination, "fetch", "/drip"))
        #expect(try await user.world.eventually { running.output().contains("drip") }, "\(verb): \(running.error())")
        await #expect(throws: (any Error).self, "\(verb)") {
          _ = try await user.world.client().call(BearerInterface.Disconnect.self, .init())
        }
        _ = try await user.world.perform(verb)
        _ = await running.process.waitForEnd()
        if let repair { _ = try await user.world.perform(repair) }
        let works = try await user.world.eventually {
          try await user.call(method, user.destination, "fetch").output.contains(Self.page)
        }
        #expect(works, "\(verb)")
      }
      #expect(user.world.leaks.packets == 0, "\(user.world.leaks)")
    }
  }

  @Test func `modemctl resolve shows addresses, the link and the server`() async throws {
    try await SocketUser.with { user in
      let run = try await user.world.run(["modemctl", "resolve", user.name])
      #expect(run.end == .exited(0) && run.output.hasPrefix("\(user.name): "), "\(run)")
      #expect(run.output.contains("-- link: wwan0\n") && run.output.contains("-- Resolved over wwan0 by "), "\(run)")
      let four = try await user.world.run(["modemctl", "resolve", "-4", user.name, "--json"])
      #expect(four.output.contains("198.51.100.") && !four.output.contains("2001:db8"), "\(four)")
      let none = try await user.world.run(["modemctl", "resolve", "nowhere.example"])
      #expect(none.end == .exited(7) && none.error.contains("nowhere.example"), "\(none)")
      let both = try await user.world.run(["modemctl", "resolve", "-4", "-6", user.name])
      #expect(both.end == .exited(2), "\(both)")
    }
  }
}
