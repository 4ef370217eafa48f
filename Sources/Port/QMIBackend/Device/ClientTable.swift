import GLibBridge
import ModemModel

/// The client ids that this backend holds, those it has requested, and those to release.
struct ClientTable {
  /// A request to the modem for a client id.
  struct Allocation {
    let service: QMIService
    var task: Task<Void, Never>?
    var caller: GLibExpectation<Result<QMIClient, ModemError>>?
    var client: QMIClient?
    /// Whether the modem has answered, or never will.
    var isOver = false
  }

  private(set) var held: Set<QMIClient> = []
  /// Ids of this or an earlier backend that must be released, and that the modem has not taken back
  /// yet.
  private(set) var left: Set<QMIClient> = []
  /// Services in which the modem may have allocated an unknown id.
  private(set) var doubtful: Set<QMIService> = []
  var allocations: [Int: Allocation] = [:]
  private var lastAllocation = 0

  /// The service's client that lives as long as the port.
  subscript(service: QMIService) -> QMIClient? { held.first { $0.service == service } }

  var needsTidying: Bool { !left.isEmpty || !doubtful.isEmpty }

  /// The requests that the modem has not answered yet.
  var underWay: [Allocation] { allocations.values.filter { !$0.isOver } }

  /// The ledger's content: every id that the modem may hold for this backend.
  var inModem: Set<QMIClient> { held.union(left) }
  var asked: Set<QMIService> { doubtful.union(underWay.map(\.service)) }

  /// A left id may have been allocated again.
  mutating func add(_ client: QMIClient) {
    left.remove(client)
    held.insert(client)
  }

  mutating func add(_ earlier: ClientLedger.Left) {
    left.formUnion(earlier.clients)
    doubtful.formUnion(earlier.doubtful)
  }

  /// The client is no longer used; the modem must still take its id back.
  mutating func leave(_ client: QMIClient) {
    held.remove(client)
    left.insert(client)
  }

  mutating func leaveAll() {
    left.formUnion(held)
    held = []
  }

  mutating func remove(_ client: QMIClient) {
    held.remove(client)
    left.remove(client)
  }

  mutating func doubt(_ service: QMIService) { doubtful.insert(service) }
  mutating func settle(_ service: QMIService) { doubtful.remove(service) }
  mutating func removeAll() { (held, left, doubtful) = ([], [], []) }

  mutating func newAllocation(_ service: QMIService) -> Int {
    lastAllocation += 1
    allocations[lastAllocation] = Allocation(service: service)
    return lastAllocation
  }
}
