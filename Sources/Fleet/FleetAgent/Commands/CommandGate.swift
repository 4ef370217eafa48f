import FleetSettings
import LimitClock
import MQTTClient

/// A command as it came, after everything about its message was in order.
struct AcceptableCommand: Sendable {
  let requester: String
  let name: FleetCommand.Name
  let correlation: [UInt8]
  /// When its expiry ends, by the clock of expiries.
  let expires: LimitClock.Instant
  let seconds: Int
}

/// Decides which messages are commands that this machine carries out. It knows no payload and
/// keeps no command, so that what is refused costs little.
struct CommandGate: Sendable {
  /// Seconds that a command may be on its way.
  static let longestLife = 300
  static let correlationBytes = 16...64
  /// Longest payload of a command, in bytes.
  static let mostBytes = 4096
  /// Requesters of whom the rate is kept.
  static let mostRequesters = 64

  private let commands: FleetSettings.Commands
  private var all: RateWindow
  private var each: [String: RateWindow] = [:]

  init(_ commands: FleetSettings.Commands) {
    self.commands = commands
    all = RateWindow(commands.aMinute, within: .seconds(60))
  }

  /// How many commands one requester may have at once, or in a minute: three quarters, so that
  /// nobody can take all from the others.
  static func share(of whole: Int, among requesters: Int) -> Int {
    requesters > 1 ? max(1, whole * 3 / 4) : whole
  }

  /// Examines a message.
  ///
  /// - Parameters:
  ///   - address: requester and command's name, from the topic, which the broker guards.
  ///   - reply: the topic that is answered; another response topic is refused.
  mutating func examine(
    _ message: MQTTMessage, _ address: (requester: String, name: String), reply: String, now: LimitClock.Instant
  ) throws(CommandRefusal) -> AcceptableCommand {
    guard !message.isRetained else {
      throw CommandRefusal(.retained, "a retained command is not carried out; send it without the retain flag")
    }
    guard let correlation = message.correlation, Self.correlationBytes.contains(correlation.count) else {
      throw CommandRefusal(.malformed, "correlation data of 16 to 64 bytes is missing")
    }
    guard let seconds = message.expirySeconds else {
      throw CommandRefusal(.malformed, "the message expiry is missing; expected 1 to 300 seconds")
    }
    guard seconds <= Self.longestLife else {
      throw CommandRefusal(.malformed, "the message expiry is too long; expected 1 to 300 seconds")
    }
    guard seconds > 0 else { throw CommandRefusal(.expired, "the command had expired when it came") }
    if let response = message.responseTopic, response != reply {
      throw CommandRefusal(
        .notAllowed, "replies go to the requester's own reply topic only; leave the response topic out")
    }
    guard message.payload.count <= Self.mostBytes else {
      throw CommandRefusal(.tooLarge, "the payload has more than \(Self.mostBytes) bytes")
    }
    guard let name = FleetCommand.Name(rawValue: address.name) else {
      throw CommandRefusal(.unknownCommand, "there is no such command")
    }
    guard let allowed = commands.requesters[address.requester], allowed.contains(name.rawValue) else {
      throw CommandRefusal(.notAllowed, "this machine's settings do not allow the requester this command")
    }
    try count(address.requester, now)
    return AcceptableCommand(
      requester: address.requester, name: name, correlation: correlation, expires: now + .seconds(Int64(seconds)),
      seconds: Int(seconds))
  }

  private mutating func count(_ requester: String, _ now: LimitClock.Instant) throws(CommandRefusal) {
    let share = Self.share(of: commands.aMinute, among: commands.requesters.count)
    var own = each[requester] ?? RateWindow(share, within: .seconds(60))
    let isFree = own.opens(now) == nil
    guard isFree, all.take(now) else {
      each[requester] = own
      throw CommandRefusal(.tooMany, "too many commands came within a minute; try again later")
    }
    _ = own.take(now)
    // Requesters are those of the settings, and no more than that.
    each[requester] = own
  }
}
