import GLibBridge
import ModemModel

/// The client ids that this backend holds, those it has asked for, and those that are to be given back.
struct ClientTable {
  /// A client id that the modem has been asked for.
  struct Allocation {
    let service: QMIService
    var task: Task<Void, Never>?
    var caller: GLibExpectation<Result<QMIClient, ModemError>>?
    var client: QMIClient?
    /// Whether the modem has answered, or left it at that.
    var isOver = false
  }

  private(set) var held: Set<QMIClient> = []
  /// Those of this or an earlier backend that are to be given back and that the modem has not taken yet.
  private(set) var left: Set<QMIClient> = []
  /// Services in which the modem may have allocated an id without anybody's knowing which.
  private(set) var doubtful: Set<QMIService> = []
  var allocations: [Int: Allocation] = [:]
  private var lastAllocation = 0

  /// The client of a service that lives as long as the port.
  subscript(service: QMIService) -> QMIClient? { held.first { $0.service == service } }

  var needsTidying: Bool { !left.isEmpty || !doubtful.isEmpty }

  /// The allocations that the modem has yet to answer.
  var underWay: [Allocation] { allocations.values.filter { !$0.isOver } }

  /// What the ledger is to say: every id the modem may hold for this backend.
  var inModem: Set<QMIClient> { held.union(left) }
  var asked: Set<QMIService> { doubtful.union(underWay.map(\.service)) }

  /// An id that was left may have been given anew.
  mutating func add(_ client: QMIClient) {
    left.remove(client)
    held.insert(client)
  }

  mutating func add(_ earlier: ClientLedger.Left) {
    left.formUnion(earlier.clients)
    doubtful.formUnion(earlier.doubtful)
  }

  /// The client is not used any more; the modem has yet to take it back.
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
