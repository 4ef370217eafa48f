import JSONTree
import OperatorSimulator

/// The operator's data about its customer: userinfo (OpenID Connect Core, 5.3) and premiuminfo.
struct OperatorAttributes: Sendable {
  let environment: MobileConnectEnvironment

  func userinfo(_ request: SimulatedRequest) -> SimulatedResponse {
    answer(request) { token throws(BearerRefusal) in SimulatedPerson(token.grant.number).userinfo(token.scope) }
  }

  func premiuminfo(_ request: SimulatedRequest) -> SimulatedResponse {
    answer(request) { token throws(BearerRefusal) in
      guard !MobileConnectScopes.identity.isDisjoint(with: token.scope) else {
        throw BearerRefusal(403, "insufficient_scope", "a scope of identity is needed")
      }
      let person = SimulatedPerson(token.grant.number)
      return person.premiuminfo(token.scope, asked: KYCClaims.asked(token.grant.authorization.claims))
    }
  }

  /// A refusal that only `WWW-Authenticate` shows (RFC 6750, 3).
  private struct BearerRefusal: Error {
    let response: SimulatedResponse

    init(_ status: Int, _ code: String, _ description: String) {
      response = SimulatedResponse(
        status: status,
        headers: [("WWW-Authenticate", "Bearer error=\"\(code)\", error_description=\"\(description)\"")])
    }
  }

  private func answer(
    _ request: SimulatedRequest,
    _ attributes: (MobileConnectStore.Token) throws(BearerRefusal) -> [String: JSONValue]
  ) -> SimulatedResponse {
    do throws(BearerRefusal) {
      // A token in a URL would appear in logs.
      guard request.queryPairs.isEmpty, let text = request.bearerToken else {
        throw BearerRefusal(401, "invalid_request", "a bearer token is needed")
      }
      guard let token = environment.store.access(text), environment.provider.now() < token.end,
        !token.grant.authorization.application.has(.refusedAttributes)
      else { throw BearerRefusal(401, "invalid_token", "the token is not good, or no longer") }
      return answer(try attributes(token), token.grant)
    } catch {
      return error.response
    }
  }

  private func answer(_ attributes: [String: JSONValue], _ grant: MobileConnectStore.Grant) -> SimulatedResponse {
    let application = grant.authorization.application
    for name in ["email", "birthdate", "national_identifier", "street_address"] {
      environment.provider.issued(attributes[name]?.string ?? "", as: name)
    }
    var attributes = attributes
    attributes["sub"] = .string(
      application.has(.otherSubject) ? "another" : environment.reference(of: grant.number, for: application))
    guard application.answersInTokens else { return .json(JSONValue.object(attributes).text) }
    attributes["iss"] = .string("https://\(environment.hosts.operator)")
    attributes["aud"] = .string(application.id)
    let token = try? environment.keys.sign(
      .object(attributes), keyID: environment.keyID, isForged: application.has(.attributeSignature))
    return SimulatedResponse(status: 200, headers: [("Content-Type", "application/jwt")], body: token ?? "")
  }
}
