import Testing

@testable import Varlink

@Suite struct PlainCallTests {
  @Test(arguments: [
    #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":{}}"#,
    " {\t\"parameters\" : { } ,\r\n\"method\" : \"a.b.C\" } ",
    #"{"more":true,"method":"a.b.C","oneway":false,"upgrade":false}"#, #"{"method":""}"#,
  ])
  func `What it reads, the decoder reads the same way`(call: String) throws {
    let plain = try #require(PlainCall.read(Array(call.utf8)))
    let decoded = try JSONCoding.decode(CallHeader.self, from: Array(call.utf8))
    #expect(plain.method == decoded.method)
    #expect(plain.more == decoded.more)
    #expect(plain.oneway == decoded.oneway)
    #expect(plain.upgrade == decoded.upgrade)
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", #"{"method":"a.b.C"}}"#, #"{"method":"a.b.C",}"#, #"{"method":"a.b.C"} x"#,
    #"{"method":"a.b.C","parameters":{"a":1}}"#, #"{"method":"a.b.C","parameters":null}"#,
    #"{"method":"a.b.C","parameters":[]}"#, #"{"method":"a.b.C","more":1}"#, #"{"method":"a.b.C","more":tru}"#,
    #"{"method":"a.b.C","more":null}"#, #"{"method":"a.b.C","other":true}"#, #"{"method":"a.b.C","method":"a.b.D"}"#,
    #"{"method":"a.b\u002eC"}"#, #"{"method":"a.b.Ç"}"#, #"{"method":5}"#, #"{"method":"a.b.C"#, #"{"parameters":{}}"#,
    #"{"method":"a.b.C","parameters":{},"parameters":{}}"#,
  ])
  func `It leaves everything else to the decoder`(call: String) {
    #expect(PlainCall.read(Array(call.utf8)) == nil)
  }
}
