import ModemModel
import NetworkAddress
import Testing

@Suite struct `A request for a bearer` {
  private static let wanted = BearerRequest(
    apn: "internet.example", user: "u", password: APNPassword("p"), authentication: .chap, ipType: .ipv6,
    source: .configured, isKept: true)

  @Test func `names its access point`() {
    let point = Self.wanted.accessPoint
    #expect(
      point
        == AccessPoint(
          name: "internet.example", user: "u", password: APNPassword("p"), authentication: .chap, source: .configured))
  }

  @Test func `takes another access point whole, and keeps the rest`() {
    // Nothing of the first one's user and password may go to the second one's gateway.
    let other = Self.wanted.with(AccessPoint(name: "other.example", source: .database))
    #expect(other.apn == "other.example" && other.user == nil && other.password == nil)
    #expect(other.authentication == .none && other.source == .database)
    #expect(other.ipType == .ipv6 && other.isKept)
    #expect(other.with(Self.wanted.accessPoint) == Self.wanted)
  }

  @Test func `without a name is for the subscription's default`() {
    let request = Self.wanted.with(.networkDefault)
    #expect(request.apn == nil && request.user == nil && request.password == nil && request.source == .network)
    #expect(BearerRequest().accessPoint == AccessPoint(name: nil, source: .asked))
    #expect(BearerRequest().ipType == .ipv4v6 && !BearerRequest().isKept)
  }

  @Test func `prints no password`() {
    let secret = BearerRequest(apn: "a", password: APNPassword("hunter2-hunter2"))
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!"\(secret)".contains("hunter2") && !dumped.contains("hunter2"))
  }
}

@Suite struct `The words for a bearer's guard` {
  @Test(
    arguments: [
      (.vrf(nil), "vrf", nil), (.vrf("multicast is not covered"), "vrf", "multicast is not covered"),
      (.nftables, "nftables", nil), (.none("the kernel has neither"), "none", "the kernel has neither"),
    ] as [(BearerGuard, String, String?)])
  func `go over the wire and back`(guardian: BearerGuard, word: String, text: String?) {
    #expect(guardian.word == word && guardian.text == text)
    #expect(BearerGuard(word: word, text: text) == guardian)
  }

  @Test func `say that there is none where no reason came with it, and nothing where the word is another's`() throws {
    let none = try #require(BearerGuard(word: "none", text: nil))
    #expect(none.word == "none" && none.text?.isEmpty == false)
    #expect(BearerGuard(word: "nftables", text: "ignored") == .nftables)
    for word in ["", "VRF", "ebpf"] { #expect(BearerGuard(word: word, text: nil) == nil, "\(word)") }
  }
}

@Suite struct `The state of a bearer` {
  @Test func `has an installed bearer while it is up, and then alone`() {
    let bearer = InstalledBearer(settings: BearerSettings(), interface: "wwan0", interfaceIndex: 7, table: 1007)
    #expect(BearerState.up(bearer).installed == bearer)
    let cause = NetworkCause.session(33)
    for state: BearerState in [
      .down(nil), .down(cause), .attaching, .connecting, .configuring, .disconnecting, .failed(cause),
    ] {
      #expect(state.installed == nil, "\(state)")
    }
  }

  @Test func `begins with nothing asked for`() {
    let status = BearerStatus(since: Timestamp(milliseconds: 5))
    #expect(status.state == .down(nil) && status.failures == 0 && status.apn == nil && status.apnSource == nil)
    #expect(status.nextAttempt == nil && status.traffic == nil && !status.isReleasing && status.resumption == nil)
  }

  @Test func `has an address where there is one of either family`() throws {
    let assignment = { (text: String, length: Int) throws in
      let address = try #require(IPAddress(text))
      return BearerSettings.Assignment(prefix: try #require(IPPrefix(address, length: length)))
    }
    let (v4, v6) = (try assignment("10.0.0.2", 30), try assignment("2001:db8::2", 64))
    #expect(BearerSettings(ipv4: v4).hasAddress && BearerSettings(ipv6: v6).hasAddress)
    #expect(!BearerSettings(onLink: .init(usesDHCP: true)).hasAddress)
    #expect(BearerSettings().onLink == .nothing)
  }
}
