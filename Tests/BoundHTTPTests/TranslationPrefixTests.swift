import NetworkAddress
import NIOCore
import RedirectChain
import Testing

@testable import BoundHTTP

@Suite("IPv4 behind a translator", .serialized, .timeLimit(.minutes(1)))
struct TranslationPrefixTests {
  @Test(
    "The prefix is found at each length and makes the addresses of RFC 6052",
    arguments: [
      ("2001:db8:c000:aa::", 32, "2001:db8:c000:221::"), ("2001:db8:1c0:0:aa::", 40, "2001:db8:1c0:2:21::"),
      ("2001:db8:122:c000:0:aa00::", 48, "2001:db8:122:c000:2:2100::"),
      ("2001:db8:122:3c0:0:aa::", 56, "2001:db8:122:3c0:0:221::"),
      ("2001:db8:122:344:c0:0:aa00::", 64, "2001:db8:122:344:c0:2:2100::"),
      ("2001:db8:122:344::c000:aa", 96, "2001:db8:122:344::192.0.2.33"),
      ("64:ff9b::c000:ab", 96, "64:ff9b::192.0.2.33"),
    ])
  func prefixes(synthesised: String, length: Int, translated: String) throws {
    let prefix = try #require(TranslationPrefix(in: [IPAddress(synthesised)].compactMap(\.self)))
    #expect(prefix.length == length)
    #expect(prefix.address(for: IPv4Address(number: 0xc000_0221)) == IPAddress(translated))
  }

  @Test(
    "Addresses without the well-known one in its place give no prefix",
    arguments: [
      ["2001:db8::1"], ["192.0.0.170"], [], ["2001:db8::c000:ac"], ["2001:db8:c000:aa::1"],
    ])
  func noPrefix(addresses: [String]) {
    #expect(TranslationPrefix(in: addresses.compactMap { IPAddress($0) }) == nil)
  }

  @Test("An IPv4 address in a URL is reached by IPv6, where the bearer's servers tell the prefix")
  func literal() async throws {
    let asked = try await TestWorld.make(sources: ["::1"]) { query in
      [TestDNS.reply(query, query.name == "ipv4only.arpa" ? [IPAddress("64:ff9b::c000:aa")!] : nil)]
    }
    let policy = TestWorld.policy { $0.connectTime = .milliseconds(300) }
    let walk = try await asked.walk("https://192.0.2.1/", policy: policy)
    // Nothing translates on this machine; what matters is that it was tried by IPv6 and not by
    // IPv4.
    #expect([.bearerLost, .timeout, .connectFailed].contains { $0 == walk.cause }, "\(walk.result)")
    #expect(!walk.text.contains("addresses only"))
    #expect(asked.dns.queries.map(\.name) == ["ipv4only.arpa"])
    await asked.dns.stop()
  }

  @Test("Without a translator the bearer's missing family is named")
  func noTranslator() async throws {
    let world = try await TestWorld.make(sources: ["::1"]) { [TestDNS.reply($0, nil)] }
    let walk = try await world.walk("https://192.0.2.1/")
    #expect(walk.cause == .connectFailed && walk.text.contains("IPv4 addresses only"), "\(walk.result)")
    await world.dns.stop()
  }
}
