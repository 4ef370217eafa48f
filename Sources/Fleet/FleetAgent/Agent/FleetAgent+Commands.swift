import FleetAPI
import FleetSettings
import JSONTree
import LimitClock
import MQTTClient

extension FleetAgent {
  /// Examines a message and, if it is a command for this machine that may be carried out, begins
  /// it.
  func receive(_ message: MQTTMessage) async {
    let person = Self.person(message)
    guard let address = topics.command(of: message.topic), FleetSettings.Commands.isRequester(address.requester) else {
      // Nobody could be answered.
      _ = await refuse(
        .init(.malformed, "the topic is none of this machine's commands"), requester: "?", command: "?",
        correlation: nil, person: nil)
      return
    }
    do {
      let command = try gate.examine(
        message, address, reply: topics.reply(to: address.requester), now: clocks.expiries.now)
      if let entry = book.entry(command.requester, command.correlation) {
        return try await repeated(entry, command, person)
      }
      try await begin(command, message, person)
    } catch {
      let name = Self.printable(address.name)
      guard
        await refuse(
          error, requester: address.requester, command: name, correlation: message.correlation, person: person)
      else { return }
      guard let correlation = message.correlation, CommandGate.correlationBytes.contains(correlation.count) else {
        return
      }
      answer(
        address.requester, correlation,
        errorBody(0, "org.modemd.Fleet.Refused", ["reason": .string(error.reason.rawValue)], error.text))
    }
  }

  private func begin(
    _ command: AcceptableCommand, _ message: MQTTMessage, _ person: String?
  ) async throws(CommandRefusal) {
    let form: CommandForm
    do {
      form = try CommandForm(command.name, message.payload, hosts: settings.commands.openHosts)
    } catch {
      throw CommandRefusal(error.reason, error.text)
    }
    try checkRoom(command)
    let target = try resolved(form.command).traced(Self.traceparent(message))
    book.begin(command)
    do {
      // After a sudden end, the next process knows that this one may have begun it.
      try await noteFirst(
        .begin(
          requester: command.requester, correlation: command.correlation, command: command.name.rawValue,
          lives: command.seconds))
    } catch {
      book.remove(command.requester, command.correlation)
      throw CommandRefusal(.notNow, "the machine cannot remember commands at present, and carries none out")
    }
    guard clocks.expiries.now < command.expires else {
      let refusal = CommandRefusal(.expired, "the command expired before it could begin")
      let body = errorBody(0, "org.modemd.Fleet.Refused", ["reason": .string("expired")], refusal.text)
      book.end(command.requester, command.correlation, body)
      await note(.end(requester: command.requester, correlation: command.correlation, reply: body))
      throw refusal
    }
    counts.accepted += 1
    answer(command.requester, command.correlation, acceptedBody(command.name.rawValue))
    let id = CommandID(requester: command.requester, correlation: command.correlation)
    running[id] = Task { [weak self] in await self?.perform(command, target, form.wantsProgress, person) }
    flush()
  }

  private func checkRoom(_ command: AcceptableCommand) throws(CommandRefusal) {
    let (atOnce, requesters) = (settings.commands.atOnce, settings.commands.requesters.count)
    guard book.running() < atOnce,
      book.running(of: command.requester) < CommandGate.share(of: atOnce, among: requesters)
    else { throw CommandRefusal(.tooMany, "too many commands run at this moment; try again later") }
    guard book.hasRoom(for: command.requester, clocks.expiries.now) else {
      throw CommandRefusal(.tooMany, "too many commands of this requester have not expired; give them shorter expiries")
    }
    if command.name == .diagnosis, isDiagnosing {
      throw CommandRefusal(.notNow, "a report is being made; try again later")
    }
  }

  /// The command for a modem by modemd's name.
  private func resolved(_ command: FleetCommand) throws(CommandRefusal) -> FleetCommand {
    guard let name = command.modem else { return command }
    guard let id = modems.keys.first(where: { discretion.name($0) == name }) else {
      throw CommandRefusal(.malformed, "modem: this machine has no modem of this name; modem.list names them")
    }
    return command.naming(modem: id)
  }

  /// A command that was here before. It is not carried out again.
  private func repeated(
    _ entry: CommandBook.Entry, _ command: AcceptableCommand, _ person: String?
  ) async throws(CommandRefusal) {
    guard entry.command == command.name.rawValue else {
      throw CommandRefusal(.malformed, "another command had this correlation data; make new ones for each command")
    }
    counts.repeated += 1
    let body: [String: JSONValue]
    switch entry.phase {
    case .running: body = acceptedBody(entry.command)
    case .finished(let reply): body = reply
    case .forgotten:
      body = errorBody(
        0, "org.modemd.Fleet.ReplyForgotten", [:], "the command was carried out, and its reply is not kept any more")
    case .interrupted:
      body = errorBody(
        0, "org.modemd.Fleet.Interrupted", [:],
        "the agent ended while it carried the command out; look at the machine's state before a new one")
    }
    answer(command.requester, command.correlation, body)
    await audit(
      AuditNote(
        requester: command.requester, command: entry.command, correlation: command.correlation, person: person,
        result: .repeated))
  }

  // MARK: - Replies

  func acceptedBody(_ command: String) -> [String: JSONValue] {
    ["seq": .int(0), "event": .string("accepted"), "command": .string(command)]
  }

  func errorBody(
    _ seq: Int, _ name: String, _ parameters: [String: JSONValue], _ text: String
  ) -> [String: JSONValue] {
    [
      "seq": .int(seq), "event": .string("error"), "error": .string(name), "parameters": .object(parameters),
      "text": .string(text),
    ]
  }

  /// Sends a reply to the requester's own topic.
  func answer(_ requester: String, _ correlation: [UInt8], _ body: [String: JSONValue]) {
    let now = clocks.waits.now
    replies.add(
      "reply/\(requester)", body, correlation: correlation, time: clocks.now(),
      expires: now + .seconds(Int64(CommandGate.longestLife)))
    flush()
  }

  // MARK: - Texts from outside

  /// The user property `person`, for the audit.
  private static func person(_ message: MQTTMessage) -> String? {
    message.userProperties.first { $0.name == "person" }.map { printable($0.value) }
  }

  /// The user property `traceparent`. modemd reads it strictly.
  private static func traceparent(_ message: MQTTMessage) -> String? {
    message.userProperties.first { $0.name == "traceparent" && $0.value.utf8.count <= 64 }?.value
  }

  /// At most 64 visible characters of ASCII; the others are dots.
  private static func printable(_ text: String) -> String {
    String(
      decoding: text.unicodeScalars.prefix(64).map { scalar in
        (0x20...0x7e).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: ".")
      }, as: UTF8.self)
  }
}
