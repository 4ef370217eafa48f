import Dispatch
import JSONTree
import MutationSupport
import Testing
import VarlinkWire

/// What is wrong with a call is told before any reply, `ready` among them.
@Suite("Flows that cannot begin", .timeLimit(.minutes(1)))
struct UnknownProviderTests {
  /// Every method that runs a flow, with arguments that it takes beside the provider's name.
  static let calls: [(method: String, arguments: String)] = [
    ("Verify.Number", #""number":"+447700900123""#), ("TruID.PhoneCheck", #""number":"+447700900123""#),
    ("TruID.SubscriberCheck", #""number":"+447700900123""#), ("TruID.SIMCheck", #""number":"+447700900123""#),
    ("TruID.Coverage", #""country":"GB""#), ("TruID.Traces", #""check":"c-1","kind":"phoneCheck""#),
    ("IPification.Coverage", #""number":"+447700900123""#), ("IPification.Authorize", #""number":"+447700900123""#),
    ("IPification.Verify", #""number":"+447700900123""#), ("MobileConnect.Discover", #""whose":null"#),
    ("MobileConnect.Authorize", #""request":null"#), ("MobileConnect.Login", #""request":null"#),
    ("MobileConnect.Validate", #""number":"+447700900123""#), ("MobileConnect.AskAtHandset", #""request":null"#),
    ("MobileConnect.Refresh", #""refreshToken":"t-1""#), ("MobileConnect.Revoke", #""token":"t-1","kind":"access""#),
    ("MobileConnect.Exchange", #""code":"c-1","nonce":"n-1""#),
    ("MobileConnect.UserInfo", #""accessToken":"t-1""#), ("MobileConnect.Identity", #""accessToken":"t-1""#),
    ("NumberVerification.Verify", #""number":"+447700900123""#), ("NumberVerification.DevicePhoneNumber", ""),
    ("SIMSwap.Check", #""number":"+447700900123""#), ("SIMSwap.RetrieveDate", #""number":"+447700900123""#),
    ("PhoneSignIn.SignIn", #""number":"+447700900123""#), ("PhoneSignIn.Refresh", #""refreshToken":"t-1""#),
    ("MIRACL.GetSession", #""link":"https://a.example/b""#),
    ("MIRACL.AbortSession", #""link":"https://a.example/b""#), ("MIRACL.Register", #""user":"u@shop.example""#),
    ("MIRACL.Login", ""), ("MIRACL.Sign", #""signingSession":"s-1""#),
    ("MIRACL.VerifySignature", #""signature":{},"timestamp":1"#), ("MIRACL.QuickCode", ""),
    ("TS43.Verify", #""number":"+447700900123""#), ("TS43.PhoneNumber", ""), ("TS43.SubscriberInfo", ""),
    ("TS43.TemporaryToken", #""operation":"verify""#),
  ]

  @Test("A call that names an unknown provider gets an error as its first and only reply", arguments: calls)
  func first(method: String, arguments: String) async throws {
    let caller = try await SocketCaller.start(MemoryMachine.modemd())
    let separator = arguments.isEmpty ? "" : ","
    let frame =
      #"{"method":"org.modemd.\#(method)","more":true,"parameters":{"provider":"nobody"\#(separator)\#(arguments)}}"#
    let end = await Self.beside { caller.callUntilItReplies(Array(frame.utf8)) }
    await caller.stop()
    #expect(end == .refused("org.modemd.Verify.NoProvider"))
  }

  @Test("No method that runs a flow is missing here")
  func whole() async throws {
    let caller = try await SocketCaller.start(MemoryMachine.modemd())
    let texts = await Self.beside { caller.descriptions }
    await caller.stop()
    var flows: Set<String> = []
    for text in texts {
      let interface = try InterfaceParser.parse(text)
      for case .method(let name, _, let parameters, let reply) in interface.members
      where parameters.contains(where: { $0.name == "provider" }) && reply.contains(where: { $0.name == "event" }) {
        flows.insert("\(interface.name.dropFirst("org.modemd.".count)).\(name)")
      }
    }
    #expect(flows.symmetricDifference(Self.calls.map(\.method)) == [])
  }

  /// Calls block: they have a thread of their own.
  private static func beside<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { done in DispatchQueue.global().async { done.resume(returning: body()) } }
  }
}
