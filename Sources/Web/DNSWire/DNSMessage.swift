/// A DNS message (RFC 1035, 4).
package struct DNSMessage: Hashable, Sendable {
  /// A server's result (RFC 1035, 4.1.1); other numbers are possible.
  package struct ResponseCode: Hashable, Sendable, CustomStringConvertible {
    /// 0 to 15.
    package let number: UInt8

    package init(number: UInt8) { self.number = number & 0xf }

    package static let noError = ResponseCode(number: 0)
    package static let formatError = ResponseCode(number: 1)
    package static let serverFailure = ResponseCode(number: 2)
    /// The name does not exist.
    package static let nameError = ResponseCode(number: 3)
    package static let notImplemented = ResponseCode(number: 4)
    package static let refused = ResponseCode(number: 5)

    private static let names = ["NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED"]

    package var description: String {
      Int(number) < Self.names.count ? Self.names[Int(number)] : "RCODE\(number)"
    }
  }

  package var id: UInt16
  package var isResponse = false
  /// 0 is a standard query.
  package var operation: UInt8 = 0
  package var isAuthoritative = false
  /// The rest did not fit. Ask again over TCP.
  package var isTruncated = false
  package var recursionDesired = false
  package var recursionAvailable = false
  package var responseCode = ResponseCode.noError
  package var questions: [DNSQuestion] = []
  package var answers: [DNSRecord] = []
  package var authorities: [DNSRecord] = []
  package var additionals: [DNSRecord] = []

  package init(id: UInt16) { self.id = id }

  /// A query that asks the server to resolve recursively.
  ///
  /// - Parameters:
  ///   - id: should be random; the answer repeats it.
  ///   - datagramBytes: adds EDNS0 with this size, 512 to 65535; nil leaves EDNS0 out.
  package static func query(_ question: DNSQuestion, id: UInt16, datagramBytes: UInt16? = nil) -> DNSMessage {
    var message = DNSMessage(id: id)
    message.recursionDesired = true
    message.questions = [question]
    if let datagramBytes {
      message.additionals = [
        DNSRecord(.root, .other(.opt, []), ttl: 0, recordClass: max(datagramBytes, 512))
      ]
    }
    return message
  }

  /// An answer to this query, with its id and question.
  package func response(_ code: ResponseCode = .noError, answers: [DNSRecord] = []) -> DNSMessage {
    var message = DNSMessage(id: id)
    message.isResponse = true
    message.operation = operation
    message.recursionDesired = recursionDesired
    message.recursionAvailable = true
    message.responseCode = code
    message.questions = questions
    message.answers = answers
    return message
  }
}
