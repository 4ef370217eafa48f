/// What a flow asks its caller for, who answers by another call.
public struct CodeQuestion: Hashable, Sendable {
  /// What is wanted.
  public enum Wanted: Hashable, Sendable {
    /// The one-time code of a message.
    case code
    /// What came by mail: a link, or a code.
    case mail(Mail)
    /// A PIN of so many digits. A new one is chosen; else it is the one that was chosen before.
    case pin(lengths: ClosedRange<Int>, isNew: Bool)
  }

  /// What a mail holds.
  public enum Mail: String, Hashable, Sendable, CaseIterable {
    case link, code
  }

  /// As in `askForPIN`.
  public var step: String
  public var wanted: Wanted
  /// How long the answer is waited for.
  public var time: Duration
  /// What the answer is good for, in the words of whoever wants it, as a website's name: for people, who can then refuse.
  public var purpose: String?

  public init(_ step: String, _ wanted: Wanted = .code, within time: Duration, for purpose: String? = nil) {
    self.step = step
    self.wanted = wanted
    self.time = time
    self.purpose = purpose
  }
}
