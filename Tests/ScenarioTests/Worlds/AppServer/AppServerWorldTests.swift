import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// The app's server of the examples with modemd, the operator and four providers.
@Suite(
  "The app's server", .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Worlds.areAllowed && AppServerWorld.python != nil, AppServerWorld.reason))
struct AppServerWorldTests {
  @Test func `modemctl's verbs get their answers from it`() async throws {
    try await AppServerWorld.run { app in
      let rows: [(words: [String], status: Int32, shown: String)] = [
        (["truid", "subscriber-check", AppServerWorld.own, "--provider", "truid"], 0, "verified by truid"),
        (["truid", "subscriber-check", AppServerWorld.other, "--provider", "truid"], 11, "notVerified by truid"),
        (["truid", "phone-check", AppServerWorld.own, "--provider", "truid"], 0, "verified by truid"),
        (["truid", "subscriber-check", AppServerWorld.own, "--provider", "older"], 0, "verified by older"),
        (["truid", "phone-check", AppServerWorld.own, "--provider", "older"], 0, "verified by older"),
        (["truid", "sim-check", AppServerWorld.swapped, "--provider", "truid"], 11, "simSwapped by truid"),
        (["truid", "coverage", "--provider", "truid"], 0, "covered"),
        (["ipification", "verify", AppServerWorld.own], 0, "verified by ip"),
        (["ipification", "verify", AppServerWorld.other], 11, "notVerified by ip"),
        (["mobile-connect", "login"], 0, "signedIn by button"),
      ]
      for row in rows {
        let run = try await app.world.run(["modemctl"] + row.words)
        #expect(
          run.end == .exited(row.status) && run.output.contains(row.shown), "\(row.words)\n\(run.output)\(run.error)")
      }
    }
  }

  @Test(arguments: [("number-verification", "camara"), ("ipification", "ipification")])
  func `a code is exchanged once, for the session that began, and a new session follows`(
    kind: String, provider: String
  ) async throws {
    try await AppServerWorld.run { app in
      let (session, redirect) = try await app.authorize(kind, AppServerWorld.own)
      let end = try await app.finish(kind, session, redirect)
      #expect(end.status == 200 && end["result"] == "verified", "\(end.text)")
      #expect(end["phone_number"] == AppServerWorld.own)
      let token = try #require(end["session"])
      #expect(token != session, "the secret of before the sign-in must not become the one after it")

      let own = ["-H", "Authorization: Bearer \(token)"]
      let known = try await app.ask("/session", own)
      #expect(known.status == 200 && known["provider"] == provider && known["phone_number"] == AppServerWorld.own)
      #expect(try await app.ask("/session", ["-H", "Authorization: Bearer \(session)"]).status == 401)
      #expect(try await app.ask("/session", own + ["-X", "DELETE"]).status == 204)
      #expect(try await app.ask("/session", own).status == 401)

      let again = try await app.finish(kind, session, redirect)
      #expect(again.status == 403 && again["error"] == "expired", "\(again.text)")
      // Nor does another session take the code.
      let (second, late) = try await app.authorize(kind, AppServerWorld.own)
      let mixed = try await app.finish(kind, second, redirect)
      #expect(mixed.status == 403 && mixed["error"] == "state_mismatch", "\(mixed.text)")
      let lost = try await app.finish(kind, second, late)
      #expect(lost.status == 403 && lost["error"] == "expired", "an answer with another state ends the session")

      let (third, differs) = try await app.authorize(kind, AppServerWorld.other)
      let other = try await app.finish(kind, third, differs)
      #expect(other.status == 200 && other["result"] == "notVerified" && other.body?["session"] == nil, "\(other.text)")
    }
  }

  @Test func `the button's session goes to the device that began, and to nobody else`() async throws {
    try await AppServerWorld.run { app in
      let library = "https://app.example/mobile-connect/server_side_api"
      let start = "\(library)/start_discovery?msisdn=\(AppServerWorld.own.dropFirst())"
      let opened = try await app.world.run(["modemctl", "open", start, "--reveal", "--json"])
      let outcome = try #require(opened.output.split(separator: "\n").last, "\(opened.error)")
      let answer = JSONValue(parsing: Array(outcome.utf8))?["outcome"]?["answer"]
      #expect(answer?["status"]?.integer == 200, "\(outcome)")
      let shown = try #require(answer?["json"])
      #expect(shown["result"]?.string == "signedIn" && shown["id"]?.string?.isEmpty == false, "\(shown.text)")
      let session = try #require(shown["session"]?.string)
      let known = try await app.ask("/session", ["-H", "Authorization: Bearer \(session)"])
      #expect(known["provider"] == "mobileConnect" && known["id"] == shown["id"]?.string, "\(known.text)")

      // Somebody else's browser is led to the end of a sign-in that it did not begin.
      let began = try await app.ask(start, ["-o", "/dev/null", "-w", "%{redirect_url}"])
      #expect(!began.text.contains("code="))
      for cookie in [[], ["-H", "Cookie: __Host-flow=guessed"]] {
        let lured = try await app.ask("\(library)/discovery_callback?code=stolen&state=guessed", cookie)
        #expect(lured.status == 403 && lured["error"] == "expired", "\(lured.text)")
      }
    }
  }
}
