/// Checks a modem's message before libmbim reads it.
///
/// libmbim 1.28 trusts counts. It makes arrays as long as the modem claims, frees one twice if an
/// element is missing, and reads a TLV's header without checking that there is one. A wrong number
/// from the modem then ends the process or takes gigabytes.
package enum MBIMReplyCheck {
  /// A layout, and the first version of the extensions in which its message has it.
  struct Entry: Sendable {
    let subject: MBIMFrame.Subject
    let since: MBIMExtensions
    /// The status whose replies have this layout; nil for every other.
    let status: UInt32?
    let reply: MBIMShape?
    let indication: MBIMShape?
    /// The names of libmbim's parsers without `mbim_message_` and `_response_parse` or
    /// `_notification_parse`.
    let parser: String
  }

  private static let entries: [MBIMFrame.Subject: [Entry]] = Dictionary(
    grouping: MBIMShapes.basicConnect + MBIMShapes.extended + MBIMShapes.cards + MBIMShapes.messages
      + MBIMShapes.challenges,
    by: \.subject
  ).mapValues { $0.sorted { ($0.since, $0.status ?? 0) > ($1.since, $1.status ?? 0) } }

  /// The parsers of libmbim that may read a message after it passed the check.
  package static var parsers: Set<String> {
    Set(
      entries.values.joined().flatMap { entry in
        (entry.reply == nil ? [] : ["mbim_message_\(entry.parser)_response_parse"])
          + (entry.indication == nil ? [] : ["mbim_message_\(entry.parser)_notification_parse"])
      })
  }

  /// The layout of a message's information buffer; nil if this check knows none.
  ///
  /// - frame: a message with parsed headers.
  ///   - frame: a reply or an indication.
  ///   - Throws: `ReplyFlaw` if a count, an offset, a length or a string is wrong, and for messages
  ///     without a layout here.
  package static func shape(of frame: MBIMFrame, _ version: MBIMExtensions) -> MBIMShape? {
    guard let subject = frame.subject else { return nil }
    let entries = entries[subject]
    if case .reply(_, let status) = frame.kind {
      return entries?.first { $0.since <= version && ($0.status == nil || $0.status == status) }?.reply
    }
    return entries?.first { $0.since <= version && $0.status == nil }?.indication
  }

  /// Checks the information buffer of a reply or an indication against the layout of its message.
  ///
  /// - frame: a message with parsed headers.
  ///   - version: the version in force between modem and host.
  ///   - Throws: `ReplyFlaw` if a count, an offset, a length or a string is wrong, and for messages
  ///     without a layout here.
  /// - Throws: `ReplyFlaw` when a count, an offset, a length or a string is wrong, and for messages
  ///   without a layout here.
  package static func check(_ frame: MBIMFrame, _ version: MBIMExtensions) throws(ReplyFlaw) {
    guard let subject = frame.subject else { return }
    guard let shape = shape(of: frame, version) else {
      throw ReplyFlaw("\(subject.service.name ?? "an unknown service"), command \(subject.command), is not known here")
    }
    try shape.check(frame.information)
  }
}
