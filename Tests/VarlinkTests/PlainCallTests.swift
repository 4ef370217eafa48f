import JSONTree
import Testing

@testable import Varlink

@Suite struct PlainCallTests {
  private static let limits = JSONReader.Limits(depth: 32, values: 16_384)

  @Test(arguments: [
    #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":{}}"#,
    " {\t\"parameters\" : { } ,\r\n\"method\" : \"a.b.C\" } ",
    #"{"more":true,"method":"a.b.C","oneway":false,"upgrade":false}"#, #"{"method":""}"#,
    #"{"method":"a.b.C","parameters":{"modem":"/dev/cdc-wdm0"}}"#,
    #"{"parameters" : { "a" : "" , "b":true,"c":false,"d":null,"e":0,"f":-1,"g":999999999999999999} ,"method":"a.b.C"}"#,
    #"{"method":"a.b.C","parameters":{"":"/"}}"#, #"{"method":"a.b.C","parameters":{"a":-999999999999999999}}"#,
  ])
  func `What it reads, the decoder reads the same way`(call: String) throws {
    try #require(PlainCall.read(Array(call.utf8)) != nil)
    #expect(try Self.isAgreed(Array(call.utf8)))
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", #"{"method":"a.b.C"}}"#, #"{"method":"a.b.C",}"#, #"{"method":"a.b.C"} x"#,
    #"{"method":"a.b.C","parameters":{"a":{}}}"#, #"{"method":"a.b.C","parameters":null}"#,
    #"{"method":"a.b.C","parameters":[]}"#, #"{"method":"a.b.C","more":1}"#, #"{"method":"a.b.C","more":tru}"#,
    #"{"method":"a.b.C","more":null}"#, #"{"method":"a.b.C","other":true}"#, #"{"method":"a.b.C","method":"a.b.D"}"#,
    #"{"method":"a.b\u002eC"}"#, #"{"method":"a.b.Ç"}"#, #"{"method":5}"#, #"{"method":"a.b.C"#, #"{"parameters":{}}"#,
    #"{"method":"a.b.C","parameters":{},"parameters":{}}"#, #"{"method":"a.b.C","parameters":{"a":1,"a":1}}"#,
    #"{"method":"a.b.C","parameters":{"a":1.0}}"#, #"{"method":"a.b.C","parameters":{"a":1e2}}"#,
    #"{"method":"a.b.C","parameters":{"a":01}}"#, #"{"method":"a.b.C","parameters":{"a":-0}}"#,
    #"{"method":"a.b.C","parameters":{"a":-}}"#, #"{"method":"a.b.C","parameters":{"a":- 1}}"#,
    #"{"method":"a.b.C","parameters":{"a":+1}}"#, #"{"method":"a.b.C","parameters":{"a":9223372036854775807}}"#,
    #"{"method":"a.b.C","parameters":{"a":nul}}"#, #"{"method":"a.b.C","parameters":{"a":nulls}}"#,
    #"{"method":"a.b.C","parameters":{"a":"b" "c":1}}"#, #"{"method":"a.b.C","parameters":{"a"}}"#,
    #"{"method":"a.b.C","parameters":{"a":1,}}"#, #"{"method":"a.b.C","parameters":{"a":"\\n"}}"#,
    #"{"method":"a.b.C","parameters":{"a":"é"}}"#, #"{"method":"a.b.C","parameters":{"a":[1]}}"#,
    #"{"method":"a.b.C","parameters":{"a":1"#, #"{"method":"a.b.C","parameters":{"a":1}"#,
    #"{"method":"a.b.C","parameters":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}}"#,
  ])
  func `It leaves everything else to the decoder`(call: String) {
    #expect(PlainCall.read(Array(call.utf8)) == nil)
  }

  @Test(arguments: [
    #"{"text":"a"}"#, #"{"text":"a","count":5,"kind":"small","tone":"loud"}"#,
    #"{"text":"a","count":null,"kind":null}"#,
    #"{"count":5}"#, #"{"text":null}"#, #"{"text":5}"#, #"{"text":"a","count":"5"}"#, #"{"text":"a","count":true}"#,
    #"{"text":"a","kind":"huge"}"#, #"{"text":"a","tone":"shrill"}"#, #"{"text":"a","kind":1}"#,
    #"{"text":"a","list":null}"#, #"{"text":"a","list":1}"#, #"{"text":"a","bogus":null}"#,
    #"{"z":1,"y":2,"text":"a"}"#, #"{"text":false,"bogus":1}"#,
  ])
  func `Parameters come out as the decoder's, and so do its errors`(parameters: String) throws {
    let call = Array(#"{"method":"a.b.C","parameters":\#(parameters)}"#.utf8)
    guard case .plain(let fields)? = PlainCall.read(call)?.source else {
      Issue.record("it was left to the decoder")
      return
    }
    #expect(Self.read(.plain(fields)) == Self.read(.parameters(fields.object)))
  }

  @Test func `Calls with a few bytes changed are read the same way, or left to the decoder`() throws {
    var random = Numbers(state: 1)
    let starts = [
      #"{"method":"a.b.C","parameters":{"text":"abc","count":12,"kind":"small","tone":"loud"}}"#,
      #"{ "method": "a.b.C", "more": true, "parameters": { "text": "", "count": -7, "list": null } }"#,
    ].map { Array($0.utf8) }
    let bytes = Array(#" {}[]":,\-+.eE0123456789truefalsn"#.utf8) + [0, 0x7F, 0x80, 0xC3, 0xA9]
    var read = 0
    for round in 0..<20_000 {
      var call = starts[round % starts.count]
      for _ in 0...random.next(3) {
        let place = random.next(call.count)
        switch random.next(3) {
        case 0: call[place] = bytes[random.next(bytes.count)]
        case 1: call.insert(bytes[random.next(bytes.count)], at: place)
        default: call.remove(at: place)
        }
      }
      guard PlainCall.read(call) != nil else { continue }
      read += 1
      guard try Self.isAgreed(call) else {
        Issue.record("read another way: \(String(decoding: call, as: UTF8.self))")
        return
      }
    }
    #expect(read > 1000)
  }

  /// Whether the decoder takes the call, and means the same by it.
  private static func isAgreed(_ call: [UInt8]) throws -> Bool {
    guard let plain = PlainCall.read(call), let decoded = try? ReadCall.read(call, limits) else { return false }
    guard plain.header == decoded.header, case .parameters(let parameters) = decoded.source else { return false }
    switch plain.source {
    case .bare: return parameters == .null || parameters == .object([:])
    case .plain(let fields): return fields.object == parameters && read(.plain(fields)) == read(decoded.source)
    case .parameters: return false
    }
  }

  /// What a method with parameters of all kinds makes of them, or the parameter that is wrong.
  private static func read(_ source: CallSource) -> String {
    do {
      let parameters: TestInterface.Echo.Parameters = try CallBody.read(source)
      return String(decoding: JSONCoding.encode(parameters), as: UTF8.self)
    } catch {
      return "wrong: \((error as? VarlinkError)?.field("parameter") ?? "\(error)")"
    }
  }
}

/// Numbers that look random, the same in each run.
private struct Numbers {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
