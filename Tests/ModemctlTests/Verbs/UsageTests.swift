import FoundationEssentials
import Glibc
import ModemAPI
import ModemService
import NetworkAddress
import Testing
import TrafficLedger

@testable import ModemctlCommands
@testable import ModemctlCore

@Suite("usage and sockets", .timeLimit(.minutes(1))) struct UsageTests {
  private static let modem = "modem-0011aabb"

  private static func request(_ purpose: TrafficPurpose, host: String? = "shop.example") -> TrafficRequest {
    TrafficRequest(
      caller: Caller(userID: 0), processID: getpid(), modem: modem, interface: "wwan0", purpose: purpose, host: host,
      port: 443)
  }

  @Test("usage has a line for each purpose, a bar for each day, and what is left of budgets")
  func usage() async throws {
    try await MemoryService.run { service in
      #expect(await service.modemctl("usage").output == "nothing went over a bearer this month\n")
      service.ledger.change(
        to: TrafficPolicy(
          budgets: ByCaller(users: [
            0: .init(key: "usage.budgets.root", value: BudgetLimits(dayBytes: 2_000_000, connections: 1))
          ])))
      service.ledger.count(
        sent: 1000, received: 234_000, connections: 3, of: 0, modem: Self.modem, purpose: .chains)
      service.ledger.count(sent: 40, received: 60, of: nil, modem: Self.modem, purpose: .probes)
      let account = try service.ledger.open(Self.request(.proxy))
      account.took(sent: 500_000, received: 1_000_000, ofReserved: 0)
      let run = await service.modemctl("usage")
      #expect(run.status == .done && run.messages == "")
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(
        lines[0...4] == [
          "USER      PURPOSE  THIS BEARER  THIS MONTH      SENT  RECEIVED  ROAMING  CONNECTIONS",
          "(modemd)  probes           0 B       100 B      40 B      60 B      0 B            0",
          "root      chains           0 B    235.0 kB    1.0 kB  234.0 kB      0 B            3",
          "root      proxy            0 B      1.5 MB  500.0 kB    1.0 MB      0 B            1",
          "all       -                0 B      1.7 MB  501.0 kB    1.2 MB      0 B            4",
        ], "\(run.output)")
      #expect(lines[6] == "Days")
      #expect(lines[7].hasPrefix("  20") && lines[7].contains("1.7 MB  ####"))
      #expect(
        lines[9] == "BUDGET                          USER      LEFT    USED      OF  STARTS ANEW", "\(run.output)")
      #expect(lines[10].hasPrefix("usage.budgets.root.dayBytes     root  265.0 kB  1.7 MB  2.0 MB  20"))
      #expect(lines[11] == "usage.budgets.root.connections  root         0       1       1  -")
      let status = await service.modemctl("status", Self.modem).output
      #expect(status.contains("Usage          0 B over this bearer, 1.7 MB this month"), "\(status)")
      #expect(await service.modemctl("status").output.contains("0 B over this bearer, 1.7 MB this month"))
      let json = try #require(
        try? JSONDecoder().decode(
          UsageInterface.Get.Reply.self,
          from: Data(await service.modemctl("usage", "--json", "--days", "0").output.utf8)))
      #expect(json.month.count == 3 && json.days.isEmpty && json.budgets.count == 2)
      #expect(await service.modemctl("usage", "--user", "61001").output == "nothing went over a bearer this month\n")
      for wrong in [["--days", "401"], ["--user", "nobody-of-that-name"]] {
        #expect(await service.modemctl("usage", wrong[0], wrong[1]).status == .usage)
      }
      #expect(await service.modemctl("usage", "--modem", "none").status == .noModem)
      account.close()
    }
  }

  @Test("sockets lists who has which connection, and ends it")
  func sockets() async throws {
    try await MemoryService.run { service in
      #expect(await service.modemctl("sockets").output == "no program has a connection over a bearer\n")
      let account = try service.ledger.open(Self.request(.streams))
      let (own, far) = try (#require(IPAddress("10.64.0.2")), #require(IPAddress("8.8.8.8")))
      account.connected(source: own, address: far, cookie: nil)
      account.took(sent: 1500, received: 0, ofReserved: 0)
      let run = await service.modemctl("sockets")
      let row = run.output.split(separator: "\n").last.map(String.init) ?? ""
      #expect(row.hasPrefix("\(account.id)  wwan0      root") && row.contains("  stream  20"), "\(run.output)")
      #expect(row.hasSuffix("  1.5 kB       0 B  shop.example:443 (8.8.8.8)"), "\(run.output)")
      #expect(await service.modemctl("sockets", "list", "--json").output.contains("\"way\":\"stream\""))
      let ended = await service.modemctl("sockets", "end", account.id)
      #expect(ended.status == .done && ended.output == "\(account.id) ended\n")
      #expect(account.reserve(1) == 0)
      account.close()
      let unknown = await service.modemctl("sockets", "end", account.id)
      #expect(unknown.status == .failed && unknown.messages.contains("there is no connection \(account.id)"))
    }
  }

  @Test("Bars are as long as there is room, of eighths where there are such characters")
  func drawing() {
    let values = [("a", 1000), ("bb", 500), ("c", 1), ("d", 0)]
    #expect(
      UsageDrawing(width: 32, isPlain: true).lines(values) == [
        "a   1.0 kB  ####################", "bb   500 B  ##########", "c      1 B  #", "d      0 B",
      ])
    #expect(
      UsageDrawing(width: 32, isPlain: false).lines(values) == [
        "a   1.0 kB  ████████████████████", "bb   500 B  ██████████", "c      1 B  ▏", "d      0 B",
      ])
    for width in [Int.min, 0, 40, Int.max] {
      let lines = UsageDrawing(width: width, isPlain: true).lines([("x", .max), ("y", .min)])
      #expect(lines.allSatisfy { $0.count <= 200 })
    }
    #expect(
      [0, 999, 1000, 999_949, 999_950, .max].map(ShownBytes.text) == [
        "0 B", "999 B", "1.0 kB", "999.9 kB", "1.0 MB", "9.2 EB",
      ])
  }

  @Test("UTF-8 is what the locale says, by the first variable that is set")
  func locale() {
    let knows = { (variables: [String: String]) in Usage.knowsUnicode { variables[$0] } }
    #expect(knows(["LANG": "de_DE.UTF-8"]) && knows(["LC_ALL": "C.utf8", "LANG": "C"]))
    #expect(!knows(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]) && !knows([:]) && !knows(["LC_ALL": "", "LANG": "C"]))
  }
}
