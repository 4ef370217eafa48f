import FlowService
import ModemAPI
import ModemService
import Varlink

/// org.modemd.Messages.
struct MessagesHarness: Sendable {
  /// Who reads a machine's messages can sign in as its owner in many places: the groups of the rest are not enough.
  static let rights = InterfaceRights([
    .messageGroups: [
      MessagesInterface.List.self, MessagesInterface.Get.self, MessagesInterface.Watch.self,
      MessagesInterface.WaitForCode.self, MessagesInterface.Delete.self,
    ]
  ])

  let messages: MessageService

  func add(to router: inout VarlinkRouter) {
    router.add(MessagesInterface.self)
    router.handle(MessagesInterface.List.self) { parameters, _ in
      try await onWire {
        let (found, isFull) = try await messages.list(parameters.modem)
        return .init(messages: found.map(MessagesInterface.Message.init), storageFull: isFull)
      }
    }
    router.handle(MessagesInterface.Get.self) { parameters, _ in
      try await onWire {
        .init(message: MessagesInterface.Message(try await messages.get(parameters.id, of: parameters.modem)))
      }
    }
    router.handle(MessagesInterface.Delete.self) { parameters, _ in
      try await onWire {
        try await messages.delete(parameters.id, of: parameters.modem)
        return .init()
      }
    }
    router.handle(MessagesInterface.WaitForCode.self) { parameters, _ in
      try await onWire {
        let request = try CodeRequest(
          modem: parameters.modem, sender: parameters.sender, pattern: parameters.pattern,
          timeoutSeconds: parameters.timeoutSeconds, lookBackSeconds: parameters.lookBackSeconds)
        let (code, found) = try await messages.waitForCode(request)
        return .init(code: code.revealed, message: MessagesInterface.Message(found))
      }
    }
    router.stream(MessagesInterface.Watch.self) { parameters, context, replies in
      let (_, arrivals) = try await onWire { try await messages.watch(parameters.modem) }
      guard context.more else { return .init(event: .ready) }
      replies.send(.init(event: .ready))
      for await arrival in arrivals {
        switch arrival {
        case .message(let found):
          replies.send(.init(event: .arrived, message: MessagesInterface.Message(found)))
        case .storageFull: replies.send(.init(event: .storageFull))
        }
      }
      try Task.checkCancellation()
      throw VarlinkError(MessagesInterface.MessagesUnavailable(text: "the modem was taken away"))
    }
  }
}
