import ModemModel

/// Puts a card's answer to AUTHENTICATE together (3GPP TS 31.102, 7.1.2).
///
/// A card gives it at once, or keeps it until GET RESPONSE; some modems fetch it themselves.
package struct AuthenticateAnswer: Sendable, CustomReflectable {
  /// What to do after a part of the answer.
  package enum Step: Hashable, Sendable {
    case answered(AKAAnswer)
    /// Send GET RESPONSE for this many bytes; 0 means 256.
    case fetch(UInt8)
  }

  /// The longest answer: tag, then RES, CK, IK and Kc, each behind its length.
  private static let longest = 1 + 17 + 17 + 17 + 9
  /// More parts than any card needs.
  private static let partLimit = 4

  private let name: String
  private var data: [UInt8] = []
  private var parts = 0

  /// - Parameter name: what was asked, for errors.
  package init(_ name: String) { self.name = name }

  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Takes what the card sent. It fails with the meaning of the status words, and with `badReply`
  /// for what no SIM answers.
  ///
  /// - Parameters:
  ///   - part: the data before the status words.
  ///   - words: the status words.
  package mutating func take(_ part: [UInt8], _ words: StatusWords) -> Result<Step, ModemError> {
    do throws(ModemError) {
      return .success(try step(part, words))
    } catch {
      return .failure(error)
    }
  }

  private mutating func step(_ part: [UInt8], _ words: StatusWords) throws(ModemError) -> Step {
    var goesOn = false
    defer { if !goesOn { data.withUnsafeMutableBytes { WipedText.wipe($0) } } }
    parts += 1
    data += part
    guard data.count <= Self.longest else { throw unreadable("it has more than \(Self.longest) bytes") }
    // 6C is for a GET RESPONSE of another length. A second AUTHENTICATE is never sent.
    if words.first == 0x61 || words.first == 0x6c && parts > 1 {
      guard parts < Self.partLimit else { throw unreadable("it comes in too many parts") }
      goesOn = true
      return .fetch(words.second)
    }
    if words.isDone { return .answered(try content()) }
    if let answer = try Self.meaning(of: words, during: name) { return .answered(answer) }
    throw unreadable("its status words are \(words)")
  }

  /// Reads a whole answer that a modem fetched.
  package static func read(
    _ data: [UInt8], _ words: StatusWords, during name: String
  ) -> Result<AKAAnswer, ModemError> {
    var answer = AuthenticateAnswer(name)
    return answer.take(data, words).flatMap { step in
      guard case .answered(let result) = step else {
        return .failure(answer.unreadable("the modem left it on the card"))
      }
      return .success(result)
    }
  }

  /// What status words alone say; nil if they say nothing about authentication.
  private static func meaning(of words: StatusWords, during name: String) throws(ModemError) -> AKAAnswer? {
    func error(_ code: ModemError.Code, _ text: String) -> ModemError {
      ModemError(code, "\(name): \(text) (status words \(words))")
    }
    switch (words.first, words.second) {
    case (0x98, 0x62): return .refused
    case (0x98, 0x64), (0x6d, _), (0x6e, _): throw error(.notSupported, "the SIM cannot answer such a challenge")
    case (0x69, 0x82): throw error(.simLocked, "the SIM is locked; enter its PIN")
    case (0x69, 0x83): throw error(.simLocked, "the PIN is blocked; the SIM asks for its PUK")
    case (0x69, 0x85):
      throw error(.simNotReady, "the SIM is not ready for it; check that its PIN is entered, then try again")
    case (0x93, 0x00): throw error(.simNotReady, "the SIM is busy; try again")
    default: return nil
    }
  }

  private func content() throws(ModemError) -> AKAAnswer {
    guard let tag = data.first else { throw unreadable("it is empty") }
    var rest = data.dropFirst()
    switch tag {
    case 0xdb:
      let (res, ck, ik) = (field(&rest), field(&rest), field(&rest))
      // With service 27, a key for GSM follows. Nothing uses it.
      let kc = rest.isEmpty ? nil : field(&rest)
      guard let res, let ck, let ik, rest.isEmpty, kc.map({ $0.count == 8 }) ?? true,
        let response = AKAResponse(res: res, ck: ck, ik: ik)
      else { throw unreadable("RES or a key has a length that no SIM gives") }
      return .response(response)
    case 0xdc:
      guard rest.first == UInt8(AUTS.count), let auts = AUTS(rest.dropFirst()) else {
        throw unreadable("AUTS has a length that no SIM gives")
      }
      return .synchronise(auts)
    default: throw unreadable("it begins with neither DB nor DC")
    }
  }

  /// The next field, behind its length; nil if the answer ends before it does.
  private func field(_ rest: inout ArraySlice<UInt8>) -> WipedBytes? {
    guard let count = rest.first.map(Int.init), rest.count > count else { return nil }
    defer { rest = rest.dropFirst(1 + count) }
    return WipedBytes(rest.dropFirst().prefix(count))
  }

  private func unreadable(_ why: String) -> ModemError {
    ModemError(.badReply, "\(name): the SIM's answer cannot be read", cause: why)
  }
}
