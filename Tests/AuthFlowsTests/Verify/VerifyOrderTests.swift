import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Testing

@Suite("Which providers verify a number, in which order")
struct VerifyOrderTests {
  /// A row of the table. Providers are letters: `b` needs the bearer, `n` does not, and a capital
  /// names the SIM's network. The order is told by positions.
  struct Row: Sendable, CustomTestStringConvertible {
    let providers: String
    let route: VerifyRoute
    var obstacle: ChainFailure.Cause?
    let order: [Int]

    init(_ providers: String, _ route: VerifyRoute, without obstacle: ChainFailure.Cause? = nil, _ order: [Int]) {
      (self.providers, self.route, self.obstacle, self.order) = (providers, route, obstacle, order)
    }

    var testDescription: String { "\(providers) \(route)\(obstacle.map { " without: \($0)" } ?? "")" }
  }

  static let rows: [Row] = [
    // The order of the files, where nothing speaks for another.
    Row("", .any, []), Row("b", .any, [0]), Row("n", .any, [0]), Row("bb", .any, [0, 1]), Row("nn", .any, [0, 1]),
    // The bearer's first.
    Row("nb", .any, [1, 0]), Row("bn", .any, [0, 1]), Row("nbnb", .any, [1, 3, 0, 2]),
    // Those that name the network before those for all, whatever they need.
    Row("bB", .any, [1, 0]), Row("bN", .any, [1, 0]), Row("nN", .any, [1, 0]), Row("nBbN", .any, [1, 3, 2, 0]),
    Row("bnNB", .any, [3, 2, 0, 1]),
    // By one way alone, with and without a bearer.
    Row("nbnb", .network, [0, 2]), Row("nbNB", .network, [2, 0]), Row("bb", .network, []), Row("", .network, []),
    Row("nbnb", .network, without: .notRegistered, [0, 2]),
    Row("nbnb", .bearer, [1, 3]), Row("nbNB", .bearer, [3, 1]), Row("nn", .bearer, []),
    Row("nbnb", .bearer, without: .notRegistered, [1, 3]),
    // No bearer: those that need none, and then the others, which tell what is missing.
    Row("nbnb", .any, without: .notRegistered, [0, 2, 1, 3]),
    Row("bn", .any, without: .bearerRefused, [1, 0]), Row("bn", .any, without: .noAddress, [1, 0]),
    Row("bn", .any, without: .bearerLost, [1, 0]), Row("bn", .any, without: .modemFailed, [1, 0]),
    Row("Bn", .any, without: .notRegistered, [1, 0]), Row("bnBN", .any, without: .notRegistered, [3, 1, 2, 0]),
    Row("bb", .any, without: .notRegistered, [0, 1]), Row("nn", .any, without: .notRegistered, [0, 1]),
    // Without a SIM or a modem, nobody can answer: the order stays.
    Row("nb", .any, without: .simLocked, [1, 0]), Row("nb", .any, without: .simAbsent, [1, 0]),
    Row("nb", .any, without: .simNotReady, [1, 0]), Row("nb", .any, without: .noModem, [1, 0]),
    Row("nb", .any, without: .portUnavailable, [1, 0]),
  ]

  @Test("The order follows from need, networks, route and what is known against a bearer", arguments: rows)
  func order(_ row: Row) {
    let candidates = row.providers.map {
      VerifyOrder.Candidate(needsBearer: $0.lowercased() == "b", namesNetworks: $0.isUppercase)
    }
    let order = VerifyOrder(candidates, by: row.route, without: row.obstacle)
    #expect(order.positions == row.order)
    #expect(Set(order.positions).count == order.positions.count)
  }

  /// An outcome, and what follows it for a provider that needs the bearer, and for another.
  struct End: Sendable {
    let outcome: FlowOutcome
    let bearer: VerifyOrder.Turn
    let network: VerifyOrder.Turn

    init(_ outcome: FlowOutcome, _ bearer: VerifyOrder.Turn, _ network: VerifyOrder.Turn) {
      (self.outcome, self.bearer, self.network) = (outcome, bearer, network)
    }
  }

  private static func end(_ result: FlowResult, cause: ChainFailure.Cause? = nil, code: String? = nil) -> FlowOutcome {
    FlowOutcome(result, code: code, cause: cause, "a sentence")
  }

  static let ends: [End] = [
    End(end(.verified), .over, .over), End(end(.notVerified), .over, .over), End(end(.simSwapped), .over, .over),
    End(end(.operatorUnsupported), .next, .next), End(end(.operatorMismatch), .next, .next),
    End(end(.subscriberUnknown), .next, .next), End(end(.headerMissing), .next, .next),
    End(end(.notConfigured), .next, .next), End(end(.clientRefused), .next, .next),
    End(end(.noDataPath, cause: .notRegistered), .nextWithoutBearer, .over),
    End(end(.noDataPath, cause: .bearerRefused), .nextWithoutBearer, .over),
    End(end(.noDataPath, cause: .noAddress), .nextWithoutBearer, .over),
    End(end(.noDataPath, cause: .bearerLost), .nextWithoutBearer, .over),
    End(end(.noDataPath, cause: .modemFailed), .nextWithoutBearer, .over),
    End(end(.noDataPath, cause: .simLocked), .over, .over), End(end(.noDataPath, cause: .simAbsent), .over, .over),
    End(end(.noDataPath, cause: .noModem), .over, .over), End(end(.noDataPath), .over, .over),
    End(end(.noSIMAnswer, code: "notSupported"), .over, .next), End(end(.noSIMAnswer), .over, .next),
    End(end(.rateLimited, code: "tooMany"), .over, .next), End(end(.rateLimited), .over, .over),
    End(end(.notMobileIP), .over, .over), End(end(.timeout), .over, .over), End(end(.expired), .over, .over),
    End(end(.providerUnavailable), .over, .over), End(end(.badAnswer), .over, .over),
    End(end(.interactionRequired), .over, .over), End(end(.operatorError), .over, .over),
  ]

  @Test("An outcome leads on only where another provider might know better, at no cost", arguments: ends)
  func turn(_ end: End) {
    #expect(VerifyOrder.turn(after: end.outcome, needsBearer: true) == end.bearer)
    #expect(VerifyOrder.turn(after: end.outcome, needsBearer: false) == end.network)
  }
}
