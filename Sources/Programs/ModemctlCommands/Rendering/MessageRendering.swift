import ModemAPI
import ModemctlCore

/// Messages for people.
enum MessageRendering {
  static func table(_ messages: [MessagesInterface.Message], _ paint: Paint) -> String {
    TableLayout.render(
      [.init("ID"), .init("TIME"), .init("FROM"), .init("PARTS", isNumber: true), .init("TEXT")],
      messages.map { message in
        [
          Cell(message.id), Cell(time(message)), Cell(inOneLine(message.sender)), Cell(parts(message)),
          Cell(summary(message)),
        ]
      }, paint)
  }

  static func line(_ message: MessagesInterface.Message) -> String {
    "\(message.id)  \(inOneLine(message.sender)): \(summary(message))"
  }

  static func details(_ message: MessagesInterface.Message, _ paint: Paint) -> String {
    let zone = message.sentZoneMinutes.map { minutes in
      let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
      return " (UTC\(minutes < 0 ? "-" : "+")\(hours)\(rest == 0 ? "" : ":\(rest)"))"
    }
    let head = Details.Group(
      message.id,
      [
        ("Modem", message.modem), ("From", inOneLine(message.sender)),
        ("Sent", message.sent.map { ShownTime.text($0) + (zone ?? "") }),
        ("Received", message.received.map(ShownTime.text)),
        ("Parts", message.parts > 1 ? parts(message) : nil),
        ("Class", message.messageClass.map { "\($0)\($0 == 0 ? " (to be shown at once)" : "")" }),
        ("For port", message.port.map { "\($0)" }), ("Stored", message.stored ? "by the modem" : "in memory only"),
        ("Service centre", message.serviceCentre.map(inOneLine)),
      ])
    let body = message.text.map { ForeignText.visible($0) } ?? message.base64.map { "Data in base64: \($0)" } ?? ""
    return Details(groups: [head]).render(paint) + "\n" + body + "\n"
  }

  private static func time(_ message: MessagesInterface.Message) -> String? {
    (message.received ?? message.sent).map { String($0.prefix(19)).replacing("T", by: " ") }
  }

  private static func parts(_ message: MessagesInterface.Message) -> String {
    message.partsPresent == message.parts ? "\(message.parts)" : "\(message.partsPresent) of \(message.parts)"
  }

  private static func summary(_ message: MessagesInterface.Message) -> String {
    guard let text = message.text else { return message.base64 == nil ? "" : "(data)" }
    let line = inOneLine(text)
    return line.count > 60 ? line.prefix(59) + "…" : line
  }

  private static func inOneLine(_ text: String) -> String {
    ForeignText.visible(text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension String {
  fileprivate func replacing(_ old: Character, by new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }
}

extension MessagesInterface.Message {
  /// Numbers except for their last two digits, and digits in the text that may be a code, become
  /// dots.
  func masked() -> Self {
    var message = self
    if senderKind != .alphanumeric { message.sender = Mask.digits(sender, readable: 2) }
    message.serviceCentre = serviceCentre.map { Mask.digits($0, readable: 2) }
    message.text = text.map(Self.masked)
    message.base64 = base64.map { _ in Mask.hidden }
    return message
  }

  /// Runs of letters and digits with at least one digit and three characters.
  private static func masked(_ text: String) -> String {
    var result = ""
    var run = ""
    func flush() {
      result += run.count >= 3 && run.contains(where: \.isNumber) ? Mask.dots : run
      run = ""
    }
    for character in text {
      if character.isLetter || character.isNumber {
        run.append(character)
      } else {
        flush()
        result.append(character)
      }
    }
    flush()
    return result
  }
}
