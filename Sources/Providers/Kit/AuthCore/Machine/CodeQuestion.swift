/// What a flow asks its caller for. The caller answers with another call.
package struct CodeQuestion: Hashable, Sendable {
  /// What is wanted.
  package enum Wanted: Hashable, Sendable {
    /// The one-time code of a message.
    case code
    /// What a mail contained: a link or a code.
    case mail(Mail)
    /// A PIN with the given number of digits. The user chooses a new one, or enters the existing
    /// one.
    case pin(lengths: ClosedRange<Int>, isNew: Bool)
  }

  /// What a mail holds.
  package enum Mail: String, Hashable, Sendable, CaseIterable {
    case link, code
  }

  /// As in `askForPIN`.
  package var step: String
  package var wanted: Wanted
  /// How long to wait for the answer.
  package var time: Duration
  /// What the answer is for, in the requester's words, such as a website's name. People see it and
  /// can then refuse.
  package var purpose: String?
  /// Nil for the first question; otherwise how many more answers are tried after the wrong ones.
  package var left: Int?
  /// What the caller can go on with later, if the answer does not come now.
  package var resumption: Secret?

  package init(
    _ step: String, _ wanted: Wanted = .code, within time: Duration, for purpose: String? = nil, left: Int? = nil,
    resumption: Secret? = nil
  ) {
    self.left = left
    self.resumption = resumption
    self.step = step
    self.wanted = wanted
    self.time = time
    self.purpose = purpose
  }
}
