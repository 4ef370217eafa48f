import Glibc
import Logging
import ModemAPI
import ModemAPIClient
import NIOPosix
import Testing
import Varlink
import VarlinkWire

@testable import ModemctlCommands

/// A service of a later version: it asks a service of today, and answers with a word that no
/// interface has in place of each word, and with a field more in each object.
struct TomorrowService: Sendable {
  static let word = "wordOfTomorrow"
  static let field = "fieldOfTomorrow"

  let path: String

  /// Runs `body` with such a service before the one at a path.
  static func run(before today: String, _ body: (TomorrowService) async throws -> Void) async throws {
    var template = Array("/tmp/tomorrow-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
    let folder = String(cString: try #require(made))
    defer { rmdir(folder) }
    var router = VarlinkRouter(
      ServiceInformation(vendor: "modemd", product: "modemd", version: "tomorrow", url: "https://example.org"),
      isAllowed: { _, _ in true })
    try pass(ModemInterface.List.self, of: ModemInterface.self, to: today, &router)
    try pass(ModemInterface.Get.self, of: ModemInterface.self, to: today, &router)
    try pass(ModemInterface.Slots.self, of: ModemInterface.self, to: today, &router)
    try pass(ModemInterface.Watch.self, of: ModemInterface.self, to: today, &router)
    try pass(BearerInterface.Get.self, of: BearerInterface.self, to: today, &router)
    try pass(BearerInterface.Connect.self, of: BearerInterface.self, to: today, &router)
    try pass(BearerInterface.Watch.self, of: BearerInterface.self, to: today, &router)
    try pass(CheckInterface.Open.self, of: CheckInterface.self, to: today, &router)
    try pass(CheckInterface.History.self, of: CheckInterface.self, to: today, &router)
    try pass(VerifyInterface.Number.self, of: VerifyInterface.self, to: today, &router)
    let server = try await VarlinkServer.start(
      router, at: .path("\(folder)/socket", mode: 0o600), on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await body(TomorrowService(path: "\(folder)/socket"))
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  /// Runs modemctl against this service.
  func modemctl(_ arguments: [String]) async -> Run {
    let recorder = RecordingConsole()
    let status = await Modemctl.run(arguments, on: recorder.console(variables: ["MODEMD_SOCKET": path]))
    return Run(status: Ending(rawValue: status), output: recorder.output, messages: recorder.messages)
  }

  private static func pass<Method: VarlinkMethod>(
    _ method: Method.Type, of interface: any VarlinkInterface.Type, to today: String, _ router: inout VarlinkRouter
  ) throws {
    let change = try Change(interface, method: Method.name)
    router.stream(Untyped<Method>.self) { parameters, context, replies in
      let client = try await VarlinkClient.connect(to: today)
      guard context.more else { return change(try await client.call(Untyped<Method>.self, parameters)) }
      var last: JSONValue?
      for try await reply in client.stream(Untyped<Method>.self, parameters) {
        if let last { replies.send(last) }
        last = change(reply)
        // What is watched has no end: each reply goes on at once.
        if Method.name.hasSuffix(".Watch"), let reply = last {
          replies.send(reply)
          last = nil
        }
      }
      guard let last else { throw CancellationError() }
      return last
    }
  }
}

/// A method whose replies are any JSON.
enum Untyped<Method: VarlinkMethod>: VarlinkMethod {
  typealias Parameters = Method.Parameters
  typealias Reply = JSONValue
  static var name: String { Method.name }
}

/// What a later version makes of a method's replies, by the interface's own description.
private struct Change: Sendable {
  let interface: InterfaceSyntax
  let reply: TypeSyntax

  init(_ interface: any VarlinkInterface.Type, method name: String) throws {
    self.interface = try InterfaceParser.parse(interface.text)
    let fields = self.interface.members.compactMap { member -> [InterfaceSyntax.Field]? in
      guard case .method(let method, _, _, let reply) = member, name == "\(interface.name).\(method)" else {
        return nil
      }
      return reply
    }
    reply = .struct(try #require(fields.first))
  }

  func callAsFunction(_ value: JSONValue) -> JSONValue { change(value, reply) }

  private func change(_ value: JSONValue, _ type: TypeSyntax) -> JSONValue {
    switch (type, value) {
    case (_, .null): return .null
    case (.enum, _): return .string(TomorrowService.word)
    case (.named(let name), _): return interface.type(named: name).map { change(value, $0) } ?? value
    case (.nullable(let inner), _): return change(value, inner)
    case (.array(let inner), .array(let items)): return .array(items.map { change($0, inner) })
    case (.map(let inner), .object(let members)): return .object(members.mapValues { change($0, inner) })
    case (.struct(let fields), .object(var members)):
      for field in fields { members[field.name] = members[field.name].map { change($0, field.type) } }
      members[TomorrowService.field] = .object(["new": .array([.int(1)])])
      return .object(members)
    default: return value
    }
  }
}

extension InterfaceSyntax {
  /// Fields of a reply that its interface declares and that are not there, with the path to each.
  func lacking(in value: JSONValue, _ type: TypeSyntax, at path: String = "") -> [String] {
    switch (type, value) {
    case (.named(let name), _): self.type(named: name).map { lacking(in: value, $0, at: path) } ?? ["\(path): \(name)"]
    case (.nullable, .null): []
    case (.nullable(let inner), _): lacking(in: value, inner, at: path)
    case (.array(let inner), .array(let items)): items.flatMap { lacking(in: $0, inner, at: "\(path)[]") }
    case (.map(let inner), .object(let members)): members.values.flatMap { lacking(in: $0, inner, at: "\(path)[]") }
    case (.struct(let fields), .object(let members)):
      fields.flatMap { field -> [String] in
        guard let member = members[field.name] else { return ["\(path).\(field.name)"] }
        return lacking(in: member, field.type, at: "\(path).\(field.name)")
      }
    default: []
    }
  }
}
