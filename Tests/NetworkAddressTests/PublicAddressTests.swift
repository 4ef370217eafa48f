import NetworkAddress
import Testing

@Suite("Addresses that servers on the Internet can see")
struct PublicAddressTests {
  @Test(
    "Private, shared, special and local ones are none",
    arguments: [
      ("198.51.100.7", true), ("8.8.8.8", true), ("172.15.255.255", true), ("172.32.0.0", true),
      ("100.63.255.255", true),
      ("100.128.0.0", true), ("2001:db8::1", true), ("2a00:1::1", true), ("::ffff:8.8.8.8", true),
      ("10.64.0.2", false), ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false),
      ("100.64.0.0", false), ("100.127.255.255", false), ("127.0.0.1", false), ("169.254.1.1", false),
      ("0.0.0.0", false), ("0.1.2.3", false), ("224.0.0.1", false), ("255.255.255.255", false), ("240.0.0.1", false),
      ("::1", false), ("::", false), ("fe80::1", false), ("fd00::1", false), ("fc00::1", false), ("ff02::1", false),
      ("::ffff:10.0.0.1", false), ("64:ff9b::808:808", false),
    ])
  func isPublic(text: String, expected: Bool) throws {
    #expect(try #require(IPAddress(text)).isPublic == expected)
  }
}
