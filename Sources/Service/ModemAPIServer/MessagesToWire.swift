import FoundationEssentials
import ModemAPI
import ModemService
import ShortMessage
import Varlink

extension MessagesInterface.Message {
  init(_ found: MessageService.Found) {
    let message = found.message
    self.init(
      id: message.id, modem: found.modem, sender: message.sender.revealed,
      senderKind: SenderKind(word: message.sender.kind), text: message.text?.revealed,
      base64: message.data.map { Data($0).base64EncodedString() }, sent: message.sent?.time.description,
      sentZoneMinutes: message.sent?.zoneMinutes, received: message.received?.description,
      messageClass: message.messageClass, port: message.destinationPort.map(Int.init), parts: message.total,
      partsPresent: message.parts.count, stored: message.isStored, serviceCentre: message.serviceCentre?.revealed)
  }
}

extension MessageError {
  var onWire: VarlinkError {
    switch code {
    case .noSuchMessage(let id): VarlinkError(MessagesInterface.NoSuchMessage(id: id))
    case .unavailable: VarlinkError(MessagesInterface.MessagesUnavailable(text: message))
    case .storageFull: VarlinkError(MessagesInterface.StorageFull(text: message))
    case .noCode(let seen): VarlinkError(MessagesInterface.NoCode(messagesSeen: seen, text: message))
    case .tooManyWaits(let limit): VarlinkError(MessagesInterface.TooManyWaits(limit: limit))
    case .invalidOption(let option, let expected):
      VarlinkError(MessagesInterface.InvalidOption(option: option, expected: expected))
    }
  }
}
