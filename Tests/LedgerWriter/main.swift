import Glibc
import ModemService
import TrafficLedger

// Moves bytes to standard output within a budget until it is killed, or the budget is spent:
// `ledger-writer FOLDER LIMIT PIECE`, the limit of the day and the size of a piece in bytes.

let arguments = CommandLine.arguments
guard arguments.count == 4, let limit = Int(arguments[2]), let piece = Int(arguments[3]), piece > 0 else { exit(2) }
let limits = BudgetLimits(dayBytes: limit)
let policy = TrafficPolicy(budgets: ByCaller(general: .init(key: "usage.budgets.*", value: limits)))
let ledger = TrafficLedger(policy: policy, means: .init(folder: arguments[1]))
let request = TrafficRequest(
  caller: Caller(userID: 1000), modem: "modem-1", interface: "wwan0", purpose: .streams, host: "192.0.2.1", port: 80)
guard let account = try? ledger.open(request) else { exit(0) }
let bytes = [UInt8](repeating: 0x2e, count: piece)
while case let granted = account.reserve(piece), granted > 0 {
  var moved = 0
  while moved < granted {
    let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, granted - moved) }
    guard count > 0 else { exit(1) }
    moved += count
  }
  account.took(sent: moved, received: 0, ofReserved: granted)
}
account.close()
