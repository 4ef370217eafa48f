import ArgumentParser
import ModemAPI
import ModemctlCore
import Varlink

/// `modemctl sms list`
struct SMSList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "The messages that the modem keeps, one per line, in the order of arrival.")

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    var reply = try await session.callMessages(MessagesInterface.List.self, .init(modem: choice.modem), within: .answer)
    if !common.reveal { reply.messages = reply.messages.map { $0.masked() } }
    try session.show(reply) {
      reply.messages.isEmpty ? "no messages\n" : MessageRendering.table(reply.messages, session.paint)
    }
    if reply.storageFull, !common.json {
      session.complain("the modem's store is full and no more messages come; delete some with `modemctl sms delete ID`")
    }
    return .done
  }
}

/// `modemctl sms show`
struct SMSShow: Verb {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "One message in full.")

  @Argument(help: "The message's id, as `modemctl sms list` shows it.")
  var id: String

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    var message = try await session.callMessages(
      MessagesInterface.Get.self, .init(modem: choice.modem, id: id), within: .answer
    ).message
    if !common.reveal { message = message.masked() }
    try session.show(message) { MessageRendering.details(message, session.paint) }
    return .done
  }
}

/// `modemctl sms watch`
struct SMSWatch: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "New messages as they come, until interrupted.")

  @OptionGroup var choice: ModemOption
  @OptionGroup var common: CommonOptions

  func run(in session: Session) async throws -> ExitStatus {
    for try await reply in try await session.messageStream(
      MessagesInterface.Watch.self, .init(modem: choice.modem))
    {
      var shown = reply
      if !common.reveal { shown.message = reply.message?.masked() }
      try session.showNext(shown) {
        switch shown.event {
        case .ready: nil
        case .storageFull: "\(session.console.time())  the modem's store is full and no more messages arrive\n"
        case .arrived, .other: shown.message.map { "\(session.console.time())  \(MessageRendering.line($0))\n" }
        }
      }
    }
    throw VarlinkClientError.disconnected
  }
}
