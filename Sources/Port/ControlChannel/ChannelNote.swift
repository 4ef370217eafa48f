/// A file that records that a channel to the SIM is open, for the backend that opens the port after
/// a crash. A card has few channels, and keeps them until it is reset.
package struct ChannelNote: Sendable {
  /// What an earlier backend left on the card.
  package enum Left: Hashable, Sendable {
    case channel(slot: UInt8, number: UInt8)
    /// It had asked for a channel, and did not come to note the number.
    case unknown
  }

  private let note: DeviceNote

  /// - Parameters:
  ///   - path: The file; its directory must exist.
  ///   - device: Path of the control port.
  package init(path: String, device: String) { note = DeviceNote(path: path, device: device) }

  /// What an earlier backend left on the card of this modem; nil for nothing.
  package func left() -> Left? {
    guard let text = note.text(limit: 256), let stamp = note.stamp else { return nil }
    let lines = text.split(separator: "\n")
    guard lines.count == 2, lines[0] == stamp else { return nil }
    let words = lines[1].split(separator: " ").dropFirst().compactMap { UInt8($0) }
    return words.count == 2 ? .channel(slot: words[0], number: words[1]) : .unknown
  }

  /// Records what the card holds from now on. It is written before the modem is asked, because the
  /// process may be killed before the answer.
  package func write(_ left: Left) {
    guard let stamp = note.stamp else { return }
    let line =
      switch left {
      case .channel(let slot, let number): "channel \(slot) \(number)"
      case .unknown: "channel ?"
      }
    note.write("\(stamp)\n\(line)\n")
  }

  /// Removes the file: no channel is open.
  package func erase() { note.erase() }
}
