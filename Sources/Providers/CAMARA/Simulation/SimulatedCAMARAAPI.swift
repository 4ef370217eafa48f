import Crypto
import JSONTree
import ModemModel
import OperatorSimulator

extension SimulatedCAMARAService {
  typealias Refusal = SimulatedCAMARAClient.Refusal

  func api(_ request: SimulatedRequest) -> SimulatedResponse {
    let correlator = request.headers["x-correlator"]
    do throws(APIRefusal) {
      let answer = try call(request)
      var response = SimulatedResponse.json(JSONValue.object(answer).text)
      if let correlator { response.headers.append(.init(name: "x-correlator", value: correlator)) }
      return response
    } catch {
      return Self.refusal(error.refusal, correlator: correlator)
    }
  }

  struct APIRefusal: Error {
    let refusal: Refusal

    init(_ status: Int, _ code: String) { refusal = Refusal(status: status, code: code) }
    init(_ refusal: Refusal) { self.refusal = refusal }
  }

  private func call(_ request: SimulatedRequest) throws(APIRefusal) -> [String: JSONValue] {
    let parts = request.pathParts
    guard parts.count == 3, ["v0", "v1", "v2"].contains(parts[1]) else { throw APIRefusal(404, "NOT_FOUND") }
    switch (request.method, parts[0], parts[2]) {
    case ("POST", "number-verification", "verify"):
      let token = try use(request, "number-verification:verify", "number-verification-verify-read")
      return ["devicePhoneNumberVerified": .bool(try verify(request, try subscriber(of: token, parts[1])))]
    case ("GET", "number-verification", "device-phone-number"):
      let token = try use(
        request, "number-verification:device-phone-number:read", "number-verification-device-phone-number-read")
      return ["devicePhoneNumber": .string(try subscriber(of: token, parts[1]))]
    case ("POST", "sim-swap", "check"):
      return try checkSwap(request, try use(request, "sim-swap:check", "sim-swap"))
    case ("POST", "sim-swap", "retrieve-date"):
      return try swapDate(request, try use(request, "sim-swap:retrieve-date", "sim-swap"))
    default: throw APIRefusal(404, "NOT_FOUND")
    }
  }

  /// Takes the token of a request, which is valid once.
  private func use(_ request: SimulatedRequest, _ scopes: String...) throws(APIRefusal) -> Token {
    guard let text = request.bearerToken, let token = state.withLock({ $0.tokens.removeValue(forKey: text) }),
      environment.now() < token.end
    else { throw APIRefusal(401, "UNAUTHENTICATED") }
    if let refusal = token.client.refusal { throw APIRefusal(refusal) }
    let granted = Set(token.scope.split { $0 == " " || $0 == "#" }.map(String.init))
    guard scopes.contains(where: granted.contains) || (scopes[0].hasPrefix("sim-swap") && granted.contains("sim-swap"))
    else { throw APIRefusal(403, "PERMISSION_DENIED") }
    return token
  }

  /// The number of the subscriber who gave a token.
  private func subscriber(of token: Token, _ version: String) throws(APIRefusal) -> String {
    guard let session = token.session else { throw APIRefusal(403, "PERMISSION_DENIED") }
    guard session.isMobile else {
      throw APIRefusal(403, "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK")
    }
    guard let number = session.number else {
      throw version == "v2"
        ? APIRefusal(403, "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK")
        : APIRefusal(403, "NUMBER_VERIFICATION.INVALID_TOKEN_CONTEXT")
    }
    return number
  }

  private func verify(_ request: SimulatedRequest, _ number: String) throws(APIRefusal) -> Bool {
    let plain = request.json?["phoneNumber"]?.string
    let hashed = request.json?["hashedPhoneNumber"]?.string
    switch (plain, hashed) {
    case (let plain?, nil) where plain.hasPrefix("+"): return plain == number
    case (nil, let hashed?): return hashed.lowercased() == Self.hash(of: number)
    default: throw APIRefusal(400, "INVALID_ARGUMENT")
    }
  }

  static func hash(of number: String) -> String {
    let digits = Array("0123456789abcdef")
    return String(SHA256.hash(data: Array(number.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// The subject of a question about a SIM: a number with a client's own token, none with a
  /// subscriber's.
  private func asked(
    _ request: SimulatedRequest, _ token: Token
  ) throws(APIRefusal) -> SimulatedSubscribers.Subscriber {
    let given = request.json?["phoneNumber"]?.string
    let number: String
    switch (token.session, given) {
    case (nil, nil): throw APIRefusal(422, "MISSING_IDENTIFIER")
    case (.some, .some): throw APIRefusal(422, "UNNECESSARY_IDENTIFIER")
    case (nil, let given?): number = given
    case (.some, nil): number = try subscriber(of: token, "v2")
    }
    guard let subscriber = environment.subscribers.subscriber(number) else {
      throw APIRefusal(404, "IDENTIFIER_NOT_FOUND")
    }
    return subscriber
  }

  private func checkSwap(_ request: SimulatedRequest, _ token: Token) throws(APIRefusal) -> [String: JSONValue] {
    let subscriber = try asked(request, token)
    let hours = request.json?["maxAge"]?.integer ?? 240
    guard (1...2400).contains(hours) else { throw APIRefusal(400, "OUT_OF_RANGE") }
    guard let change = environment.subscribers.simChange(of: subscriber) else {
      throw APIRefusal(422, "SERVICE_NOT_APPLICABLE")
    }
    let age = environment.now().milliseconds - change.milliseconds
    return [token.client.swapName: .bool(age <= Int64(hours) * 3_600_000)]
  }

  private func swapDate(_ request: SimulatedRequest, _ token: Token) throws(APIRefusal) -> [String: JSONValue] {
    let change = environment.subscribers.simChange(of: try asked(request, token))
    var members: [String: JSONValue] = ["latestSimChange": .null]
    if let days = token.client.monitoredDays { members["monitoredPeriod"] = .int(days) }
    guard let change else { return members }
    let age = environment.now().milliseconds - change.milliseconds
    let isWatched = token.client.monitoredDays.map { age <= Int64($0) * 86_400_000 } ?? true
    if isWatched { members["latestSimChange"] = .string(change.description) }
    return members
  }
}
