import DNSWire
import NetworkAddress
import Testing

@testable import OperatorSimulator

@Suite struct FaultServiceTests {
  private let service = FaultService(host: "a.example", misnamedHost: "m.example", unknownHost: "u.example")

  private func answer(_ path: String, host: String = "a.example") async -> SimulatedResponse? {
    await service.answer(SimulatedRequest(isSecure: true, host: host, path: path, source: IPAddress("10.0.0.1")!))
  }

  @Test(
    arguments: [
      ("/status/418", 418, nil), ("/redirects/3", 302, "/redirects/2"), ("/redirects/0", 200, nil),
      ("/loop", 302, "/loop"), ("/loopback", 302, "http://127.0.0.1/"), ("/unresolvable", 302, "https://u.example/"),
      ("/wrong-certificate", 302, "https://m.example/"), ("/unreachable", 302, "http://a.example:9/"),
      ("/no-location", 302, nil),
    ] as [(String, Int, String?)])
  func `each path goes wrong in its way`(path: String, status: Int, location: String?) async {
    let answer = await answer(path)
    #expect(answer?.status == status)
    #expect(answer?.headers.first { $0.name == "Location" }?.value == location)
  }

  @Test(arguments: [
    ("/slow/80", SimulatedResponse.Delivery.after(milliseconds: 80)), ("/never", .never), ("/hangup", .hangUp),
  ])
  func `answers come late, never, or not`(path: String, delivery: SimulatedResponse.Delivery) async {
    #expect(await answer(path)?.delivery == delivery)
  }

  @Test(arguments: ["/", "/status/99", "/status/x", "/status/200/1", "/checks/1"])
  func `other paths are not its own`(path: String) async { #expect(await answer(path) == nil) }

  @Test func `other hosts are not its own`() async { #expect(await answer("/loop", host: "b.example") == nil) }
}

@Suite struct NameTableTests {
  private let table = NameTable([
    "a.example": .addresses([IPAddress("198.51.100.1")!, IPAddress("2001:db8::1")!]),
    "f.example": .failure, "s.example": .silence,
  ])

  private func ask(_ name: String, _ type: DNSRecordType, of table: NameTable? = nil) throws -> DNSMessage? {
    (table ?? self.table).answer(to: .query(DNSQuestion(try DomainName(name), type), id: 7))
  }

  @Test func `each family has its own answer`() throws {
    #expect(try ask("a.example", .a)?.answers.compactMap(\.address) == [IPAddress("198.51.100.1")!])
    #expect(try ask("A.Example", .aaaa)?.answers.compactMap(\.address) == [IPAddress("2001:db8::1")!])
    #expect(try ask("a.example", .a)?.id == 7)
  }

  @Test func `faults are what they say`() throws {
    #expect(try ask("f.example", .a)?.responseCode == .serverFailure)
    #expect(try ask("s.example", .a) == nil)
    #expect(try ask("x.example", .a)?.responseCode == .nameError)
  }

  @Test func `a liar answers for every name`() throws {
    let liar = NameTable([:], otherwise: [IPAddress("203.0.113.9")!])
    #expect(try ask("whatever.example", .a, of: liar)?.answers.compactMap(\.address) == [IPAddress("203.0.113.9")!])
  }
}
