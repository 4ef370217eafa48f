// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import FuzzSupport
import Markup
import ModemModel

@testable import TS43Flows

private let number = try! SubscriberNumber("+447700900123")
private let operations: [TS43Operation] = [
  .verify(number), .phoneNumber, .subscriberInfo, .temporaryToken(.phoneNumber), .temporaryToken(.verify),
]

/// First line: the content type. The rest: the document of an entitlement server, which is read for
/// every operation.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzEntitlement(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let type = input.line()
  let body = input.bytes
  scan(body)
  guard let document = try? EntitlementDocument(body, type: type) else { return 0 }
  if let token = document.token?.token.revealed {
    promise(
      (1...4096).contains(token.utf8.count) && token.utf8.allSatisfy { (0x20...0x7e).contains($0) },
      "a token that cannot be sent")
  }
  let text = String(decoding: body, as: UTF8.self).lowercased()
  for operation in operations {
    let reading = OperationReading(operation, .operation, host: "host", 200)
    let (outcome, answer) = reading.read(
      document.application(EntitlementContext.app), at: Timestamp(milliseconds: 1_790_000_000_000))
    if outcome.result == .verified {
      promise(
        text.contains("phonenumberverification") || text.contains("&#") || text.contains("\\u"), "a verdict of nobody's"
      )
    }
    if let found = answer?.number {
      let digits = found.revealed.utf8.dropFirst()
      promise(
        (7...15).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }, "a number that is none")
    }
    for shown in [answer?.simIDType, answer?.simID?.revealed, answer?.virtualOperator].compactMap(\.self) {
      promise(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control }, "control characters")
    }
    promise((answer == nil) != outcome.result.isSuccess || outcome.result == .verified, "an answer without a success")
  }
  return 0
}

/// A tag has each end that it needs, and the scanner ends.
private func scan(_ body: [UInt8]) {
  var scanner = MarkupScanner(body)
  var tokens = 0
  while scanner.next() != nil { tokens += 1 }
  promise(tokens <= 2 * body.count + 1, "more tokens than bytes")
  promise(scanner.next() == nil, "a token behind the end")
}
