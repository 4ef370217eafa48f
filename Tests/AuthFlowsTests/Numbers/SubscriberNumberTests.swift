import AuthCore
import Testing

@Suite("Numbers as people write them")
struct SubscriberNumberTests {
  @Test(
    "Each form is one number in E.164",
    arguments: [
      "+447700900123", "447700900123", "00447700900123", "+44 7700 900123", "+44-7700-900-123", "(+44) 7700/900.123",
      "+44 (0)7700 900123", "0044 (0) 7700 900 123", "+44\u{a0}7700\u{2009}900123", "+44\u{2013}7700\u{2010}900123",
      " +447700900123\t",
    ])
  func forms(text: String) throws {
    #expect(try SubscriberNumber(text).revealed == "+447700900123")
    #expect(try SubscriberNumber(text).digits == "447700900123")
  }

  @Test(
    "What could be somebody else's number in another country is refused, and never repeated",
    arguments: [
      "07700900123", "+07700900123", "0007700900123", "000447700900123", "", "+", "00", "+44", "+44770090012345678",
      "+44x7700900123",
      "+44+7700900123", "447700900123 447700900124",
    ])
  func refused(text: String) {
    let error = #expect(throws: SubscriberNumber.Invalid.self) { try SubscriberNumber(text) }
    #expect(error?.description.contains("7700900") == false)
  }
}
