import CodedError

/// Why a request has no complete answer, or why TLS trust cannot be established.
package typealias ExchangeError = CodedError<ExchangeErrorCode>

/// The kinds of failure a caller can act on.
package enum ExchangeErrorCode: String, ErrorCode {
  /// The roots of trust cannot be read.
  case badTrust
  /// A time limit was reached.
  case timeout
  /// The other side closed the connection too early, or does not speak as it should.
  case closed
  /// An answer is over its limit of bytes.
  case tooLarge
}
