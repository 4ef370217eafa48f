import ModemModel
import Testing

@testable import QMIBackend

/// The card, its files and its number.
extension `A recorded QMI message` {
  @Test(arguments: of(11, 0x2f)) func `tells the card's state`(recording: Recording) async throws {
    let answered = try await answer(recording, needsAnswer: !recording.isUnknownCommand) { backend in
      // Firmware without the command has an older one, which this modem refuses too.
      if recording.isUnknownCommand {
        #expect(await modemError { try await backend.simStatus() }?.code == .notSupported)
        return SIMStatus?.none
      }
      return try await backend.simStatus()
    }
    guard let status = answered ?? nil, let printed = recording.field("Card Status") else { return }
    let card = PrintedCard(printed)
    #expect(status.slot == card?.slot)
    #expect(status.state == card?.state ?? .absent)
    #expect(status.retriesLeft == card?.retriesLeft)
  }

  /// A card as libqmi prints it.
  private struct PrintedCard {
    let slot: Int
    let state: SIMStatus.State
    var retriesLeft: Int?

    /// Nil where no card is printed.
    init?(_ words: PrintedWords) {
      let cards = words.parts(behind: "card_state = ").map { PrintedWords("card_state = " + $0.printed) }
      let index = words.number("index_gw_primary").flatMap {
        $0 == 0xffff ? nil : (card: $0 >> 8, application: $0 & 0xff)
      }
      let used = index.flatMap { cards.indices.contains($0.card) ? $0.card : nil }
      guard let place = used ?? cards.firstIndex(where: { $0["card_state"] == "present" }) ?? cards.indices.first else {
        return nil
      }
      let card = cards[place]
      slot = place + 1
      let applications = card.parts(behind: "'[ type = ").map { PrintedWords("type = " + $0.printed) }
      let application =
        if let index {
          used == nil || !applications.indices.contains(index.application) ? nil : applications[index.application]
        } else {
          applications.first { ["sim", "usim"].contains($0["type"]) && Self.locks.contains($0["state"] ?? "") }
        }
      switch card["card_state"] {
      case "absent": state = .absent
      case "present": (state, retriesLeft) = application.map { Self.state($0, card) } ?? (.initialising, nil)
      case "error": state = card["error_code"] == "possibly-removed" ? .absent : .failed
      default: state = .unknown
      }
    }

    private static let locks = ["pin1-or-upin-pin-required", "puk1-or-upin-puk-required", "pin1-blocked"]

    private static func state(_ application: PrintedWords, _ card: PrintedWords) -> (SIMStatus.State, Int?) {
      let isUniversal = application["upin_replaces_pin1"] == "yes"
      let pin = isUniversal ? card.number("upin_retries") : application.number("pin1_retries")
      let puk = (isUniversal ? card.number("upuk_retries") : application.number("puk1_retries")) ?? 0
      let lock = isUniversal ? card["upin_state"] : application["pin1_state"]
      switch application["state"] {
      case "pin1-or-upin-pin-required": return (.pinRequired, pin)
      case "puk1-or-upin-puk-required": return puk > 0 ? (.pukRequired, puk) : (.failed, nil)
      case "check-personalization-state":
        let isOnItsWay = ["unknown", "in-progress", "ready"].contains(application["personalization_state"])
        return (isOnItsWay ? .initialising : .failed, nil)
      case "pin1-blocked": return lock == "blocked" && puk > 0 ? (.pukRequired, puk) : (.failed, nil)
      case "illegal": return (.failed, nil)
      case "ready": return (.ready, nil)
      default: return (.initialising, nil)
      }
    }
  }

  /// A file that is none of the ones asked for is no serial number.
  @Test(arguments: of(11, 0x20)) func `tells the card's serial number`(recording: Recording) async throws {
    let answered = try await answer(
      recording, needsAnswer: false,
      others: { request in (request.service, request.message) == (11, 0x2f) ? .reply(QMIField.ready) : nil },
      { try await $0.simStatus() })
    guard let status = answered else { return }
    let bytes = recording.answered("Read result")?.elements.compactMap { UInt8($0) }
    #expect(status.iccid?.revealed == bytes.flatMap(Self.serialNumber))
  }

  /// ETSI TS 102 221, 13.2: 18 to 20 digits, the lower nibble first, filled up with F.
  private static func serialNumber(_ file: [UInt8]) -> String? {
    let nibbles = file.flatMap { [$0 & 0xf, $0 >> 4] }
    let digits = nibbles.prefix { $0 < 10 }
    let isFilled = nibbles.dropFirst(digits.count).allSatisfy { $0 == 0xf }
    return isFilled && 18...20 ~= digits.count ? digits.map(String.init).joined() : nil
  }

  @Test(arguments: of(2, 0x24)) func `tells the number, or that there is none`(recording: Recording) async throws {
    let answered = try await answer(recording, needsAnswer: false, others: Self.cardWithoutFiles) {
      try await $0.simStatus()
    }
    guard let status = answered else { return }
    #expect(status.state == .ready)
    #expect(status.numbers.map(\.revealed) == (recording.answered("MSISDN")?.text.map { [$0] } ?? []))
  }
}

extension Recording {
  /// Whether firmware does not have the command: InvalidQmiCommand, NotSupported,
  /// DeviceUnsupported.
  fileprivate var isUnknownCommand: Bool { [71, 94, 25].contains(refusal ?? nil) }
}
