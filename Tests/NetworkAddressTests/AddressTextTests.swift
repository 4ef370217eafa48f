import NetworkAddress
import Testing

@Suite("Addresses as text")
struct AddressTextTests {
  @Test(
    "IPv4 is four decimal parts",
    arguments: [("10.64.0.2", UInt32(0x0a40_0002)), ("0.0.0.0", 0), ("255.255.255.255", 0xffff_ffff)])
  func ipv4(text: String, number: UInt32) throws {
    let address = try #require(IPv4Address(text))
    #expect(address.number == number)
    #expect(address.description == text)
    #expect(IPv4Address(bytes: address.bytes) == address)
  }

  @Test(
    "What is not IPv4 is refused",
    arguments: [
      "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.-4", "1.2.3.+4", "1..2.3", " 1.2.3.4", "1.2.3.4 ",
      "a.b.c.d",
    ])
  func notIPv4(text: String) { #expect(IPv4Address(text) == nil) }

  @Test(
    "IPv6 is read in every form and written as RFC 5952 says",
    arguments: [
      ("::", "::"), ("::1", "::1"), ("2001:DB8::1", "2001:db8::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
      ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("fe80::", "fe80::"), ("1::", "1::"),
      ("::ffff:10.0.0.1", "::ffff:a00:1"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
      ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("0:0:1::", "0:0:1::"),
    ])
  func ipv6(text: String, canonical: String) throws {
    let address = try #require(IPv6Address(text))
    #expect(address.description == canonical)
    #expect(IPv6Address(address.description) == address)
    #expect(IPv6Address(bytes: address.bytes) == address)
  }

  @Test(
    "What is not IPv6 is refused",
    arguments: [
      "", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%eth0", "[::1]",
      "1.2.3.4::", "::1.2.3", "1:2:3:4:5:6:7:8::", "+1::",
    ])
  func notIPv6(text: String) { #expect(IPv6Address(text) == nil) }

  @Test("Scopes are told apart in both families")
  func scopes() throws {
    #expect(try #require(IPAddress("127.9.9.9")).isLoopback)
    #expect(try #require(IPAddress("::ffff:127.0.0.1")).isLoopback)
    #expect(try #require(IPAddress("169.254.1.1")).isLinkLocal)
    #expect(try #require(IPAddress("febf::1")).isLinkLocal)
    #expect(try !#require(IPAddress("fec0::1")).isLinkLocal)
    #expect(try #require(IPAddress("ff02::1")).isMulticast)
    #expect(try #require(IPAddress("0.0.0.0")).isUnspecified)
  }

  @Test("A prefix length fits its family")
  func prefixes() throws {
    let address = try #require(IPAddress("10.0.0.1"))
    #expect(IPPrefix(address, length: 33) == nil)
    #expect(IPPrefix(address, length: -1) == nil)
    #expect(try #require(IPPrefix(address, length: 30)).description == "10.0.0.1/30")
  }
}
