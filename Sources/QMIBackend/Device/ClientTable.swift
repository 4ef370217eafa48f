import GLibBridge
import ModemModel

/// The client ids that this backend holds, and those it has asked for.
struct ClientTable {
  /// A client id that the modem has been asked for.
  struct Allocation {
    var task: Task<Void, Never>?
    var caller: GLibExpectation<Result<QMIClient, ModemError>>?
    var client: QMIClient?
  }

  private(set) var held: Set<QMIClient> = []
  /// Those of an earlier backend that the modem has not taken back yet.
  private(set) var left: Set<QMIClient> = []
  var allocations: [Int: Allocation] = [:]
  private var lastAllocation = 0

  /// The client of a service that lives as long as the port.
  subscript(service: QMIService) -> QMIClient? { held.first { $0.service == service } }

  mutating func add(_ client: QMIClient) { held.insert(client) }
  mutating func add(left clients: [QMIClient]) { left.formUnion(clients) }
  mutating func remove(_ client: QMIClient) {
    held.remove(client)
    left.remove(client)
  }
  mutating func removeAll() { (held, left) = ([], []) }

  mutating func newAllocation() -> Int {
    lastAllocation += 1
    allocations[lastAllocation] = Allocation()
    return lastAllocation
  }
}
