import AuthCore
import Markup
import Testing

@testable import TS43Flows

@Suite("Documents of an entitlement server")
struct DocumentTests {
  private static let xmlType = "text/vnd.wap.connectivity-xml; charset=utf-8"

  private func read(_ text: String, _ type: String? = nil) throws -> EntitlementDocument {
    try EntitlementDocument(Array(text.utf8), type: type)
  }

  private func values(_ text: String, _ type: String? = nil) throws -> [String?] {
    let document = try read(text, type)
    let parts = document.application("ap2014")
    return [document.token?.token.revealed, parts.value("operationresult"), parts.value("MSISDN")]
  }

  @Test("The same in XML and in JSON")
  func pairs() throws {
    let xml = Document.xml(Document.parm(["OperationResult": "1", "MSISDN": "+447700900123"]))
    let json =
      #"{"Vers":{"version":"1","validity":"172800"},"Token":{"token":"token-2","validity":"86400"},"ap2014":{"OperationResult":"1","MSISDN":"+447700900123"}}"#
    #expect(try values(xml, Self.xmlType) == ["token-2", "1", "+447700900123"])
    #expect(try values(json, "application/json") == ["token-2", "1", "+447700900123"])
    #expect(try read(xml).token?.validity == .string("86400"))
    #expect(try read(json).token?.validity == .string("86400"))
  }

  struct Reading: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var type: String?
    let result: String?
    let number: String?
    var testDescription: String { name }
  }

  private static let parts = Document.parm(["OperationResult": "1", "MSISDN": "+447700900123"])

  static let readings: [Reading] = [
    Reading(
      name: "other cases of names",
      text:
        #"<WAP-ProvisioningDoc><Characteristic TYPE="application"><PARM NAME="appid" VALUE="AP2014"/><parm Name="msisdn" Value="+447700900123"/></Characteristic></WAP-ProvisioningDoc>"#,
      result: nil, number: "+447700900123"),
    Reading(
      name: "numbers as numbers", text: #"{"ap2014":{"OperationResult":1,"MSISDN":"+447700900123"}}"#,
      result: "1", number: "+447700900123"),
    Reading(
      name: "a number with a fraction of zero", text: #"{"AP2014":{"operationresult":1.0}}"#, result: "1", number: nil),
    Reading(
      name: "a lone & in a value",
      text: Document.xml(Document.parm(["ServiceFlow_URL": "https://x/?a=1&b=2", "OperationResult": "1"])),
      result: "1", number: nil),
    Reading(
      name: "references in a value",
      text: Document.xml(#"<parm name="MSISDN" value="&#43;447700900123"/><parm name="x" value="&lt;&amp;"/>"#),
      result: nil, number: "+447700900123"),
    Reading(
      name: "tags without their >",
      text: Document.xml(#"<parm name="OperationResult" value="1"/ <parm name="MSISDN" value="+447700900123" />"#),
      result: "1", number: "+447700900123"),
    Reading(
      name: "single quotes and line ends",
      text: Document.xml("<parm\n name='OperationResult'\r\n\tvalue=' 1 '\n/>"), result: "1", number: nil),
    Reading(
      name: "encodedValue in XML",
      text: Document.xml(#"<parm name="MSISDN" encodedValue="KzQ0NzcwMDkwMDEyMw=="/>"#), result: nil,
      number: "+447700900123"),
    Reading(
      name: "encodedValue in JSON", text: #"{"ap2014":{"MSISDN":{"encodedValue":"KzQ0NzcwMDkwMDEyMw"}}}"#,
      result: nil, number: "+447700900123"),
    Reading(
      name: "encodedValue that is no base64", text: Document.xml(#"<parm name="MSISDN" encodedValue="%%%"/>"#),
      result: nil, number: nil),
    Reading(
      name: "several applications",
      text:
        #"<wap-provisioningdoc><characteristic type="APPLICATION"><parm name="AppID" value="ap2004"/><parm name="OperationResult" value="7"/></characteristic><characteristic type="APPLICATION"><parm name="AppID" value="ap2014"/><parm name="OperationResult" value="1"/></characteristic></wap-provisioningdoc>"#,
      result: "1", number: nil),
    Reading(
      name: "several applications in JSON",
      text: #"{"Application":[{"AppID":"ap2004","OperationResult":"7"},{"AppID":"ap2014","OperationResult":"1"}]}"#,
      result: "1", number: nil),
    Reading(
      name: "the only application has no id",
      text:
        #"<wap-provisioningdoc><characteristic type="APPLICATION"><parm name="OperationResult" value="1"/></characteristic></wap-provisioningdoc>"#,
      result: "1", number: nil),
    Reading(
      name: "the only application is another",
      text:
        #"<wap-provisioningdoc><characteristic type="APPLICATION"><parm name="AppID" value="ap2004"/><parm name="OperationResult" value="1"/></characteristic></wap-provisioningdoc>"#,
      result: nil, number: nil),
    Reading(
      name: "two values of one parameter",
      text: Document.xml(Document.parm(["MSISDN": "+447700900123", "msisdn": "+447700900999"])), result: nil,
      number: nil),
    Reading(
      name: "the same value twice",
      text: Document.xml(Document.parm(["MSISDN": "+447700900123", "msisdn": "+447700900123"])), result: nil,
      number: "+447700900123"),
    Reading(
      name: "unknown characteristics, nested",
      text:
        #"<wap-provisioningdoc><characteristic type="x"><characteristic type="y"><parm name="MSISDN" value="+1"/></characteristic></characteristic><characteristic type="APPLICATION"><parm name="AppID" value="ap2014"/>\#(parts)</characteristic></wap-provisioningdoc>"#,
      result: "1", number: "+447700900123"),
    Reading(
      name: "comments, instructions and CDATA",
      text:
        "<?xml version='1.0'?><!-- <parm name='MSISDN' value='+1'/> --><wap-provisioningdoc><![CDATA[<parm name='MSISDN' value='+1'/>]]><characteristic type='APPLICATION'><parm name='AppID' value='ap2014'/>\(parts)</characteristic></wap-provisioningdoc>",
      result: "1", number: "+447700900123"),
    Reading(
      name: "an entity that nobody declared", text: Document.xml(#"<parm name="MSISDN" value="&number;"/>"#),
      result: nil, number: "&number;"),
    Reading(
      name: "a mark of UTF-8", text: "\u{feff}" + Document.xml(parts), result: "1", number: "+447700900123"),
    Reading(
      name: "XML that calls itself JSON", text: Document.xml(parts), type: "application/json", result: "1",
      number: "+447700900123"),
    Reading(
      name: "JSON that calls itself XML", text: #"{"ap2014":{"OperationResult":"1"}}"#, type: xmlType, result: "1",
      number: nil),
    Reading(
      name: "no type", text: Document.xml(parts), type: "application/octet-stream", result: "1",
      number: "+447700900123"),
    Reading(
      name: "null in JSON", text: #"{"ap2014":{"OperationResult":null,"MSISDN":null}}"#, result: nil, number: nil),
    Reading(name: "an empty value", text: Document.xml(Document.parm(["MSISDN": ""])), result: nil, number: nil),
    Reading(
      name: "an end that nothing began", text: Document.xml("</parm></x>" + parts), result: "1",
      number: "+447700900123"),
  ]

  @Test("Lenient where nothing is lost", arguments: readings)
  func lenient(_ reading: Reading) throws {
    let found = try values(reading.text, reading.type)
    #expect(found[1] == reading.result)
    #expect(found[2] == reading.number)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var type: String?
    let flaw: EntitlementDocument.Flaw
    var testDescription: String { name }
  }

  static let bad: [Bad] = [
    Bad(name: "nothing", text: "", flaw: .empty),
    Bad(name: "blanks", text: " \r\n\t ", flaw: .empty),
    Bad(name: "text", text: "Unauthorized", flaw: .malformed),
    Bad(name: "cut off in a tag", text: String(Document.xml(parts).dropLast(30)), flaw: .incomplete),
    Bad(name: "cut off between tags", text: String(Document.xml(parts).dropLast(22)), flaw: .incomplete),
    Bad(
      name: "closed too early", text: "<wap-provisioningdoc><characteristic type='a'></wap-provisioningdoc>",
      flaw: .malformed),
    Bad(
      name: "another root", text: "<characteristic type='TOKEN'><parm name='token' value='x'/></characteristic>",
      flaw: .malformed),
    Bad(name: "a page by its type", text: Document.xml(parts), type: "text/html; charset=utf-8", flaw: .page),
    Bad(name: "a page by its root", text: "<!doctype html><html><body>Log in</body></html>", flaw: .page),
    Bad(
      name: "a document type", text: "<!DOCTYPE w SYSTEM 'file:///etc/hostname'>" + Document.xml(parts),
      flaw: .malformed),
    Bad(
      name: "declarations of entities",
      text: "<!DOCTYPE w [<!ENTITY n SYSTEM 'file:///etc/passwd'>]>" + Document.xml(parts), flaw: .malformed),
    Bad(
      name: "an attribute twice",
      text: "<wap-provisioningdoc><parm name='a' value='1' value='2'/></wap-provisioningdoc>",
      flaw: .incomplete),
    Bad(name: "JSON of another kind", text: "[1]", type: "application/json", flaw: .malformed),
    Bad(name: "JSON cut off", text: #"{"ap2014":{"Opera"#, flaw: .malformed),
    Bad(name: "JSON with a member twice", text: #"{"a":1,"a":2}"#, flaw: .malformed),
    Bad(name: "JSON with a number that is none", text: #"{"a":1e999}"#, flaw: .malformed),
    Bad(
      name: "JSON that is nested too deep",
      text: String(repeating: #"{"a":"#, count: 30) + "1" + String(repeating: "}", count: 30), flaw: .malformed),
    Bad(
      name: "XML that is nested too deep",
      text: "<wap-provisioningdoc>" + String(repeating: "<characteristic type='a'>", count: 30), flaw: .tooLarge),
    Bad(
      name: "too many parameters",
      text: "<wap-provisioningdoc>" + String(repeating: "<parm/>", count: 5000) + "</wap-provisioningdoc>",
      flaw: .tooLarge),
    Bad(name: "too many bytes", text: Document.xml(String(repeating: " ", count: 70_000)), flaw: .tooLarge),
  ]

  @Test("Refused", arguments: bad)
  func refused(_ document: Bad) {
    #expect(throws: document.flaw) { try read(document.text, document.type) }
  }

  @Test("A TOKEN that could not be sent is none")
  func tokens() throws {
    for text in ["", "a\u{1}b", "caf\u{e9}", String(repeating: "x", count: 5000)] {
      #expect(try read(Document.xml("", token: text)).token == nil)
    }
    #expect(try read(Document.xml("", token: "a+b/c==&amp;")).token?.token.revealed == "a+b/c==&")
  }

  @Test("Whatever is cut off or changed is read without a trap, and in time")
  func hostile() {
    let bytes = Array(Document.xml(Self.parts).utf8)
    for length in bytes.indices { _ = try? EntitlementDocument(Array(bytes.prefix(length)), type: nil) }
    for index in bytes.indices {
      for value in [0x00, 0x22, 0x26, 0x2f, 0x3c, 0x3e, 0xff] as [UInt8] {
        var changed = bytes
        changed[index] = value
        _ = try? EntitlementDocument(changed, type: nil)
      }
    }
  }

  @Test(
    "Nothing follows where a tag is malformed", arguments: ["<a/", "<a/ =", "<a/ b", "</", "<", "<!--", "<?", "<!D[>"])
  func malformed(_ text: String) {
    var scanner = MarkupScanner(Array(text.utf8))
    #expect(scanner.next() == nil)
    #expect(scanner.isMalformed)
    #expect(scanner.next() == nil)
  }

  @Test("References are looked for a few characters ahead alone", .timeLimit(.minutes(1)))
  func manyReferences() {
    // In a reader that looks to the end for each, this takes minutes.
    var scanner = MarkupScanner(
      Array("<a b=\"".utf8) + [UInt8](repeating: UInt8(ascii: "&"), count: 400_000) + Array(";\"/>".utf8))
    guard case .start("a", let attributes)? = scanner.next() else {
      Issue.record("the tag is read")
      return
    }
    #expect(attributes["b"]?.utf8.count == 400_001)
    #expect(scanner.next() == .end("a"))
    #expect(scanner.next() == nil)
    #expect(!scanner.isMalformed)
  }
}
