import CardCommands
import FuzzSupport
import ModemModel

/// What a card sends after AUTHENTICATE and each GET RESPONSE: a length, so many bytes, and two
/// status words, again and again. The end of the input is the end of the data.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzAPDU(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  var answer = AuthenticateAnswer("fuzz")
  var parts = 0
  while !input.bytes.isEmpty {
    let length = Int(input.byte())
    let data = (0..<min(length, input.bytes.count)).map { _ in input.byte() }
    let words = StatusWords(input.byte(), input.byte())
    if parts == 0 { _ = ModemError(noChannel: words, during: "fuzz") }
    parts += 1
    switch answer.take(data, words) {
    case .success(.fetch): continue
    case .success(.answered(let answer)): isPossible(answer, words)
    case .failure(let error): promise(!error.message.isEmpty, "an error without words")
    }
    break
  }
  promise(parts <= 4, "an answer of \(parts) parts")
  if let identifier = GroupIdentifier.bytes(in: input.bytes) {
    promise(!identifier.isEmpty && identifier.last != 0xff, "padding in a group identifier")
  }
  return 0
}

private func isPossible(_ answer: AKAAnswer, _ words: StatusWords) {
  switch answer {
  case .response(let response):
    promise((4...16).contains(response.res.count), "a RES of \(response.res.count) bytes")
    promise(response.ck.count == 16 && response.ik.count == 16 && words.isDone, "keys of another length")
  case .synchronise(let auts): promise(auts.bytes.count == 14 && words.isDone, "an AUTS of another length")
  case .refused: promise(words == StatusWords(0x98, 0x62), "a refusal that is none")
  }
}
