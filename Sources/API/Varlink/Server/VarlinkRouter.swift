import NIOCore

/// A handler's knowledge of the call besides its parameters.
public struct CallContext: Sendable {
  public let peer: Peer
  /// Whether the caller asked for more than one reply.
  public let more: Bool
}

/// Takes a streaming handler's replies. If the caller leaves, the handler's task is cancelled.
public struct ReplySink<Reply: Encodable & Sendable>: Sendable {
  /// Nil if the caller wants the last reply alone.
  let write: (@Sendable ([UInt8]) -> Void)?

  /// Whether the caller asked for more than the last reply. Otherwise nothing that is sent leaves.
  public var isWanted: Bool { write != nil }

  /// Sends a reply that is not the last one.
  public func send(_ reply: @autoclosure () -> Reply) {
    guard let write else { return }
    write(JSONCoding.encode(reply()))
  }

  /// The same with a reply that is encoded already, as for several callers.
  package func send(_ reply: EncodedReply<Reply>) { write?(reply.bytes) }
}

/// Finds the handler for a method's name.
public struct VarlinkRouter: Sendable {
  enum Handler: Sendable {
    /// Runs on the connection's event loop, at once.
    case immediate(@Sendable (CallSource, CallContext) throws -> [UInt8])
    /// Reads the parameters; the resulting call runs in its own task.
    case task(CallForm, @Sendable (CallSource) throws -> PreparedCall)
  }

  /// A call with its parameters: writes all replies but the last, and returns the last with what
  /// goes along with it.
  typealias PreparedCall =
    @Sendable (CallContext, _ write: @escaping @Sendable ([UInt8]) -> Void) async throws -> CallAnswer

  /// Gives the executor for one call; nil for Swift's thread pool.
  ///
  /// - Parameter loop: that of the call's connection.
  package typealias CallExecutor = @Sendable (_ loop: any EventLoop) -> (any TaskExecutor)?

  /// Who may call what: true allows the call.
  public typealias Authorization = @Sendable (_ peer: Peer, _ method: String) -> Bool

  private(set) var interfaces: [any VarlinkInterface.Type] = [ServiceInterface.self]
  private var handlers: [String: Handler] = [:]
  /// Where calls run, by method.
  private var executors: [(method: String, executor: CallExecutor)] = []
  /// Bytes that a call may have, by method or interface.
  private var callBytes: [String: Int] = [:]
  /// Largest call in bytes if neither its method nor its interface has a limit; nil for the
  /// server's limit.
  public var usualCallBytes: Int?
  /// Whether users without any rights may connect, to be told so and to read the service's
  /// description.
  public var admitsStrangers = true
  let information: ServiceInformation
  let isAllowed: Authorization

  public init(_ information: ServiceInformation, isAllowed: @escaping Authorization) {
    self.information = information
    self.isAllowed = isAllowed
  }

  /// Declares an interface; its methods are given by `answer`, `handle` and `stream`.
  public mutating func add(_ interface: any VarlinkInterface.Type) { interfaces.append(interface) }

  /// The full names of all interfaces and of all methods that are answered.
  public var names: Set<String> { Set(interfaces.map { $0.name }).union(handlers.keys) }

  /// Answers a method from memory, on the event loop: the handler must not block.
  public mutating func answer<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ handler: @escaping @Sendable (Method.Parameters, CallContext) throws -> EncodedReply<Method.Reply>
  ) {
    handlers[Method.name] = .immediate { source, context in
      try handler(CallBody<Method.Parameters>.read(source), context).bytes
    }
  }

  /// Answers a method with one reply.
  public mutating func handle<Method: VarlinkMethod>(
    _ method: Method.Type, _ handler: @escaping @Sendable (Method.Parameters, CallContext) async throws -> Method.Reply
  ) {
    handlers[Method.name] = .task(.replies) { source in
      let parameters: Method.Parameters = try CallBody.read(source)
      return { context, _ in .reply(JSONCoding.encode(try await handler(parameters, context))) }
    }
  }

  /// Answers a method with any number of replies; the handler returns the last one. Without `more`,
  /// only that one is sent.
  public mutating func stream<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ handler:
      @escaping @Sendable (Method.Parameters, CallContext, ReplySink<Method.Reply>) async throws -> Method.Reply
  ) {
    handlers[Method.name] = .task(.replies) { source in
      let parameters: Method.Parameters = try CallBody.read(source)
      return { context, write in
        let sink = ReplySink<Method.Reply>(write: context.more ? write : nil)
        return .reply(JSONCoding.encode(try await handler(parameters, context, sink)))
      }
    }
  }

  /// Answers a method with one reply that carries a descriptor with its first byte. A call with
  /// `more`, `oneway` or `upgrade` is refused.
  ///
  /// The reply leaves when the client has read everything before it, so that no read returns the
  /// descriptor together with the bytes of another reply.
  public mutating func handOver<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ handler: @escaping @Sendable (Method.Parameters, CallContext) async throws -> HandedOver<Method.Reply>
  ) {
    handlers[Method.name] = .task(.handOver) { source in
      let parameters: Method.Parameters = try CallBody.read(source)
      return { context, _ in
        let answer = try await handler(parameters, context)
        return .handOver(
          Handing(reply: JSONCoding.encode(answer.reply), descriptor: answer.descriptor, onSent: answer.onSent))
      }
    }
  }

  /// Answers a method that must be called with `upgrade`: after its reply, the connection belongs
  /// to the handler's `Upgrade`. A call without `upgrade`, or with `more` or `oneway`, is refused.
  ///
  /// After a refused call with `upgrade`, of any method, the connection ends: what its client sent
  /// ahead for the stream must not count as its calls.
  public mutating func upgrade<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ handler: @escaping @Sendable (Method.Parameters, CallContext) async throws -> Upgrade<Method.Reply>
  ) {
    handlers[Method.name] = .task(.upgrade) { source in
      let parameters: Method.Parameters = try CallBody.read(source)
      return { context, _ in
        let answer = try await handler(parameters, context)
        return .upgrade(
          Upgrading(reply: JSONCoding.encode(answer.reply), begin: answer.begin, abandon: answer.abandon))
      }
    }
  }

  /// Runs a method's calls elsewhere than in Swift's thread pool. A handler that runs on an event
  /// loop must be short between its waits, and must not block.
  package mutating func runCalls<Method: VarlinkMethod>(of method: Method.Type, on executor: @escaping CallExecutor) {
    executors.append((Method.name, executor))
  }

  /// Where a call of a method runs; nil for Swift's thread pool.
  func executor(for method: String, from loop: any EventLoop) -> (any TaskExecutor)? {
    executors.first { $0.method == method }?.executor(loop)
  }

  /// How a method is called.
  func form(of method: String) -> CallForm {
    if case .task(let form, _)? = handlers[method] { form } else { .replies }
  }

  /// Limits the bytes of a method's calls, or of an interface's calls if the method has no limit of
  /// its own.
  public mutating func limitCalls(of name: String, to bytes: Int) { callBytes[name] = bytes }

  /// Largest call of a method from a peer in bytes; nil if only the server's limit applies.
  func callBytes(of method: String, from peer: Peer) -> Int? {
    let interface = method.lastIndex(of: ".").map { String(method[..<$0]) } ?? method
    guard handlers[method] != nil, isAllowed(peer, method) else { return Self.smallCallBytes }
    return callBytes[method] ?? callBytes[interface] ?? usualCallBytes
  }

  /// The limit for calls that need only a few words, and for calls that are not allowed.
  public static let smallCallBytes = 4096

  /// A peer's rights in the service.
  func standing(of peer: Peer) -> ConnectionBudget.Standing {
    if peer.userID == 0 { return .root }
    return handlers.keys.contains { isAllowed(peer, $0) } ? .known : .stranger
  }

  /// The handler of a method that this peer may call.
  func handler(for method: String, from peer: Peer) throws -> Handler {
    if let handler = handlers[method] {
      guard isAllowed(peer, method) else { throw VarlinkError.permissionDenied }
      return handler
    }
    guard let dot = method.lastIndex(of: ".") else { throw VarlinkError.methodNotFound(method) }
    let interface = String(method[..<dot])
    guard interfaces.contains(where: { $0.name == interface }) else { throw VarlinkError.interfaceNotFound(interface) }
    guard interface == ServiceInterface.name, let handler = serviceHandler(for: method) else {
      throw VarlinkError.methodNotFound(method)
    }
    return handler
  }

  /// org.varlink.service, which describes the router itself.
  private func serviceHandler(for method: String) -> Handler? {
    switch method {
    case ServiceInterface.GetInfo.name:
      .immediate { source, _ in
        _ = try CallBody<ServiceInterface.GetInfo.Parameters>.read(source)
        return JSONCoding.encode(
          ServiceInterface.GetInfo.Reply(
            vendor: information.vendor, product: information.product, version: information.version,
            url: information.url, interfaces: interfaces.map { $0.name }))
      }
    case ServiceInterface.GetInterfaceDescription.name:
      .immediate { source, _ in
        let name = try CallBody<ServiceInterface.GetInterfaceDescription.Parameters>.read(source).interface
        guard let interface = interfaces.first(where: { $0.name == name }) else {
          throw VarlinkError.interfaceNotFound(name)
        }
        return JSONCoding.encode(ServiceInterface.GetInterfaceDescription.Reply(description: interface.text))
      }
    default: nil
    }
  }
}

/// What GetInfo answers.
public struct ServiceInformation: Sendable {
  public var vendor: String
  public var product: String
  public var version: String
  public var url: String

  public init(vendor: String, product: String, version: String, url: String) {
    self.vendor = vendor
    self.product = product
    self.version = version
    self.url = url
  }
}
