import ModemModel

/// What all simulated providers of a world share: the operator's subscribers, time, chance, and
/// messages.
package struct ProviderEnvironment: Sendable {
  package var subscribers: SimulatedSubscribers
  /// The time now; a test gives its own.
  package var now: @Sendable () -> Timestamp
  /// A random byte; a test gives its own.
  package var randomByte: @Sendable () -> UInt8 = { .random(in: 0...255) }
  /// The word that a test or a demonstration set under this name since the start; nil without one.
  /// Names are `KIND.WORD`, as in `sample.mood`.
  package var word: @Sendable (_ name: String) -> String? = { _ in nil }
  /// The temporary tokens that the operator's servers share.
  package let operatorTokens = SimulatedOperatorTokens()
  /// The world's folder, where programs that run in it have their sockets; nil outside a world.
  package var folder: String?
  private let deliver: @Sendable (_ number: String, _ sender: String, _ text: String) async -> Void
  private let report: @Sendable (_ kind: String, _ value: String) -> Void

  /// - Parameters:
  ///   - subscribers: the operator's subscribers.
  ///   - now: the time.
  ///   - deliver: brings a short message to the modem with a number; a number that no modem has is
  ///     accepted.
  ///   - report: receives each secret that a service makes, so that a test can search for it.
  package init(
    subscribers: SimulatedSubscribers, now: @escaping @Sendable () -> Timestamp,
    deliver: @escaping @Sendable (_ number: String, _ sender: String, _ text: String) async -> Void = { _, _, _ in },
    report: @escaping @Sendable (_ kind: String, _ value: String) -> Void = { _, _ in }
  ) {
    self.subscribers = subscribers
    self.now = now
    self.deliver = deliver
    self.report = report
  }

  /// Sends a short message.
  ///
  /// - Parameters:
  ///   - number: E.164. A number that no modem of the world has is accepted, and the message goes
  ///     nowhere.
  ///   - sender: a number, or at most 11 characters without a blank.
  ///   - text: as long as it needs to be; long ones come in parts.
  package func sendMessage(to number: String, from sender: String, text: String) async {
    await deliver(number, sender, text)
  }

  /// Reports that a service has made a secret, which must not appear in any log.
  ///
  /// - Parameters:
  ///   - kind: what it is, as in `access token`.
  ///   - secret: the text as it is sent; empty ones do not count.
  package func issued(_ secret: String, as kind: String) {
    if !secret.isEmpty { report(kind, secret) }
  }

  /// Makes a secret of hexadecimal digits, and reports it.
  ///
  /// - Parameter bytes: 4 to 64.
  package func makeToken(_ kind: String, bytes: Int = 16) -> String {
    let token = makeName(bytes: bytes)
    issued(token, as: kind)
    return token
  }

  /// Makes a name of hexadecimal digits that anybody may see.
  ///
  /// - Parameter bytes: 4 to 64.
  package func makeName(bytes: Int) -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<bytes).map { _ in randomByte() }.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// Makes a one-time code of decimal digits, and reports it.
  ///
  /// - Parameter digits: 4 to 10.
  package func makeCode(_ kind: String, digits: Int = 6) -> String {
    let code = (0..<digits).map { _ in String(randomByte() % 10) }.joined()
    issued(code, as: kind)
    return code
  }
}
