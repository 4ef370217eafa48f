import Milenage
import Subprocess
import Testing

/// Osmocom's authentication centre as the other side.
@Suite("Another implementation: osmo-auc-gen", .timeLimit(.minutes(1)))
struct OsmocomTests {
  private static let needs: Comment =
    "needs osmo-auc-gen of Debian's libosmocore-utils: scripts/install-dependencies test"

  private static func isInstalled() async -> Bool {
    await (try? ask(["--help"])) != nil
  }

  /// The lines `NAME: VALUE` that it prints.
  private static func ask(_ arguments: [String]) async throws -> [String: String] {
    let result = try await run(
      .name("osmo-auc-gen"), arguments: Arguments(arguments), output: .string(limit: 65_536), error: .discarded)
    return Dictionary(
      result.standardOutput.split(separator: "\n").compactMap { line in
        let halves = line.split(separator: ":", maxSplits: 1)
        return halves.count == 2
          ? (String(halves[0]), String(halves[1].drop(while: { $0 == "\t" || $0 == " " }))) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func arguments(_ set: MilenageSet) -> [String] {
    ["-3", "-a", "MILENAGE", "-k", set.k, "-o", set.opc, "-r", set.rand]
  }

  @Test("it makes the same vectors", .enabled(needs) { await isInstalled() }, arguments: MilenageSet.all)
  func vectors(_ set: MilenageSet) async throws {
    let sequence = try #require(UInt64(set.sqn, radix: 16))
    let answer = try await Self.ask(Self.arguments(set) + ["-f", set.amf, "-s", "\(sequence)"])
    let vector = Milenage(key: try bytes(set.k), opc: try bytes(set.opc)).vector(
      rand: try bytes(set.rand), sequence: try bytes(set.sqn), amf: try bytes(set.amf))
    #expect(answer["AUTN"] == hex(vector.autn))
    #expect(answer["RES"] == hex(vector.res))
    #expect(answer["CK"] == hex(vector.ck))
    #expect(answer["IK"] == hex(vector.ik))
    #expect(answer["Kc"] == hex(vector.kc))
  }

  @Test("it reads our AUTS", .enabled(needs) { await isInstalled() }, arguments: MilenageSet.all)
  func resynchronisation(_ set: MilenageSet) async throws {
    let sequence = try #require(UInt64(set.sqn, radix: 16))
    let auts = Milenage(key: try bytes(set.k), opc: try bytes(set.opc)).auts(
      rand: try bytes(set.rand), sequence: try bytes(set.sqn))
    let answer = try await Self.ask(Self.arguments(set) + ["-A", hex(auts)])
    #expect(answer["SQN.MS"] == "\(sequence)")
  }
}
