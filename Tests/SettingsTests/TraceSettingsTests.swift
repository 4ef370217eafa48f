import AuthFlows
import JSONTree
import JournalLog
import Testing
import Web

@testable import ProviderSettings
@testable import modemd

@Suite("Applications' own servers that are told of traces")
struct TraceSettingsTests {
  private static func origins(_ text: String) throws -> Set<WebURL.Origin> {
    try CredentialFolder.with(["p.api-key": "k", "p.client-secret": "s"]) { credentials in
      var providers = ProviderSet()
      let tree = try #require(JSONValue(parsing: Array(text.utf8)))
      try ProviderFolder.add(tree, ProviderSecrets(name: "p", credentials: credentials), to: &providers)
      return providers.tracedOrigins
    }
  }

  @Test(
    "each kind with such a server has the key, and without it nobody is told",
    arguments: [
      (#""kind": "truID", "backend": { "url": "https://app.example/x"MORE }"#, #", "traceparent": VALUE"#),
      (#""kind": "firebase", "simCheck": { "backend": "https://app.example/x"MORE }"#, #", "traceparent": VALUE"#),
      (
        #""kind": "miracl", "project": "p1", "backend": "https://app.example/x"MORE"#, #", "backendTraceparent": VALUE"#
      ),
    ])
  func keys(_ text: String, _ key: String) throws {
    let file = { (more: String) in "{ \(text.replacing("MORE", with: more)) }" }
    let app = try WebURL("https://app.example/").origin
    #expect(try Self.origins(file("")).isEmpty)
    #expect(try Self.origins(file(key.replacing("VALUE", with: "false"))).isEmpty)
    // The provider's own hosts are never among them.
    #expect(try Self.origins(file(key.replacing("VALUE", with: "true"))) == [app])
  }

  @Test("IPification's own hosts are told nothing, and the app's server only where it completes a verification")
  func ipification() throws {
    let text = #""kind": "ipification", "clientID": "c", "redirectURI": "app://cb", "backendTraceparent": true"#
    #expect(
      try CredentialFolder.with([:]) { credentials in
        var providers = ProviderSet()
        let tree = try #require(JSONValue(parsing: Array(#"{ \#(text), "backend": "https://app.example/x" }"#.utf8)))
        try ProviderFolder.add(tree, ProviderSecrets(name: "p", credentials: credentials), to: &providers)
        return providers.tracedOrigins
      } == [try WebURL("https://app.example/").origin])
    #expect(try Self.origins("{ \(text) }").isEmpty)
  }

  @Test("a request gets a header with the trace's id and an id of its own, and nothing without a trace")
  func header() throws {
    let request = WebRequest("exchange", .post, try WebURL("https://app.example/x"))
    #expect(request.inTrace(nil) == request)
    let trace = TraceContext()
    let (first, second) = (request.inTrace(trace), request.inTrace(trace))
    #expect(first.headers.map(\.name) == ["traceparent"] && first != second)
    #expect(TraceContext(traceparent: first.headers.first?.value ?? "")?.traceID == trace.traceID)
    #expect(first.url == request.url && first.method == request.method && first.purpose == request.purpose)
  }
}
