import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// A browser of Debian in a world, with a new profile, driven by `Tests/Browsers/browser`.
struct WorldBrowser: Sendable {
  enum Kind: String, CaseIterable, Sendable { case chromium, firefox }

  static let python = "/usr/bin/python3"
  static let program = "\(Worlds.repository)/Tests/Browsers/browser"
  /// Where screenshots stay.
  static let pictures = "\(Worlds.repository)/.build/browsers"

  let kind: Kind
  let world: World
  private let folder: String

  /// Starts a browser, and ends it after `body`.
  ///
  /// - Parameter system: a folder whose `etc` and `usr` lie over the machine's, for the browser
  ///   alone.
  /// - Parameter user: whom it runs as; root if there is none.
  static func with(
    _ kind: Kind, in world: World, over system: String, as user: LocalUser? = nil,
    _ body: (WorldBrowser) async throws -> Void
  ) async throws {
    mkdir(pictures, 0o755)
    let folder = world.folder.file("\(kind)-\(UInt32.random(in: 0 ... .max))")
    let server = try await world.begin(
      [python, program, "serve", kind.rawValue, folder, "--over", system]
        + (user.map { ["--user", $0.ids] } ?? []))
    _ = try await world.eventually { server.output().contains("ready") || server.process.end != nil }
    #expect(server.process.end == nil, "\(server.error()) \(Worlds.contents(of: folder + "/log") ?? "")")
    let browser = WorldBrowser(kind: kind, world: world, folder: folder)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(browser))
    } catch {
      try? await browser.screenshot("failure")
      result = .failure(error)
    }
    server.process.send(SIGTERM)
    #expect(await server.process.waitForEnd() == .exited(0), "\(server.error())")
    try result.get()
  }

  /// Asks for one thing; Tests/Browsers/browser has the list.
  @discardableResult
  func ask(_ verb: String, _ value: JSONValue) async throws -> JSONValue {
    let request = JSONValue.object([verb: value]).text
    let run = try await world.run([Self.python, Self.program, "ask", folder, request])
    let answer = JSONValue(parsing: Array(run.output.utf8)) ?? .null
    guard run.end == .exited(0) else { throw BrowserFailure(text: "\(kind): \(request): \(run.output)\(run.error)") }
    return answer
  }

  /// Loads a page.
  ///
  /// - Returns: why the browser refuses to show it; nil if it does.
  @discardableResult
  func open(_ url: String) async throws -> String? { try await ask("open", .string(url))["failure"]?.string }

  @discardableResult
  func read(_ expression: String) async throws -> JSONValue? { try await ask("read", .string(expression))["value"] }
  func text(_ expression: String) async throws -> String { try await read(expression)?.string ?? "" }
  func wait(for expression: String) async throws { try await ask("wait", .string(expression)) }
  func click(_ selector: String) async throws { try await ask("click", .string(selector)) }
  func type(_ text: String) async throws { try await ask("type", .string(text)) }
  func press(_ key: String) async throws { try await ask("key", .string(key)) }
  func zoom(_ factor: Double) async throws { try await ask("zoom", .double(factor)) }

  /// Keeps a picture of the whole page.
  func screenshot(_ name: String) async throws {
    try await ask("screenshot", .string("\(Self.pictures)/\(name)-\(kind).png"))
  }

  /// Role and name of an element, as a screen reader gets them.
  func named(_ selector: String) async throws -> (role: String, name: String) {
    let answer = try await ask("named", .string(selector))
    return (answer["role"]?.string ?? "", answer["name"]?.string ?? "")
  }
}

struct BrowserFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
