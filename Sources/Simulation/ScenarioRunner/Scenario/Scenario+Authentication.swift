import ModemSimulator
import OperatorSimulator

extension SimulatedAuthentication {
  /// The members of `modem.authentication` in a scenario's file.
  static let members = [
    "ways", "card", "statusWords", "claimedLength", "leavesOutAUTS", "givesKc", "milliseconds", "takenChannels",
    "usesGetResponse",
  ]

  /// Reads what `Docs/scenarios.md` describes.
  init(_ fields: ScenarioFields) throws {
    self.init()
    let known = Way.allCases.map(\.rawValue).joined(separator: ", ")
    ways = try fields.texts("ways", "one of \(known)", { Way(rawValue: $0) }).map(Set.init) ?? ways
    card = try fields.word("card", Card.self) ?? card
    statusWords = try fields.octets("statusWords", 2...2).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
    claimedLength = try fields.number("claimedLength", 0...255)
    leavesOutAUTS = try fields.flag("leavesOutAUTS") ?? leavesOutAUTS
    givesKc = try fields.flag("givesKc") ?? givesKc
    delay = .milliseconds(try fields.number("milliseconds", 0...600_000) ?? 0)
    takenChannels = try fields.number("takenChannels", 0...3) ?? takenChannels
    usesGetResponse = try fields.flag("usesGetResponse") ?? usesGetResponse
  }
}
