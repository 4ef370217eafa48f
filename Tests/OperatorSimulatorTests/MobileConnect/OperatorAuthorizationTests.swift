import JSONTree
import OperatorSimulator
import MobileConnectSimulation
import Testing

/// The simulated operator's authorization endpoint: whom it recognises, and what it refuses.
@Suite struct OperatorAuthorizationTests {
  let stage = MobileConnectStage.shared

  @Test func `the chain goes over a hop in clear and ends at the redirect URI, with state first and correlation id`()
    async throws
  {
    let end = await stage.authorize("plain", "correlation_id=123e4567-e89b-42d3-a456-426614174000")
    #expect(end.hops == ["https op.example", "http he.example", "https op.example"])
    #expect(end.fields["state"] == "st" && end.fields["code"]?.count == 32)
    #expect(end.fields["correlation_id"] == "123e4567-e89b-42d3-a456-426614174000")
    #expect(stage.notes.kind(of: try #require(end.fields["code"])) == "authorization code")
  }

  struct Refusal: Sendable, CustomStringConvertible {
    let description: String
    /// Takes the place of the parameter of the same name, or is there besides.
    var parameter = ""
    /// A parameter that is left out.
    var without = ""
    let error: String
  }

  @Test(arguments: [
    Refusal(description: "no response type", without: "response_type", error: "invalid_request"),
    Refusal(description: "another response type", parameter: "response_type=token", error: "unsupported_response_type"),
    Refusal(description: "no state", without: "state", error: "invalid_request"),
    Refusal(description: "no nonce", without: "nonce", error: "invalid_request"),
    Refusal(description: "no scope", without: "scope", error: "invalid_request"),
    Refusal(description: "a scope without openid", parameter: "scope=mc_authn", error: "invalid_scope"),
    Refusal(description: "openid behind", parameter: "scope=mc_authn%20openid", error: "invalid_scope"),
    Refusal(description: "an unknown scope", parameter: "scope=openid%20mc_everything", error: "invalid_scope"),
    Refusal(description: "level 4", parameter: "acr_values=4", error: "invalid_request"),
    Refusal(description: "an unknown version", parameter: "version=mc_v9", error: "invalid_request"),
    Refusal(description: "an unknown display", parameter: "display=wall", error: "invalid_request"),
    Refusal(description: "an unknown prompt", parameter: "prompt=often", error: "invalid_request"),
    Refusal(description: "none beside login", parameter: "prompt=none%20login", error: "invalid_request"),
    Refusal(
      description: "consent in DI 3.0", parameter: "version=mc_di_v3.0&prompt=consent", error: "invalid_request"),
    Refusal(description: "a max_age of words", parameter: "max_age=hour", error: "invalid_request"),
    Refusal(description: "max-age", parameter: "max-age=3600", error: "invalid_request"),
    Refusal(description: "response_mode", parameter: "response_mode=query", error: "invalid_request"),
    Refusal(description: "a correlation id that is no UUID", parameter: "correlation_id=1", error: "invalid_request"),
    Refusal(description: "a hint with a plus", parameter: "login_hint=MSISDN:%2B49151", error: "invalid_request"),
    Refusal(description: "a hint of no kind", parameter: "login_hint=4915112345678", error: "invalid_request"),
    Refusal(description: "an unknown kind of hint", parameter: "login_hint=IMSI:262", error: "invalid_request"),
    Refusal(
      description: "a hint that is not encrypted", parameter: "login_hint=ENCR_MSISDN:abcd", error: "invalid_request"),
    Refusal(description: "two hints", parameter: "login_hint=PCR:a&login_hint=PCR:b", error: "invalid_request"),
    Refusal(
      description: "a hint token in 2.3", parameter: "login_hint_token=x", error: "invalid_request"),
    Refusal(
      description: "a hint token that nobody gave", parameter: "version=mc_di_v3.0&login_hint_token=x",
      error: "invalid_request"),
    Refusal(
      description: "hint and hint token", parameter: "version=mc_di_v3.0&login_hint=PCR:a&login_hint_token=x",
      error: "invalid_request"),
    Refusal(
      description: "validation without a hint", parameter: "scope=openid%20mc_mnv_validate", error: "invalid_request"),
    Refusal(description: "a context of authentication", parameter: "context=pay", error: "invalid_request"),
    Refusal(
      description: "authorisation without a context", parameter: "scope=openid%20mc_authz&client_name=Example%20Shop",
      error: "invalid_request"),
    Refusal(
      description: "another client name", parameter: "scope=openid%20mc_authz&client_name=Shop&context=pay",
      error: "invalid_request"),
    Refusal(description: "claims that are no object", parameter: "claims=%5B%5D", error: "invalid_request"),
    Refusal(
      description: "half a name",
      parameter:
        "scope=openid%20mc_kyc_plain&claims=%7B%22premiuminfo%22:%7B%22given_name%22:%7B%22value%22:%22A%22%7D%7D%7D",
      error: "invalid_request"),
  ])
  func `a request that is not as it must be is refused at the redirect URI, with its state`(refusal: Refusal) async {
    let names = Set((refusal.parameter.split(separator: "&") + [refusal.without[...]]).map { $0.prefix { $0 != "=" } })
    let kept = stage.query().split(separator: "&").filter { !names.contains($0.prefix { $0 != "=" }) }
    let query = (kept + refusal.parameter.split(separator: "&")).joined(separator: "&")
    let end = await stage.walk("https://op.example/authorize?\(query)")
    #expect(end.fields["error"] == refusal.error, "\(end.location)")
    #expect(end.fields["state"] == (refusal.without == "state" ? nil : "st"))
    #expect(end.fields["code"] == nil && end.hops.count == 1)
  }

  @Test(arguments: [
    "client_id=nobody&redirect_uri=app://back", "client_id=plain", "client_id=plain&redirect_uri=app://other",
    "client_id=plain&redirect_uri=app://back&redirect_uri=app://back",
  ])
  func `nobody is redirected to where nobody is registered`(query: String) async {
    let end = await stage.walk("https://op.example/authorize?\(query)&response_type=code&scope=openid&state=s&nonce=n")
    #expect(end.response?.status == 400 && end.response?.header("Location") == nil)
  }

  @Test func `a nonce is good once, and a cookie must come back and stay out of the hop in clear`() async throws {
    let query = stage.query()
    #expect(await stage.walk("https://op.example/authorize?\(query)").fields["code"] != nil)
    #expect(await stage.walk("https://op.example/authorize?\(query)").fields["error"] == "invalid_request")

    let begun = try #require(await stage.send("https://op.example/authorize?\(stage.query())"))
    let clear = try #require(begun.header("Location"))
    let cookie = ["cookie": "\(try #require(begun.header("Set-Cookie")).prefix { $0 != ";" })"]
    #expect(await stage.send(clear, headers: cookie)?.status == 400)
    let resumed = try #require(await stage.send(clear)?.header("Location"))
    #expect(await stage.send(resumed)?.status == 400)
    #expect(await stage.send(resumed, headers: cookie)?.status == 302)
    #expect(await stage.send(resumed, headers: cookie)?.status == 404)
  }

  /// Who is recognised, by scope, hint, and where the chain comes from.
  struct Person: Sendable, CustomStringConvertible {
    let description: String
    var scope = "openid%20mc_authn"
    var others = ""
    var isElsewhere = false
    /// A code, or what `error_description` says; `page` for a page.
    let end: String
  }

  @Test(arguments: [
    Person(description: "the network knows", end: "code"),
    Person(description: "the network counts more than a hint", others: "&login_hint=MSISDN:4915155555502", end: "code"),
    Person(description: "elsewhere without a hint", isElsewhere: true, end: "page"),
    Person(
      description: "elsewhere without a page", others: "&prompt=none", isElsewhere: true, end: "the user is not known"),
    Person(
      description: "elsewhere with a hint", others: "&login_hint=MSISDN:4915112345678", isElsewhere: true, end: "code"),
    Person(
      description: "elsewhere with another operator's number", others: "&login_hint=MSISDN:4915299999999",
      isElsewhere: true, end: "unknown Mobile Connect user"),
    Person(
      description: "elsewhere with a PCR of nobody", others: "&login_hint=PCR:abc", isElsewhere: true,
      end: "unknown Mobile Connect user"),
    Person(description: "the network left aside", others: "&prompt=no_seam", end: "page"),
    Person(description: "consent", others: "&prompt=consent", end: "page"),
    Person(
      description: "validation, matched", scope: "openid%20mc_mnv_validate", others: "&login_hint=MSISDN:4915112345678",
      end: "code"),
    Person(
      description: "validation, another", scope: "openid%20mc_mnv_validate", others: "&login_hint=MSISDN:4915155555502",
      end: "MSISDN_mismatch"),
    Person(
      description: "validation elsewhere trusts the hint", scope: "openid%20mc_mnv_validate",
      others: "&login_hint=MSISDN:4915155555502", isElsewhere: true, end: "code"),
    Person(
      description: "validation plus, matched", scope: "openid%20mc_mnv_validate_plus",
      others: "&login_hint=MSISDN:4915112345678", end: "code"),
    Person(
      description: "validation plus, another", scope: "openid%20mc_mnv_validate_plus",
      others: "&login_hint=MSISDN:4915155555502", end: "MSISDN_mismatch"),
    Person(
      description: "validation plus elsewhere", scope: "openid%20mc_mnv_validate_plus",
      others: "&login_hint=MSISDN:4915112345678", isElsewhere: true, end: "the network does not know the number"),
  ])
  func `the operator tells people apart by address, hint and scope`(person: Person) async {
    let query = stage.query().replacing("openid%20mc_authn", with: person.scope) + person.others
    let end = await stage.walk(
      "https://op.example/authorize?\(query)",
      from: person.isElsewhere ? MobileConnectStage.elsewhere : MobileConnectStage.bearer)
    switch person.end {
    case "code": #expect(end.fields["code"] != nil, "\(end.location) \(end.response?.body ?? "")")
    case "page":
      #expect(end.response?.status == 200 && end.response?.header("Content-Type")?.hasPrefix("text/html") == true)
    default: #expect(end.fields["error_description"] == person.end, "\(end.location)")
    }
  }

  @Test func `the exchange's encrypted number is a hint that the operator reads`() async throws {
    for (number, isMatch) in [("4915112345678", true), ("4915155555502", false)] {
      let found = await stage.discover("", form: "Redirect_URL=app://back&MSISDN=\(number)")
      let hint = try #require(found.json["subscriber_id"]?.string)
      let query = stage.query().replacing("openid%20mc_authn", with: "openid%20mc_mnv_validate_plus")
      let end = await stage.walk("https://op.example/authorize?\(query)&login_hint=ENCR_MSISDN:\(hint)")
      #expect((end.fields["code"] != nil) == isMatch, "\(end.location)")
      let token = try #require(found.json["subscriber_id_token"]?.string)
      let third = stage.query().replacing("mc_di_r2_v2.3", with: "mc_di_v3.0") + "&login_hint_token=\(token)"
      #expect(
        await stage.walk("https://op.example/authorize?\(third)", from: MobileConnectStage.elsewhere).fields["code"]
          != nil)
    }
  }

  @Test func `a page is answered by a person, and a wrong redirect is as the fault says`() async throws {
    for (answer, field) in [("yes", "code"), ("no", "error")] {
      let query = stage.query("plain", "prompt=consent")
      let begun = try #require(await stage.send("https://op.example/authorize?\(query)"))
      let cookie = ["cookie": "\(try #require(begun.header("Set-Cookie")).prefix { $0 != ";" })"]
      let clear = try #require(begun.header("Location"))
      let resumed = try #require(await stage.send(clear)?.header("Location"))
      #expect(await stage.send(resumed, headers: cookie)?.status == 200)
      let id = resumed.split(separator: "=").last ?? ""
      let form = "transaction=\(id)&answer=\(answer)"
      #expect(await stage.send("https://op.example/authorize/answer", form: form)?.status == 400)
      let done = try #require(
        await stage.send("https://op.example/authorize/answer", form: form, headers: cookie)?.header("Location"))
      #expect(done.hasPrefix("app://back?\(field)="))
    }
    #expect(await stage.authorize("state").fields["state"] == "another")
    #expect(await stage.authorize("missingState").fields["state"] == nil)
    #expect(await stage.authorize("endless").hops.count == 24)
  }
}
