import BearerStreams
import ModemModel
import ModemService

/// Why the proxy opens no connection.
package struct ProxyRefusal: Error, Hashable, Sendable {
  /// The kinds that a client can tell apart.
  package enum Kind: CaseIterable, Hashable, Sendable {
    // What the client said.
    case malformed, tooLong, tooSlow, methodNotAllowed, commandNotSupported, addressTypeNotSupported
    // What it may do.
    case notAllowed, destinationNotAllowed, budgetSpent
    // The modem and its bearer.
    case noSuchModem, modemNotNamed, notReady, bearerLost
    // The other end.
    case notResolved, refused, timedOut, unreachable, failed
  }

  package let kind: Kind
  /// One sentence.
  package let text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// RFC 1928, section 6.
  var replyCode: UInt8 {
    switch kind {
    case .notAllowed, .destinationNotAllowed, .budgetSpent: 2
    case .notReady, .bearerLost: 3
    case .notResolved, .unreachable: 4
    case .refused: 5
    case .timedOut, .tooSlow: 6
    case .commandNotSupported, .methodNotAllowed: 7
    case .addressTypeNotSupported: 8
    case .malformed, .tooLong, .noSuchModem, .modemNotNamed, .failed: 1
    }
  }

  /// RFC 9110, section 15, and RFC 6585.
  var status: (code: Int, reason: String) {
    switch kind {
    case .malformed, .modemNotNamed, .commandNotSupported, .addressTypeNotSupported: (400, "Bad Request")
    case .notAllowed, .destinationNotAllowed: (403, "Forbidden")
    case .noSuchModem: (404, "Not Found")
    case .methodNotAllowed: (405, "Method Not Allowed")
    case .tooSlow: (408, "Request Timeout")
    case .budgetSpent: (429, "Too Many Requests")
    case .tooLong: (431, "Request Header Fields Too Large")
    case .notResolved, .refused, .unreachable, .failed, .bearerLost: (502, "Bad Gateway")
    case .notReady: (503, "Service Unavailable")
    case .timedOut: (504, "Gateway Timeout")
    }
  }
}

extension ProxyRefusal {
  static let noRight = ProxyRefusal(
    .notAllowed,
    "You may not open connections over the bearer. An administrator can add your group to access.table under "
      + "org.modemd.Bearer.OpenStream.")

  /// What a failed attempt means for the client.
  init(_ error: any Error) {
    switch error {
    case let error as ProxyRefusal: self = error
    case let error as StreamError: self.init(error)
    case let error as ServiceError: self.init(error)
    case let error as ModemError: self.init(.notReady, error.message)
    case is CancellationError: self.init(.failed, "The service is ending.")
    default: self.init(.failed, "The connection could not be made.")
    }
  }

  private init(_ error: StreamError) {
    switch error {
    case .notResolved(_, let text): self.init(.notResolved, text)
    case .destinationNotAllowed(_, _, let text): self.init(.destinationNotAllowed, text)
    case .budgetSpent(_, let resets, let text):
      self.init(.budgetSpent, resets.map { "\(text) The budget starts anew at \($0)." } ?? text)
    case .notConnected(let reason, let text):
      let kind: Kind =
        switch reason {
        case .refused: .refused
        case .timedOut: .timedOut
        case .unreachable: .unreachable
        case .refusedAddress: .destinationNotAllowed
        case .bearerLost: .bearerLost
        case .failed: .failed
        }
      self.init(kind, text)
    }
  }

  private init(_ error: ServiceError) {
    switch error.code {
    case .noSuchModem: self.init(.noSuchModem, error.message)
    case .moreThanOneModem(let names):
      self.init(
        .modemNotNamed,
        "There are several modems (\(names.joined(separator: ", "))). Name one as the user name of the proxy.")
    case .noModem, .portUnavailable, .inUse: self.init(.notReady, error.message)
    case .tooManyFlows, .waitedTooLong: self.init(.budgetSpent, error.message)
    }
  }
}
