import FoundationEssentials
import Glibc
import ModemAPIClient

/// Makes the calls, and prints what comes of them.
actor Driver {
  private let socket: String
  private var client: ModemAPIClient?

  init(socket: String) { self.socket = socket }

  private func connected() async throws -> ModemAPIClient {
    if let client { return client }
    let made = try await ModemAPIClient.connect(to: socket)
    client = made
    return made
  }

  nonisolated func drive(_ call: Order.Call, _ index: Int) async {
    let asked = AskedQuestions(call.answers ?? [:], call: index)
    let task = Task {
      do {
        let client = try await connected()
        guard let method = Self.methods[call.method] else { fatalFault("there is no method \(call.method) here") }
        try await drive(method, call, index, client, asked)
        Line.print(index, ["end": .string("done")])
      } catch {
        Line.print(index, Line.ending(error))
      }
    }
    await task.value
  }

  private nonisolated func drive<Method: VarlinkMethod>(
    _ method: Method.Type, _ call: Order.Call, _ index: Int, _ client: ModemAPIClient, _ asked: AskedQuestions
  ) async throws {
    let parameters = try Line.decode(Method.Parameters.self, from: call.parameters)
    let limit = call.limitMilliseconds.map { Duration.milliseconds($0) }
    if let taken = call.takes {
      return try await take(taken, by: method, parameters, call, index, client, within: limit)
    }
    guard call.more else {
      let reply = try await client.call(method, parameters, within: limit)
      return Line.print(index, ["reply": try Line.json(reply)])
    }
    let stream = client.stream(method, parameters, answers: asked.answers, within: limit)
    if call.cancelAfterReplies == 0 {
      await stream.isSent()
      withUnsafeCurrentTask { $0?.cancel() }
    }
    var replies = 0
    for try await reply in stream {
      Line.print(index, ["reply": try Line.json(reply)])
      replies += 1
      if replies == call.cancelAfterReplies { withUnsafeCurrentTask { $0?.cancel() } }
    }
  }

  /// The methods of the cases.
  private static let methods: [String: any VarlinkMethod.Type] = {
    let all: [any VarlinkMethod.Type] = [
      BearerInterface.Connect.self, BearerInterface.Disconnect.self, BearerInterface.OpenSocket.self,
      BearerInterface.OpenStream.self, BearerInterface.Watch.self,
      CheckInterface.Open.self, MIRACLInterface.Identities.self, MIRACLInterface.Login.self,
      MIRACLInterface.Register.self, MessagesInterface.WaitForCode.self, MobileConnectInterface.Login.self,
      ModemInterface.Get.self, ModemInterface.List.self, ModemInterface.UnlockPIN.self, ModemInterface.Watch.self,
      PhoneSignInInterface.GiveCode.self, PhoneSignInInterface.SignIn.self, VerifyInterface.Number.self,
    ]
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }()
}

/// Answers from the order, which are printed as they are asked for.
actor AskedQuestions {
  private var left: [String: Answers]
  private let call: Int

  init(_ answers: [String: Answers], call: Int) {
    left = answers
    self.call = call
  }

  nonisolated var answers: FlowAnswers {
    FlowAnswers(
      code: { _ in await self.next("code") }, pin: { _ in await self.next("pin") },
      mail: { _ in await self.next("mail") })
  }

  private func next(_ what: String) -> String? {
    let answer: String? =
      switch left[what] {
      case .always(let text): text
      case .inOrder(let texts):
        texts.first
      case nil: nil
      }
    if case .inOrder(let texts) = left[what] { left[what] = .inOrder(Array(texts.dropFirst())) }
    if answer != nil { Line.print(call, ["question": .string(what)]) }
    return answer
  }
}

func fatalFault(_ text: String) -> Never {
  _ = "conformance-driver: \(text)\n".withCString { write(2, $0, strlen($0)) }
  exit(2)
}
