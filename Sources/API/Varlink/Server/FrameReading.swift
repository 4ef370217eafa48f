import JSONTree

/// The meaning of a frame after reading: decoded once, routed, and checked against its sender's
/// rights.
enum FrameReading: Sendable {
  /// It is not a call, or exceeds the limits of a call.
  case noCall
  /// It is answered: by a handler that answers from memory, or by an error.
  case answered(CallHeader, Result<[UInt8], VarlinkError>)
  /// It must run; its parameters have been read by then.
  case runs(CallHeader, CallContext, CallForm, @Sendable () throws -> VarlinkRouter.PreparedCall)

  /// Calls up to this size are read on the event loop, longer ones outside it.
  static let inlineBytes = VarlinkRouter.smallCallBytes

  /// Reads a frame.
  ///
  /// - Parameter readsParameters: whether to also read the parameters of a call that must run, here
  ///   and not in its task.
  init(
    _ frame: [UInt8], from peer: Peer, _ router: VarlinkRouter, _ limits: JSONReader.Limits, readsParameters: Bool
  ) {
    let mayBePlain = limits.depth >= PlainCall.needed.depth && limits.values >= PlainCall.needed.values
    let plain = mayBePlain ? PlainCall.read(frame) : nil
    guard let call = plain ?? (try? ReadCall.read(frame, limits)) else {
      self = .noCall
      return
    }
    let (header, source) = (call.header, call.source)
    let context = CallContext(peer: peer, more: header.more ?? false)
    do {
      let form = router.form(of: header.method)
      guard header.upgrade != true || form == .upgrade else {
        throw VarlinkError(named: "org.varlink.service.MethodNotImplemented", ["method": header.method])
      }
      let found = try router.handler(for: header.method, from: peer)
      if let flag = form.unfitting(header) { throw VarlinkError.invalidParameter(flag) }
      switch found {
      case .immediate(let handler): self = .answered(header, .success(try handler(source, context)))
      case .task(let form, let prepare):
        if readsParameters {
          let prepared = try prepare(source)
          self = .runs(header, context, form) { prepared }
        } else {
          self = .runs(header, context, form) { try prepare(source) }
        }
      }
    } catch {
      self = .answered(header, .failure(VarlinkError(onWire: error)))
    }
  }
}

extension VarlinkError {
  /// The service maps its own errors before this point. Any other error is a bug here, and is
  /// reported without details.
  init(onWire error: any Error) {
    self = (error as? VarlinkError) ?? VarlinkError(named: "org.varlink.service.InternalError", [String: String]())
  }
}
