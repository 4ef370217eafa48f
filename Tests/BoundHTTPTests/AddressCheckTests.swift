import NetworkAddress
import RedirectChain
import Testing

@testable import BoundHTTP

@Suite("Addresses that a hop may reach", .timeLimit(.minutes(1)))
struct AddressCheckTests {
  private static func check(_ text: String, prefix told: String? = nil) throws -> String? {
    let address = try #require(IPAddress(text))
    let interface = try BoundInterface(
      name: "wwan0", index: 7, dnsServers: [], sources: ["100.64.9.9", "2001:db8:64::9"].compactMap { IPAddress($0) })
    var check = AddressCheck(policy: ChainPolicy(), interface: interface)
    check.prefix = TranslationPrefix(in: [told.flatMap { IPAddress($0) }].compactMap(\.self))
    #expect((check.prefix != nil) == (told != nil))
    do {
      #expect(try check.reachable(address).address == address)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(
    "This machine is refused in every form in which an address can stand for it",
    arguments: [
      // The bearer's own, as modemd was told them, and loopback, which the kernel tells.
      "100.64.9.9", "2001:db8:64::9", "127.0.0.1", "127.8.8.8", "::1",
      // Mapped, compatible, translated, 6to4, Teredo by its server and its client, ISATAP.
      "::ffff:100.64.9.9", "::ffff:127.0.0.1", "::100.64.9.9", "::127.0.0.1", "64:ff9b::100.64.9.9",
      "64:ff9b::127.0.0.1", "2002:7f00:1::1", "2002:6440:909::1", "2001:0:7f00:1::1", "2001:0:c000:201::80ff:fffe",
      "2001:db8::5efe:127.0.0.1", "2001:db8::200:5efe:100.64.9.9",
      // RFC 8215, at each length that fits.
      "64:ff9b:1::7f00:1", "64:ff9b:1:7f00:0:100::", "64:ff9b:1:7f:0:1::", "64:ff9b:1:0:7f:0:100:0",
    ])
  func thisMachine(_ text: String) throws {
    #expect(try Self.check(text) != nil)
  }

  @Test(
    "What stands behind the bearer's own translator is looked at too",
    arguments: [
      ("2001:db8:aa::c000:aa", "2001:db8:aa::7f00:1"), ("2001:db8:aa::c000:aa", "2001:db8:aa::6440:909"),
      ("2001:db8:122:344:c0:0:aa00:0", "2001:db8:122:344:7f:0:100:0"),
    ])
  func translated(told: String, text: String) throws {
    #expect(try Self.check(text) == nil)
    #expect(try Self.check(text, prefix: told) != nil)
  }

  @Test(
    "The operator's own and everybody's are reached",
    arguments: [
      "10.1.2.3", "100.64.9.10", "198.51.100.1", "2001:db8:1::1", "fd00::1", "64:ff9b::198.51.100.1",
      "2002:c633:6401::1",
    ])
  func others(_ text: String) throws {
    #expect(try Self.check(text) == nil)
  }

  @Test(
    "A prefix that no translator has, or that holds the bearer's own address, is none",
    arguments: [
      "::c000:aa", "::ffff:c000:aa", "fe80::c000:aa", "ff0e::c000:aa", "2002:c000:aa::", "2001:0:c000:aa::",
      "64:ff9b::1:c000:aa", "2001:db8:64::c000:aa", "100:0:c000:aa::",
    ])
  func lies(_ told: String) throws {
    let own = ["2001:db8:64::9"].compactMap { IPAddress($0) }
    #expect(TranslationPrefix(in: [try #require(IPAddress(told))], own: own) == nil)
  }
}
