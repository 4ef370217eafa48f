import ModemModel
import NetworkAddress
import Rtnetlink

/// The ends of sockets: what was connected over a bearer dies with it. Otherwise a socket that
/// modemd handed to a program would be silent, or go on over the next bearer.
///
/// UDP sockets stay. The kernel frees a UDP socket from its interface when it destroys it, and its
/// next datagram would leave by the machine's own network. Left alone, it is bound to the bearer's
/// interface, whose table says unreachable.
extension BearerNetwork {
  /// How many sockets are destroyed at one time. More are taken in further rounds.
  private static let batch = 4096
  private static let rounds = 16

  /// Destroys the TCP sockets over a bearer, as when a part of it was taken away.
  func endSockets(over bearer: InstalledBearer) {
    do {
      try speaking("end the sockets over \(bearer.interface)") {
        endSockets(over: bearer.interface, bearer.interfaceIndex, $0)
      }
    } catch {
      tell("\(error)")
    }
  }

  /// Destroys the TCP sockets bound to an interface or its VRF. A failure is told and is no error:
  /// what follows must be done anyway.
  ///
  /// - Parameter isMeant: which of them.
  func endSockets(
    over interface: String, _ index: Int, _ kernel: NetlinkSession,
    where isMeant: (InternetSocket) -> Bool = { _ in true }
  ) {
    guard diagnosis != nil else { return }
    do {
      guard let owner = try owner(of: interface, index, kernel) else { return }
      let vrf = try shields[interface]?.vrf.flatMap { try kernel.link(named: $0) }.flatMap {
        Self.isOurs(vrf: $0) ? $0.index : nil
      }
      for index in [index, vrf].compactMap({ $0 }) {
        // Connections first: other users may have any number of listeners.
        for isListening in [false, true] {
          try end(boundTo: index) { $0.isListening == isListening && owner.has($0) && isMeant($0) }
        }
      }
    } catch {
      forgetDiagnosisSession()
      tell("sockets over \(interface) may outlive the bearer: \(error)")
    }
  }

  private func end(boundTo index: Int, where isMeant: (InternetSocket) -> Bool) throws {
    for _ in 0..<Self.rounds {
      var found: [InternetSocket] = []
      try diagnosing { session in
        try session.sockets(boundTo: index, [.stream]) { socket in
          if found.count < Self.batch, isMeant(socket) { found.append(socket) }
        }
      }
      guard !found.isEmpty else { return }
      let result = try diagnosing { try $0.destroy(found) }
      if let refusal = result.refusal { tell("sockets may outlive the bearer: \(refusal)") }
      guard found.count == Self.batch, result.count > 0 else { return }
    }
  }

  /// Whose sockets end with a bearer.
  private enum Owner {
    /// The interface is modemd's, or gone: all of them.
    case anybody
    /// The interface is another program's by now.
    case user(UInt32)

    func has(_ socket: InternetSocket) -> Bool {
      switch self {
      case .anybody: true
      case .user(let user): socket.user == user && !socket.isOrphan
      }
    }
  }

  /// Nil if no socket over it is known to be modemd's.
  private func owner(of interface: String, _ index: Int, _ kernel: NetlinkSession) throws -> Owner? {
    guard let link = try kernel.link(index: index) else { return .anybody }
    if link.name == interface, link.alias.flatMap(LinkNote.init(alias:)) != nil { return .anybody }
    return guarding.map { .user($0.user) }
  }

  /// Why sockets cannot be ended in this kernel; nil if they can.
  func reasonSocketsStay() -> String? {
    guard diagnosis != nil else { return nil }
    do {
      guard let refusal = try diagnosing({ try $0.refusalToDestroySockets() }) else { return nil }
      tell("sockets that are handed to programs outlive the bearer: \(refusal.message)")
      return refusal.message
    } catch {
      forgetDiagnosisSession()
      tell("sockets that are handed to programs may outlive the bearer: \(error)")
      return "\(error)"
    }
  }

  private func tell(_ sentence: String) {
    guard toldOfSockets != sentence else { return }
    toldOfSockets = sentence
    diagnosis?.tell(sentence)
  }

  private func diagnosing<Result>(_ work: (NetlinkSession) throws -> Result) throws -> Result {
    guard let diagnosis else { throw NetlinkError(.closed, "the machine's sockets are not looked at") }
    let session = try diagnosisSession ?? NetlinkSession(diagnosis.openSocket(nil))
    diagnosisSession = session
    return try work(session)
  }

  /// A socket with a failed exchange is not used again.
  private func forgetDiagnosisSession() { diagnosisSession = nil }
}

extension BearerNetwork: BearerSocketAccess {
  package func sockets(over bearer: InstalledBearer, limit: Int) throws -> BearerSocketList {
    var list = BearerSocketList()
    let user = guarding?.user
    try looking(bearer) { session in
      try session.sockets(boundTo: bearer.interfaceIndex) { socket in
        guard socket.isOf(user) else { return }
        if list.sockets.count < limit {
          list.sockets.append(BearerSockets.Socket(socket))
        } else {
          list.unlisted += 1
        }
      }
    }
    return list
  }

  package func endedSockets(over bearer: InstalledBearer) throws -> AsyncStream<BearerSockets.Socket> {
    guard let diagnosis else { return AsyncStream { $0.finish() } }
    let socket: any NetlinkSocket
    do {
      socket = try diagnosis.openSocket(bearer.interfaceIndex)
    } catch {
      throw ModemError(.networking, "the sockets over \(bearer.interface) cannot be followed", cause: "\(error)")
    }
    let ends = NetlinkMonitor.endedSockets(on: socket)
    let index = bearer.interfaceIndex
    return AsyncStream(bufferingPolicy: .bufferingNewest(8192)) { continuation in
      let relay = Task {
        // The note does not name the user. Other users' sockets carry nothing over a guarded
        // bearer, but may end by the thousand.
        for await socket in ends where socket.interfaceIndex == index && socket.hasCarried {
          continuation.yield(BearerSockets.Socket(socket))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in relay.cancel() }
    }
  }

  package func endSocket(_ cookie: UInt64, over bearer: InstalledBearer) throws -> SocketEnding {
    try looking(bearer) { session in
      var found: InternetSocket?
      try session.sockets(boundTo: bearer.interfaceIndex) { if $0.cookie == cookie { found = $0 } }
      guard let found else { return .unknown }
      guard found.kind == .stream else {
        return .refused("the kernel cannot end a datagram socket without freeing it from the bearer")
      }
      let result = try session.destroy([found])
      if let refusal = result.refusal { return .refused(refusal.message) }
      return result.count > 0 ? .ended : .unknown
    }
  }

  private func looking<Result>(_ bearer: InstalledBearer, _ work: (NetlinkSession) throws -> Result) throws -> Result {
    do {
      return try diagnosing(work)
    } catch {
      forgetDiagnosisSession()
      throw ModemError(.networking, "the sockets over \(bearer.interface) cannot be listed", cause: "\(error)")
    }
  }
}

extension InternetSocket {
  fileprivate var hasCarried: Bool { sent ?? 0 > 0 || received ?? 0 > 0 }

  /// Whether it is one of a user's connections or datagram sockets; nil for any user. Nobody has
  /// what a closed socket still sends.
  fileprivate func isOf(_ user: UInt32?) -> Bool {
    !isListening && (user == nil || self.user == user || isOrphan)
  }
}

extension BearerSockets.Socket {
  fileprivate init(_ socket: InternetSocket) {
    self.init(
      cookie: socket.cookie, isDatagram: socket.kind == .datagram, sent: socket.sent, received: socket.received,
      ends: BearerSockets.Ends(
        source: socket.source, sourcePort: socket.sourcePort, address: socket.remote,
        port: socket.remote == nil ? nil : socket.remotePort))
  }
}
