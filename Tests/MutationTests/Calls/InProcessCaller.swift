import MutationSupport

@testable import Varlink

/// Calls a router's methods by the frames that a client would send, without a socket: decoding, handler and encoding are the real ones.
struct InProcessCaller: Sendable {
  let router: VarlinkRouter
  let peer: Peer

  /// What a call came to.
  enum End: Hashable, Sendable {
    /// How often it was answered.
    case answered(Int)
    /// By the error's name.
    case refused(String)
    /// The frame is no call; the connection ends.
    case noCall
  }

  /// Makes a call, whose caller leaves once the handler has begun: what would wait is to end then.
  func call(_ frame: [UInt8]) async -> End {
    let plain = PlainCall.read(frame)
    guard let header = plain ?? (try? JSONCoding.decode(CallHeader.self, from: frame)) else { return .noCall }
    let source = plain == nil ? CallSource.frame(frame) : .bare
    let context = CallContext(peer: peer, more: header.more ?? false)
    do {
      switch try router.handler(for: header.method, from: peer) {
      case .immediate(let handler):
        _ = try handler(source, context)
        return .answered(1)
      case .task(let handler):
        let task = Task { try await handler(source, context) { _ in } }
        if context.more || Self.waits.contains(header.method) { task.cancel() }
        _ = try await task.value
        return .answered(1)
      }
    } catch let error as VarlinkError {
      return .refused(error.name)
    } catch {
      return .refused("\(type(of: error))")
    }
  }

  /// What is wrong with the end of a call: an error that no interface declares tells the caller nothing.
  func faults(of end: End, _ frame: [UInt8]) -> [String] {
    switch end {
    case .answered, .noCall: return []
    case .refused(let name):
      if name == "CancellationError" || name.hasPrefix("org.modemd.") || name.hasPrefix("org.varlink.service.") {
        return []
      }
      return ["\(name) for \(String(decoding: frame.prefix(300), as: UTF8.self))"]
    }
  }

  /// What waits for a modem or a person also where one reply alone was asked for.
  private static let waits: Set<String> = ["org.modemd.Messages.WaitForCode"]
}

extension VarlinkRouter {
  /// The descriptions of its interfaces.
  var descriptions: [String] { interfaces.map { $0.text } }
}
