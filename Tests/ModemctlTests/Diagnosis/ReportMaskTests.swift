import Testing

@testable import ModemctlCommands

@Suite("What a report hides") struct ReportMaskTests {
  /// A text and what is made of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var shown: String
    var testDescription: String { text }

    init(_ text: String, _ shown: String) { (self.text, self.shown) = (text, shown) }
  }

  @Test(
    "What looks like an identifier, an address or a token has a name in its place",
    arguments: [
      Case("imei 490154203237518.", "imei imei#1."),
      Case("subscriber 001010123456789", "subscriber imsi#1"),
      Case("card 8949000000000000017", "card iccid#1"),
      Case("number +447700900123, again +447700900123", "number msisdn#1, again msisdn#1"),
      Case("call 07700900123", "call number#1"),
      Case("link/ether 0a:1b:2c:3d:4e:5f brd ff:ff:ff:ff:ff:ff", "link/ether mac#1 brd ff:ff:ff:ff:ff:ff"),
      Case("wwx0a1b2c3d4e5f and 0a-1b-2c-3d-4e-5f", "wwxmac#1 and mac#1"),
      Case("default via 203.0.113.7 dev eth0", "default via ipv4#1(203.…) dev eth0"),
      Case("at 198.51.100.10:443", "at ipv4#1(198.…):443"),
      Case("inet6 2001:db8:64::2/64 scope global", "inet6 ipv6#1(2001:…)/64 scope global"),
      Case("dns:2a00:1450::5,", "dns:ipv6#1(2a00:…),"),
      Case("fe80::81b:2cff:fe3d:4e5f/64", "ipv6#1(fe80:…)/64"),
      Case("access_token=abc", "access_token=secret#1"),
      Case(#"{"client_secret": "s3cr3t"}"#, #"{"client_secret": "secret#1"}"#),
      Case(#"{"eap-relay-packet":"AiIA"}"#, #"{"eap-relay-packet":"secret#1"}"#),
      Case("EAP_ID=0001@nai.example terminal_id=0b0a-3f", "EAP_ID=secret#1 terminal_id=secret#2"),
      Case("Authorization: Bearer abc def", "Authorization: secret#1"),
      Case("PIN: 1234", "PIN: secret#1"),
      Case("code=482915 of you", "code=secret#1 of you"),
      Case("https://user:pass@example.com/a?code=1&b=2 next", "https://secret#1@example.com/a?secret#2 next"),
      Case("https://example.com/cb#access", "https://example.com/cb#secret#1"),
      Case("eyJhbGciOiJIUzI1NiIsInR5cCI6.eyJzdWIiOiIxMjM0NTY3ODkwIn0", "token#1.token#2"),
      Case("usb-Maker_Model_LF12345678-if00", "token#1"),
    ])
  func hidden(example: Case) {
    var mask = ReportMask()
    #expect(mask(example.text) == example.shown)
  }

  @Test(
    "What a maintainer reads stays as it is",
    arguments: [
      "2026-11-23T08:19:54+0000 modemd-port[1234]: the port is open", "kernel 6.1.0-18-amd64",
      "default via 192.168.1.1 dev eth0 proto dhcp metric 100", "0.0.0.0/1 via 10.8.0.1 dev tun0", "2000::/3 dev tun0",
      "10.64.0.2/30 127.0.0.1 ::1 ::/0 ff02::fb 169.254.1.1 100.64.0.1", "7700:\tfrom all oif wwan0 lookup 7700007 ",
      "modem-3f0c9a5e77b1d204: LTE, -73 dBm", "code=exited, status=1", "cause code: 33",
      "libmbim 1.28.2, libqmi 1.32.2",
      "ID_USB_INTERFACES=:020e00:0a0002:", "pci-0000:00:14.0-usb-0:1:1.12", "1199:9091", "https://example.com/path/a",
      "\"token\": null", "modemd-port@cdc\\x2dwdm0.service loaded active",
    ])
  func shown(text: String) {
    var mask = ReportMask()
    #expect(mask(text) == text)
  }

  @Test("What was learnt is found wherever it stands, and has one name")
  func learnt() {
    var mask = ReportMask()
    mask.learn("+447700900123", as: .msisdn)
    mask.learn("001010123456789", as: .imsi)
    mask.learn("alice", as: .user)
    mask.learn("root", as: .user)
    mask.learn("LF123", as: .serial)
    mask.learn("hunter2", as: .secret)
    #expect(mask("x:447700900123y 0044 +447700900123") == "x:msisdn#1y 0044 msisdn#1")
    #expect(mask("07700900123, 00447700900123, 0049447700900123") == "msisdn#1, msisdn#1, msisdn#1")
    #expect(mask("nai=001010123456789@example") == "nai=imsi#1@example")
    #expect(mask("/home/alice malice root") == "/home/user#1 malice root")
    #expect(mask("if-LF123x hunter2hunter2") == "if-serial#1x secret#1secret#1")
  }

  @Test("With --reveal the numbers and addresses are shown, and no secret is")
  func revealed() {
    var mask = ReportMask(reveals: true)
    mask.learn("+447700900123", as: .msisdn)
    mask.learn("hunter2", as: .secret)
    let text = "+447700900123 490154203237518 203.0.113.7 2001:db8::1 0a:1b:2c:3d:4e:5f imsi=001010123456789"
    #expect(mask(text) == text)
    #expect(mask("hunter2 password=x eyJhbGciOiJIUzI1NiIsInR5cCI6") == "secret#1 password=secret#2 token#1")
  }

  @Test("A firmware's name that looks like a token is kept, and a number in it is not")
  func kept() {
    var mask = ReportMask()
    mask.keep("SWI9X30C_02.33.03.00_long_revision_7 490154203237518")
    #expect(mask("SWI9X30C_02.33.03.00_long_revision_7") == "SWI9X30C_02.33.03.00_long_revision_7")
    #expect(mask("490154203237518") == "imei#1")
  }

  @Test("Any bytes come to an end, and a long text in good time")
  func anyBytes() {
    var mask = ReportMask()
    var state: UInt64 = 7
    let bytes = (0..<50_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 33) & 0x7f
    }
    #expect(!mask(String(decoding: bytes, as: UTF8.self)).isEmpty)
    #expect(mask("") == "" && mask(":") == ":" && mask("a:") == "a:" && mask("::") == "::" && mask("://") == "://")
    #expect(mask(String(repeating: "?", count: 5000)).utf8.count == 5000)
  }

  @Test("Settings keep their keys, words and switches; other texts are told by their length, and secrets are learnt")
  func settings() {
    var mask = ReportMask()
    let text = SettingsOutline.render(
      #"{"sharing":"auto","sim":{"numbers":["+447700900123"],"pin":1234},"bearer":{"apn":"internet","user":"carol","session":5},"#
        + #""clientSecret":"very-hidden","note":"something","access":{"table":{"org.modemd.Verify":["staff"]}}}"#, &mask
    )
    for word in ["\"sharing\" : \"auto\"", "\"apn\" : \"internet\"", "\"session\" : 5", "staff", "(9 characters)"] {
      #expect(text.contains(word), "\(word) in \(text)")
    }
    for secret in ["447700900123", "1234", "carol", "very-hidden", "something"] {
      #expect(!text.contains(secret), "\(secret) in \(text)")
    }
    #expect(mask("by carol with very-hidden to 00447700900123") == "by user#1 with secret#1 to msisdn#1")
    #expect(!SettingsOutline.render(#"{"password": "oops"#, &mask).contains("oops"))
  }
}
