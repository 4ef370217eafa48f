import EventLoopTasks
import JournalLog
import LimitClock
import ModemModel
import ModemPort
import PortAPI
import Varlink

/// org.modemd.Port for a modem's port: decodes a call, asks the port, encodes the answer.
package enum PortRouter {
  /// The router for one port.
  ///
  /// - Parameters:
  ///   - version: what GetInfo answers.
  ///   - tap: reports the messages of the control channel; nil if they are not reported.
  ///   - clock: for the length of a capture and the times in it.
  ///   - isAllowed: who may call. Every answer holds subscriber identity, so allow only modemd and
  ///     root.
  package static func make(
    for port: ModemPort, version: String, tap: ControlTap? = nil, clock: LimitClock = .machine,
    isAllowed: @escaping VarlinkRouter.Authorization
  ) -> VarlinkRouter {
    let information = ServiceInformation(
      vendor: "modemd", product: "modemd-port", version: version, url: "https://github.com/modemd/modemd")
    var router = VarlinkRouter(information, isAllowed: isAllowed)
    router.add(PortInterface.self)
    router.usualCallBytes = VarlinkRouter.smallCallBytes
    router.admitsStrangers = false
    addState(to: &router, port)
    addBearer(to: &router, port)
    addSlots(to: &router, port)
    addEAP(to: &router, port)
    addSockets(to: &router, port)
    addMessages(to: &router, port)
    addCapture(to: &router, port, tap, clock)
    return router
  }

  private static func addState(to router: inout VarlinkRouter, _ port: ModemPort) {
    router.handle(PortInterface.GetState.self) { _, _ in
      PortInterface.GetState.Reply(state: PortInterface.State(await port.state))
    }
    router.stream(PortInterface.Watch.self) { _, context, replies in
      for await state in await port.changes() {
        let reply = PortInterface.Watch.Reply(state: PortInterface.State(state))
        guard context.more else { return reply }
        replies.send(reply)
      }
      return PortInterface.Watch.Reply(state: PortInterface.State(await port.state))
    }
    router.handle(PortInterface.Refresh.self) { _, _ in
      try await wire("refresh") { PortInterface.Refresh.Reply(state: PortInterface.State(try await port.refresh())) }
    }
    router.handle(PortInterface.UnlockPIN.self) { parameters, _ in
      guard let pin = PIN(parameters.pin) else { throw VarlinkError.invalidParameter("pin") }
      return try await wire("PIN entry") {
        let state = try await port.unlock(with: pin, mayBeLast: parameters.lastAttempt ?? false)
        return PortInterface.UnlockPIN.Reply(state: PortInterface.State(state))
      }
    }
  }

  private static func addBearer(to router: inout VarlinkRouter, _ port: ModemPort) {
    router.handle(PortInterface.Connect.self) { parameters, _ in
      let request = try BearerRequest(parameters)
      return try await inTrace(parameters.trace) {
        try await wire("connect") {
          PortInterface.Connect.Reply(bearer: PortInterface.Bearer(try await port.connect(request)))
        }
      }
    }
    router.handle(PortInterface.Disconnect.self) { _, _ in
      PortInterface.Disconnect.Reply(bearer: PortInterface.Bearer(await port.disconnect()))
    }
    router.handle(PortInterface.NoteTraffic.self) { parameters, _ in
      let status = await port.noteTraffic(
        isAnswered: parameters.answered, interfaceIndex: parameters.interfaceIndex)
      return PortInterface.NoteTraffic.Reply(bearer: PortInterface.Bearer(status))
    }
    // Asked before each chain. On the connection's loop, it needs no other thread, which would have
    // to wake up first. It blocks the loop for half a millisecond, while it reads the kernel's
    // tables.
    router.runCalls(of: PortInterface.VerifyBearer.self) { LoopExecutor($0) }
    router.handle(PortInterface.VerifyBearer.self) { _, _ in
      do {
        return PortInterface.VerifyBearer.Reply(bearer: PortInterface.Bearer(try await port.verifyBearer()))
      } catch {
        throw VarlinkError(PortInterface.BearerLost(text: "\(error)"))
      }
    }
  }

  /// Works for the call of modemd that has this trace id: lines of the log say so.
  static func inTrace<Reply>(_ id: String?, _ body: () async throws -> Reply) async throws -> Reply {
    guard let id else { return try await body() }
    guard let trace = TraceContext(traceID: id) else { throw VarlinkError.invalidParameter("trace") }
    return try await TraceContext.$current.withValue(trace) { try await body() }
  }

  private static func wire<Reply>(_ operation: String, _ body: () async throws -> Reply) async throws -> Reply {
    do {
      return try await body()
    } catch let error as ModemError {
      throw error.onPortWire(operation)
    }
  }
}

extension BearerRequest {
  init(_ parameters: PortInterface.Connect.Parameters) throws {
    self.init(
      apn: parameters.apn, user: parameters.user, password: parameters.password.map(APNPassword.init),
      authentication: parameters.authentication.flatMap { Authentication(rawValue: $0.rawValue) } ?? .none,
      ipType: parameters.ipType.flatMap { IPType(rawValue: $0.rawValue) } ?? .ipv4v6,
      source: parameters.apnSource.flatMap { AccessPoint.Source(rawValue: $0.rawValue) } ?? .asked,
      isKept: parameters.keep ?? false)
  }
}
