import JSONTree
import Synchronization

/// A provider that shows a service's view: for tests of worlds, and as a pattern.
///
/// | request | answer |
/// | --- | --- |
/// | `GET /caller` | `source`, `isMobile`, and `number` where it is known |
/// | `PUT /note` | keeps the form's or the object's `text` |
/// | `GET /note` | `text` as it was kept, whichever way it came |
/// | `POST /code` | sends a code to the form's `number`; 204 |
/// | `GET /clock` | `time`, and `mood` and `simChange` where they are known |
/// | `POST /token` | a token, for the scenario's client id and secret by Basic authentication; 401 else |
///
/// The app's backend, on another host, answers `GET /caller` and `GET /note` too.
package final class SampleService: SimulatedService {
  private let hosts: Set<String>
  private let secret: String
  private let environment: ProviderEnvironment
  private let note = Mutex<String?>(nil)

  /// - Parameters:
  ///   - hosts: names in lower case.
  ///   - secret: what `POST /token` wants as the secret of the client `sample`.
  package init(hosts: Set<String>, secret: String, _ environment: ProviderEnvironment) {
    self.hosts = hosts
    self.secret = secret
    self.environment = environment
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    guard hosts.contains(request.host) else { return nil }
    switch (request.method, request.path) {
    case ("GET", "/caller"): return caller(request)
    case ("PUT", "/note"): return keep(request.form?["text"] ?? request.json?["text"]?.string)
    case ("GET", "/note"):
      return .json(JSONValue.object(["text": note.withLock { $0 }.map(JSONValue.string) ?? .null]).text)
    case ("GET", "/clock"): return clock(request)
    case ("POST", "/code"): return await sendCode(to: request.form?["number"])
    case ("POST", "/token"): return token(request.basicCredentials)
    default: return nil
    }
  }

  private func caller(_ request: SimulatedRequest) -> SimulatedResponse {
    var members: [String: JSONValue] = [
      "source": .string(request.source.description),
      "isMobile": .bool(environment.subscribers.isBearer(request.source)),
      "isSecure": .bool(request.isSecure),
    ]
    members["number"] = environment.subscribers.subscriber(at: request.source).map { .string($0.number) }
    return .json(JSONValue.object(members).text)
  }

  private func clock(_ request: SimulatedRequest) -> SimulatedResponse {
    var members: [String: JSONValue] = ["time": .string(environment.now().description)]
    members["mood"] = environment.word("sample.mood").map { .string($0) }
    members["simChange"] = request.query["number"].flatMap(environment.subscribers.subscriber)
      .flatMap(environment.subscribers.simChange).map { .string($0.description) }
    return .json(JSONValue.object(members).text)
  }

  private func keep(_ text: String?) -> SimulatedResponse {
    guard let text else { return .problem(400, "a text is missing") }
    note.withLock { $0 = text }
    return SimulatedResponse(status: 204)
  }

  private func sendCode(to number: String?) async -> SimulatedResponse {
    guard let number else { return .problem(400, "a number is missing") }
    let code = environment.makeCode("one-time code")
    await environment.sendMessage(to: number, from: "Sample", text: "Your code is \(code).\nIt is good for 2 minutes.")
    return SimulatedResponse(status: 204)
  }

  private func token(_ credentials: SimulatedRequest.BasicCredentials?) -> SimulatedResponse {
    guard credentials == .init(name: "sample", secret: secret) else { return .problem(401, "the client is not known") }
    return .json(JSONValue.object(["access_token": .string(environment.makeToken("access token"))]).text)
  }
}
