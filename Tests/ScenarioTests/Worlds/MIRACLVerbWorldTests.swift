import Glibc
import ScenarioRunner
import Testing

/// `modemctl miracl` in a world, as somebody at a shell uses it.
@Suite(
  "modemctl miracl in worlds", .serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MIRACLVerbWorldTests {
  private static let hasTools = ["zbarimg", "qrencode"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

  /// Runs lines of a shell, and finds no secret in what they write.
  ///
  /// - Parameter isSearched: false where the website itself names its user.
  private static func shell(
    _ world: World, _ lines: String, status: Int32 = 0, isSearched: Bool = true
  ) async throws -> String {
    let result = try await world.run(["sh", "-euc", "cd \(world.folder.path)\n\(lines)"])
    #expect(result.end == .exited(status), "\(lines)\n\(result.output)\(result.error)")
    guard isSearched else { return result.output }
    let texts = [("output", result.output), ("errors", result.error)].map { CollectedText(name: $0.0, text: $0.1) }
    #expect(world.secretSearch.findings(in: texts) == [], "\(lines)")
    return result.output + result.error
  }

  private static let curl = #"curl -sS --cacert "$MODEM_SIMULATOR_CA""#
  /// Waits for the mail as somebody does who looks again and again, and then types its code and a
  /// PIN.
  private static let mail = """
    \(curl) -f --retry 30 --retry-delay 1 --retry-all-errors https://mail.shop.example/to/ada@shop.example -o mail 2>/dev/null
    sed -n 's/Your code is \\([0-9]*\\).*/\\1/p' mail
    """

  @Test(
    "The QR code is an image, the PIN is typed, and nothing that is shown gives anything away", .enabled(if: hasTools))
  func login() async throws {
    try await Worlds.with(MIRACLWorldTests.scenario) { world in
      let registered = try await Self.shell(
        world, "{ \(Self.mail)\necho 4711; } | modemctl miracl register ada@shop.example --provider shop")
      #expect(registered.contains("registered by shop") && registered.contains("4 digits"))
      _ = try await Self.shell(
        world,
        """
        \(Self.curl) -d '' https://site.shop.example/login > /dev/null
        \(Self.curl) https://site.shop.example/login/last/qr | qrencode -o code.png
        """)
      let session = try await Self.shell(world, "modemctl miracl session --qr code.png --provider shop")
      #expect(session.contains("Example Shop"))
      let wrong = try await Self.shell(
        world, "echo 0815 | modemctl miracl login --qr code.png --provider shop", status: 11)
      #expect(wrong.contains("pinWrong"))
      let login = try await Self.shell(world, "echo 4711 | modemctl miracl login --qr code.png --provider shop")
      #expect(login.contains("signedIn by shop"))
      let seen = try await Self.shell(world, "\(Self.curl) https://site.shop.example/login/last", isSearched: false)
      #expect(seen == #"{"status":"authenticated","user":"ada@shop.example"}"#)
      // What is kept is its owner's alone, and the PIN is not in it.
      let kept = try await Self.shell(
        world, "cd modemd-state/miracl\nstat -c '%a' . *.json\ncat *.json", isSearched: false)
      #expect(kept.hasPrefix("700\n600\n") && kept.contains("shop"))
      let found = world.secretSearch.findings(in: CollectedText(name: "identity", text: kept))
      #expect(!found.contains { ["PIN", "client secret share", "token"].contains($0.kind) }, "\(found)")
      let both = try await Self.shell(
        world, "modemctl miracl login --qr code.png https://mcl.miracl.example/#1 --provider shop", status: 2)
      #expect(both.contains("not both"))
      // A PIN of another length is asked for again, and never sent.
      let twice = try await Self.shell(world, "printf '47111\\n4711\\n' | modemctl miracl login --provider shop")
      #expect(twice.contains("signedIn") && twice.contains("a PIN has"))
    }
  }

  @Test("A signature is saved, verified and refused; users are listed and forgotten")
  func signature() async throws {
    try await Worlds.with(MIRACLWorldTests.scenario) { world in
      _ = try await Self.shell(
        world, "echo 4711 | modemctl miracl register ada@shop.example --by backend --provider shop")
      let signed = try await Self.shell(
        world,
        """
        echo agreed > contract
        echo 4711 | modemctl miracl sign --hash "$(sha256sum contract | head -c 64)" --save signature --provider shop
        stat -c %a signature
        """)
      #expect(signed.contains("signed by shop") && signed.contains("600"))
      let verified = try await Self.shell(world, "modemctl miracl verify-signature signature --provider shop")
      #expect(verified.contains("verified by shop"))
      let forged = "sed 's/\"hash\":\"../\"hash\":\"00/' signature > forged"
      let refused = try await Self.shell(
        world, "\(forged)\nmodemctl miracl verify-signature forged --provider shop", status: 12)
      #expect(refused.contains("tokenRefused"))
      let listed = try await Self.shell(world, "modemctl miracl identities")
      #expect(listed.contains("@shop.example") && listed.contains("active") && !listed.contains("ada@"))
      _ = try await Self.shell(world, "modemctl miracl forget ada@shop.example")
      let none = try await Self.shell(world, "echo 4711 | modemctl miracl login --provider shop", status: 13)
      #expect(none.contains("not registered"))
    }
  }
}
