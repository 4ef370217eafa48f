import JSONTree

/// What a frame says, once it was read: decoded once, routed, and judged by who sent it.
enum FrameReading: Sendable {
  /// It is no call, or holds more than a call may.
  case noCall
  /// It is answered: by a handler that answers from memory, or by an error.
  case answered(CallHeader, Result<[UInt8], VarlinkError>)
  /// It is to run; its parameters are read by then.
  case runs(CallHeader, CallContext, @Sendable () throws -> VarlinkRouter.PreparedCall)

  /// Calls of so many bytes are read on the event loop, longer ones beside it.
  static let inlineBytes = VarlinkRouter.smallCallBytes

  /// Reads a frame.
  ///
  /// - Parameter readsParameters: whether those of a call that is to run are read too, here and not in its task.
  init(
    _ frame: [UInt8], from peer: Peer, _ router: VarlinkRouter, _ limits: JSONReader.Limits, readsParameters: Bool
  ) {
    let plain = PlainCall.read(frame).map { ReadCall(header: $0, source: .bare) }
    guard let call = plain ?? (try? ReadCall.read(frame, limits)) else {
      self = .noCall
      return
    }
    let (header, source) = (call.header, call.source)
    let context = CallContext(peer: peer, more: header.more ?? false)
    do {
      guard header.upgrade != true else {
        throw VarlinkError(named: "org.varlink.service.MethodNotImplemented", ["method": header.method])
      }
      switch try router.handler(for: header.method, from: peer) {
      case .immediate(let handler): self = .answered(header, .success(try handler(source, context)))
      case .task(let prepare):
        if readsParameters {
          let prepared = try prepare(source)
          self = .runs(header, context) { prepared }
        } else {
          self = .runs(header, context) { try prepare(source) }
        }
      }
    } catch {
      self = .answered(header, .failure(VarlinkError(onWire: error)))
    }
  }
}

extension VarlinkError {
  /// Errors of the service are mapped by it before they come here; what is left is a mistake of ours, told without
  /// details.
  init(onWire error: any Error) {
    self = (error as? VarlinkError) ?? VarlinkError(named: "org.varlink.service.InternalError", [String: String]())
  }
}
