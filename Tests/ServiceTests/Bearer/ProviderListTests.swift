import Glibc
import Markup
import ModemModel
import Testing

@testable import ModemPort

@Suite("The list of providers")
struct ProviderListTests {
  static let text = """
    <?xml version="1.0" encoding="utf-8"?>
    <!DOCTYPE serviceproviders SYSTEM "serviceproviders.2.dtd">
    <!-- <provider><gsm><network-id mcc="234" mnc="15"/><apn value="commented.out"/></gsm></provider> -->
    <serviceproviders format="2.0"><country code="gb">
      <provider>
        <name>Small &amp; Cheap</name>
        <gsm>
          <network-id mcc="234" mnc="15"/>
          <apn value="small.example"><usage type="internet"/><name>Everyone</name></apn>
          <apn value="mms.small.example"><usage type="mms"/></apn>
        </gsm>
      </provider>
      <provider primary="true">
        <name xml:lang="en">Big</name><name>Gro&#xdf;</name>
        <gsm>
          <network-id mcc="234" mnc="15"/><network-id mcc='234' mnc='91'/>
          <apn value="internet"><plan type="postpaid"/><usage type="internet"/>
            <username>web</username><password>w&lt;b</password></apn>
          <apn value="wap.big.example"><usage type="wap"/></apn>
          <apn value="unlabelled.example"><authentication method="chap"/><username>u</username></apn>
          <apn value="all.example"><usage type="mms-internet-hipri"/></apn>
          <apn value="internet"><plan type="prepaid"/><usage type="internet"/>
            <username>web</username><password>w&lt;b</password></apn>
        </gsm>
        <cdma><apn value="never.example"/></cdma>
      </provider>
      <provider><name>Other</name><gsm><network-id mcc="234" mnc="015"/><apn value="three.digits"/></gsm></provider>
    </country></serviceproviders>
    """

  func names(_ plmn: String, _ name: String? = nil, text: String = Self.text) -> [String] {
    ProviderList.accessPoints(of: Network(PLMN(plmn)!, name: name), in: Array(text.utf8)).compactMap(\.name)
  }

  @Test("The main provider's come first, then the others, those for the Internet alone, each once")
  func order() {
    #expect(names("23415") == ["internet", "unlabelled.example", "all.example", "small.example"])
    #expect(names("23491") == ["internet", "unlabelled.example", "all.example"])
    #expect(names("234015") == ["three.digits"])
    #expect(names("26201") == [])
  }

  @Test("A provider that is called like the SIM's network comes first: resellers share its codes")
  func reseller() {
    #expect(names("23415", "small & cheap").first == "small.example")
    #expect(names("23415", "Groß").first == "internet")
  }

  @Test("User, password and method come along; a user without a method is shown by PAP")
  func credentials() {
    let found = ProviderList.accessPoints(of: Network(PLMN("23415")!), in: Array(Self.text.utf8))
    #expect(
      found.first
        == AccessPoint(
          name: "internet", user: "web", password: APNPassword("w<b"), authentication: .pap, source: .database))
    #expect(found[1].authentication == .chap)
    #expect(found[3] == AccessPoint(name: "small.example", source: .database))
  }

  @Test("Whatever is cut off or changed is read without a trap")
  func hostile() {
    let bytes = Array(Self.text.utf8)
    for length in stride(from: 0, to: bytes.count, by: 7) {
      _ = ProviderList.accessPoints(of: Network(PLMN("23415")!), in: Array(bytes.prefix(length)))
    }
    for text in [
      "<", "<a", "</", "<a b", "<a b=", "<a b='", "<!--", "<![CDATA[", "&", "<a>&#x110000;&bogus;</a></a></a>",
    ] {
      var scanner = MarkupScanner(Array(text.utf8))
      while scanner.next() != nil {}
    }
    var scanner = MarkupScanner(Array("<a>&#x110000;&bogus;&lt;<![CDATA[<&]]></a>".utf8))
    #expect(scanner.next() == .start("a", attributes: [:]))
    #expect(scanner.next() == .text("&#x110000;&bogus;<"))
    #expect(scanner.next() == .text("<&"))
    #expect(scanner.next() == .end("a"))
    #expect(scanner.next() == nil)
  }

  @Test("A file that is absent knows none")
  func absent() {
    #expect(ProviderList(path: "/nowhere/list.xml").accessPoints(of: Network(PLMN("23415")!)) == [])
  }

  @Test(
    "Debian's own list is read",
    .enabled(
      if: access(ProviderList.debianPath, R_OK) == 0, "needs the Debian package mobile-broadband-provider-info"))
  func debian() {
    let found = ProviderList().accessPoints(of: Network(PLMN("26201")!))
    #expect(found.contains { $0.name == "internet.telekom" || $0.name == "internet.t-mobile" })
    #expect(found.allSatisfy { $0.source == .database && $0.name?.contains("mms") == false })
    #expect(Set(found).count == found.count)
    #expect(!ProviderList().accessPoints(of: Network(PLMN("310260")!)).isEmpty)
  }
}

@Suite("Attempts to connect")
struct ConnectAttemptsTests {
  static func point(_ name: String?, _ source: AccessPoint.Source) -> AccessPoint {
    AccessPoint(name: name, source: source)
  }

  /// What is asked for, one after the other, when the network answers each with the next of these
  /// causes.
  func asked(
    _ request: BearerRequest, provisioned: [AccessPoint] = [], others: [AccessPoint] = [], causes: [Int?]
  ) -> [String] {
    var attempts = ConnectAttempts(request, provisioned: provisioned)
    var asked = [attempts.request]
    for cause in causes {
      guard attempts.next(after: cause.map { .session($0) }, others: { others }) else { break }
      asked.append(attempts.request)
    }
    return asked.map { "\($0.apn ?? "-") \($0.source.rawValue) \($0.ipType.rawValue)" }
  }

  static let list = [point("one", .database), point("two", .database)]

  @Test("A name that was asked for is the only one, at most for one family")
  func asked() {
    #expect(
      asked(BearerRequest(apn: "mine"), others: Self.list, causes: [27, 27]) == ["mine asked ipv4v6"])
    #expect(
      asked(BearerRequest(apn: "mine", source: .configured), others: Self.list, causes: [50, 27])
        == ["mine configured ipv4v6", "mine configured ipv4"])
  }

  @Test("The modem's own comes first, then the network's default, then the list")
  func order() {
    #expect(
      asked(
        BearerRequest(ipType: .ipv4), provisioned: [Self.point("modem", .modem)], others: Self.list,
        causes: [27, 27, 27, 27, 27]) == [
          "modem modem ipv4", "- network ipv4", "one database ipv4", "two database ipv4",
        ])
    #expect(
      asked(BearerRequest(ipType: .ipv4), others: Self.list, causes: [27, 30, 31])
        == ["- asked ipv4", "one database ipv4", "two database ipv4"].map {
          $0.replacing("- asked", with: "- network")
        })
  }

  @Test("What is not the name's fault is not tried with another one", arguments: [26, 38, 34, 65])
  func otherCauses(cause: Int) {
    #expect(asked(BearerRequest(ipType: .ipv4), others: Self.list, causes: [cause]) == ["- network ipv4"])
  }

  @Test(
    "Both families at once that are refused for being two are asked for as one",
    arguments: [(50, "ipv4"), (51, "ipv6"), (52, "ipv4"), (28, "ipv4"), (33, "ipv4")])
  func families(cause: Int, type: String) {
    #expect(asked(BearerRequest(apn: "a"), causes: [cause, 27]) == ["a asked ipv4v6", "a asked \(type)"])
  }

  @Test("There is an end to it")
  func limit() {
    let many = (0..<50).map { Self.point("apn\($0)", .database) }
    let causes = [Int?](repeating: 27, count: 60)
    #expect(asked(BearerRequest(ipType: .ipv4), others: many, causes: causes).count == ConnectAttempts.limit)
  }

  @Test("A name that the list has as the modem has it is tried once")
  func repeated() {
    #expect(
      asked(
        BearerRequest(ipType: .ipv4), provisioned: [Self.point("ONE", .modem)], others: Self.list,
        causes: [27, 27, 27, 27]) == ["ONE modem ipv4", "- network ipv4", "two database ipv4"])
  }
}
