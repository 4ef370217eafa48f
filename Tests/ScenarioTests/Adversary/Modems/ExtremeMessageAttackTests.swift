import ModemAPI
import ModemModel
import ScenarioRunner
import Testing

/// A modem that passes on messages whose counts, lengths and times are extreme.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ExtremeMessageAttackTests {
  /// A delivery: sender, protocol and coding are plain, the rest is given in hexadecimal digits.
  private static func delivery(
    first: String = "04", sender: String = "0B919471214365F7", coding: String = "00", time: String, length: String,
    data: String
  ) -> String { "00\(first)\(sender)00\(coding)\(time)\(length)\(data)" }

  private static let messages: [String] = {
    let times = [
      "FFFFFFFFFFFFFF", "00000000000000", "99213195959500", "62023000000000", "622010000000F9", "6220100000000F",
    ]
    let dated = times.map { delivery(time: $0, length: "05", data: "E8329BFD06") }
    let text = String(repeating: "41", count: 140)
    let lengths = ["00", "01", "A0", "A1", "FF"].flatMap { length in
      ["00", "04", "08"].map { delivery(coding: $0, time: "62201000000000", length: length, data: text) }
    }
    // Headers: longer than the data, elements without end, part 0 of 0, part 255 of 255, part 255
    // of 1.
    let headers = [
      "FF", "05000300", "0500030000", "050003FF0000", "050003FFFFFF", "050003FF01FF", "060804FFFFFFFF", "8C00",
    ]
    let headed = headers.map {
      delivery(first: "44", coding: "08", time: "62201000000000", length: "8C", data: String(($0 + text).prefix(280)))
    }
    let senders = ["14D0" + String(repeating: "FF", count: 10), "0091", "FF91", "0BF1FFFFFFFFFFFF", "01A1F0"]
    let sent = senders.map { delivery(sender: $0, time: "62201000000000", length: "05", data: "E8329BFD06") }
    return dated + lengths + headed + sent
  }()

  @Test(
    "Lengths, parts and times of short messages", .timeLimit(.minutes(2)), .attack(by: .modem, .held),
    arguments: ModemProtocol.allCases)
  func messages(kind: ModemProtocol) async throws {
    try await Worlds.with(#"{"messages": {"capacity": 255}}"#, kind: kind) { world in
      let service = try #require(await Survivor.find(world))
      let port = try #require(await Survivor.find(world, .port))
      for message in Self.messages {
        // The simulated modem takes no octets that are no message at all.
        _ = try? await world.perform("sms-pdu \(message)")
      }
      _ = try await world.perform("sms +4915150000000 the last one")
      let client = try await world.client()
      let came = try await world.eventually {
        try await client.call(MessagesInterface.List.self, .init()).messages.contains { $0.text == "the last one" }
      }
      #expect(came, "modemd reads no more messages")
      #expect(await Survivor.find(world) == service, "modemd ended")
      #expect(await Survivor.find(world, .port) == port, "the port ended")
      try await Survivor.expectAnswer(world)
    }
  }
}
