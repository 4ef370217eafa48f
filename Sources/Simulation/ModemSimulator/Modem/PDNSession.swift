import ModemModel
import NetworkAddress

/// Who holds a session: an MBIM session id, or the QMI client whose call it is.
enum SessionOwner: Hashable, Sendable {
  case mbim(UInt32)
  case qmi(client: UInt8)
}

/// An active PDN connection, or one family of it.
struct PDNSession: Hashable, Sendable {
  let owner: SessionOwner
  /// QMI's packet data handle.
  let handle: UInt32
  let accessPoint: String
  /// Index in the configuration's list of bearers.
  let bearer: Int
  let families: Set<AddressFamily>
  /// The multiplexing id of its packets over QMI; nil for the data port itself.
  var muxID: UInt8?
}

/// Who or what ended a session.
enum SessionEnd: Hashable, Sendable {
  case hostAsked
  /// Registration, attachment, radio or SIM went away.
  case serviceLost
  /// The network, with a 3GPP cause.
  case network(cause: Int)

  var cause: Int? {
    if case .network(let cause) = self { cause } else { nil }
  }
}

enum AddressFamily: Hashable, Sendable {
  case ipv4, ipv6
}

/// What a host asks for when it connects.
struct SessionRequest: Sendable {
  var owner: SessionOwner
  var accessPoint = ""
  var user = ""
  var password = ""
  var families: Set<AddressFamily>
  /// The multiplexing id that the QMI client was bound to; nil for the data port itself.
  var muxID: UInt8?
}

/// Why a session cannot be activated.
enum SessionRefusal: Error, Hashable {
  case noSIM, simLocked, radioOff, notRegistered, detached, alreadyActive, noFreeBearer
  /// The network's 3GPP cause.
  case network(cause: Int)
}

extension ModemEngine {
  func session(of owner: SessionOwner) -> PDNSession? { sessions.first { $0.owner == owner } }

  /// The addresses that a session has.
  func bearer(of session: PDNSession) -> SimulatedBearer {
    configuration.bearers[session.bearer].limited(to: session.families)
  }

  /// What is up now, one entry a PDN connection.
  var activeBearers: [SimulatedBearer] {
    configuration.bearers.indices.compactMap { index in
      let families = families(usedOn: index)
      return families.isEmpty ? nil : configuration.bearers[index].limited(to: families)
    }
  }

  /// Activates a session. The cause is what the network adds to its consent: 50 or 51 if it granted
  /// one family of two.
  mutating func activate(_ request: SessionRequest) throws(SessionRefusal) -> (session: PDNSession, cause: Int?) {
    try checkReadiness(for: request)
    try checkAccess(of: request)
    guard let index = freeBearer(for: request), hasFreeSession(for: request) else { throw .noFreeBearer }
    let granted = request.families.intersection(configuration.bearers[index].families)
    guard !granted.isEmpty else { throw .network(cause: request.families.contains(.ipv4) ? 51 : 50) }
    lastHandle += 1
    let session = PDNSession(
      owner: request.owner, handle: lastHandle, accessPoint: request.accessPoint, bearer: index, families: granted,
      muxID: request.muxID)
    sessions.append(session)
    emit(.sessionUp(request.owner))
    return (session, granted == request.families ? nil : granted == [.ipv4] ? 50 : 51)
  }

  /// Ends the sessions that match.
  mutating func endSessions(_ end: SessionEnd, where matches: (PDNSession) -> Bool) {
    let ending = sessions.filter(matches)
    sessions.removeAll(where: matches)
    for session in ending { emit(.sessionDown(session, end)) }
  }

  private func checkReadiness(for request: SessionRequest) throws(SessionRefusal) {
    guard let card else { throw .noSIM }
    guard card.lock == .open else { throw .simLocked }
    guard isRadioOn else { throw .radioOff }
    guard registration.state.allowsData else { throw .notRegistered }
    guard isAttached else { throw .detached }
    guard session(of: request.owner) == nil else { throw .alreadyActive }
  }

  private func checkAccess(of request: SessionRequest) throws(SessionRefusal) {
    if request.accessPoint.isEmpty, !configuration.hasDefaultAccessPoint { throw .network(cause: 27) }
    if let known = configuration.accessPoints, !request.accessPoint.isEmpty,
      !known.contains(where: { $0.lowercased() == request.accessPoint.lowercased() })
    {
      throw .network(cause: 27)
    }
    if let wanted = configuration.credentials,
      wanted.user != request.user || wanted.password.revealed != request.password
    {
      throw .network(cause: 29)
    }
  }

  /// The first bearer whose requested families are free: the two halves of a QMI dual stack share
  /// one.
  private func freeBearer(for request: SessionRequest) -> Int? {
    configuration.bearers.indices.first { index in
      families(usedOn: index).isDisjoint(with: request.families)
        && sessions.allSatisfy {
          $0.bearer != index || $0.accessPoint == request.accessPoint && $0.muxID == request.muxID
        }
    }
  }

  /// Whether one session more is carried; QMI's two families of one data port or multiplexing id
  /// count as one.
  private func hasFreeSession(for request: SessionRequest) -> Bool {
    switch request.owner {
    case .mbim: return sessions.count < configuration.sessionLimit
    case .qmi:
      let mine = sessions.filter { $0.muxID == request.muxID }
      return mine.allSatisfy { $0.families.isDisjoint(with: request.families) }
        && Set(sessions.map(\.muxID)).union([request.muxID]).count <= configuration.sessionLimit
    }
  }

  private func families(usedOn index: Int) -> Set<AddressFamily> {
    sessions.filter { $0.bearer == index }.reduce(into: []) { $0.formUnion($1.families) }
  }
}

extension SimulatedBearer {
  var families: Set<AddressFamily> {
    Set((ipv4 == nil ? [] : [AddressFamily.ipv4]) + (ipv6 == nil ? [] : [.ipv6]))
  }

  func limited(to families: Set<AddressFamily>) -> SimulatedBearer {
    var bearer = self
    if !families.contains(.ipv4) { bearer.ipv4 = nil }
    if !families.contains(.ipv6) { bearer.ipv6 = nil }
    bearer.dns = dns.filter { families.contains($0.family) }
    return bearer
  }

  var dnsIPv4: [IPAddress] { dns.filter { $0.family == .ipv4 } }
  var dnsIPv6: [IPAddress] { dns.filter { $0.family == .ipv6 } }
}

extension IPAddress {
  fileprivate var family: AddressFamily {
    switch self {
    case .v4: .ipv4
    case .v6: .ipv6
    }
  }
}
