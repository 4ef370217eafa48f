/// A DNS message (RFC 1035, 4).
public struct DNSMessage: Hashable, Sendable {
  /// A server's result (RFC 1035, 4.1.1); other numbers are possible.
  public struct ResponseCode: Hashable, Sendable, CustomStringConvertible {
    /// 0 to 15.
    public let number: UInt8

    public init(number: UInt8) { self.number = number & 0xf }

    public static let noError = ResponseCode(number: 0)
    public static let formatError = ResponseCode(number: 1)
    public static let serverFailure = ResponseCode(number: 2)
    /// The name does not exist.
    public static let nameError = ResponseCode(number: 3)
    public static let notImplemented = ResponseCode(number: 4)
    public static let refused = ResponseCode(number: 5)

    public var description: String {
      switch self {
      case .noError: "NOERROR"
      case .formatError: "FORMERR"
      case .serverFailure: "SERVFAIL"
      case .nameError: "NXDOMAIN"
      case .notImplemented: "NOTIMP"
      case .refused: "REFUSED"
      default: "RCODE\(number)"
      }
    }
  }

  public var id: UInt16
  public var isResponse = false
  /// 0 is a standard query.
  public var operation: UInt8 = 0
  public var isAuthoritative = false
  /// The rest did not fit. Ask again over TCP.
  public var isTruncated = false
  public var recursionDesired = false
  public var recursionAvailable = false
  public var responseCode = ResponseCode.noError
  public var questions: [DNSQuestion] = []
  public var answers: [DNSRecord] = []
  public var authorities: [DNSRecord] = []
  public var additionals: [DNSRecord] = []

  public init(id: UInt16) { self.id = id }

  /// A query that asks the server to resolve recursively.
  ///
  /// - Parameters:
  ///   - id: should be random; the answer repeats it.
  ///   - datagramBytes: adds EDNS0 with this size, 512 to 65535; nil leaves EDNS0 out.
  public static func query(_ question: DNSQuestion, id: UInt16, datagramBytes: UInt16? = nil) -> DNSMessage {
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
  public func response(_ code: ResponseCode = .noError, answers: [DNSRecord] = []) -> DNSMessage {
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
