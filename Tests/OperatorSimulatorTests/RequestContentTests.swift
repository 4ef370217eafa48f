import JSONTree
import NetworkAddress
import Testing

@testable import OperatorSimulator

@Suite struct RequestContentTests {
  private func request(_ headers: [String: String], _ body: String = "") -> SimulatedRequest {
    SimulatedRequest(
      method: "POST", isSecure: true, host: "a.example", path: "/x", headers: headers, body: Array(body.utf8),
      source: IPAddress("10.0.0.1")!)
  }

  @Test(
    arguments: [
      ("application/x-www-form-urlencoded", "a=1&b=%C3%BC+x&a=2", ["a": "1", "b": "ü x"]),
      ("Application/X-WWW-Form-URLEncoded; charset=UTF-8", "code=7", ["code": "7"]),
      ("application/x-www-form-urlencoded", "", [:]),
      ("application/json", "a=1", nil), (nil, "a=1", nil),
    ] as [(String?, String, [String: String]?)])
  func `a form is read where the request says that it is one`(type: String?, body: String, fields: [String: String]?) {
    #expect(request(type.map { ["content-type": $0] } ?? [:], body).form == fields)
  }

  @Test(
    arguments: [
      ("application/json", #"{"a":[1,true]}"#, .object(["a": .array([.int(1), .bool(true)])])),
      ("application/json-patch+json", "[]", .array([])), ("application/json; charset=utf-8", "null", .null),
      ("application/json", "{", nil), ("application/json", "", nil), ("text/plain", "{}", nil), (nil, "{}", nil),
    ] as [(String?, String, JSONValue?)])
  func `JSON is read where the request says that it is`(type: String?, body: String, value: JSONValue?) {
    #expect(request(type.map { ["content-type": $0] } ?? [:], body).json == value)
  }

  @Test(
    arguments: [
      ("Basic YTpiOmM=", "a", "b:c"), ("basic OnM=", "", "s"), ("Basic YQ==", nil, nil), ("Basic %%", nil, nil),
      ("Bearer YTpi", nil, nil), ("Basic", nil, nil), ("Basic YTpi extra", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func `Basic authentication has a name and a secret`(header: String?, name: String?, secret: String?) {
    let credentials = request(header.map { ["authorization": $0] } ?? [:]).basicCredentials
    #expect(credentials?.name == name && credentials?.secret == secret)
  }

  @Test(arguments: [("Bearer t0k.en", "t0k.en"), ("bearer x", "x"), ("Basic YTpi", nil), ("Bearer", nil), (nil, nil)])
  func `a bearer token is what it is`(header: String?, token: String?) {
    #expect(request(header.map { ["authorization": $0] } ?? [:]).bearerToken == token)
  }

  @Test(arguments: [
    ("/v1/token", "/v1"), ("/", "/"), ("/4915112345678/x", "/…"), ("/a%20b/c", "/a%20b"),
    ("/0f3a9c81d2b74e6a/x", "/…"), ("/checks", "/checks"),
  ])
  func `the log of requests names of a path its first word alone`(path: String, place: String) {
    var request = request([:])
    request.path = path
    #expect(RequestLog.Entry(request, side: "operator").description == "operator POST a.example \(place)")
  }
}
