// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import ClockTestSupport
import JSONTree
import ModemModel
import NetworkAddress
import RedirectChain
import Synchronization
import TokenSigning
import Web

@testable import AuthFlows
@testable import MobileConnectFlows

/// A configured operator, what comes back for each step, and what was asked.
final class MobileConnectStage: Sendable {
  static let now = Timestamp(rfc3339: "2026-11-22T06:00:00Z")!
  static let seconds = Int(now.milliseconds / 1000)
  static let number = try! SubscriberNumber("+447700900123")
  static let network = PLMN("23410")!
  static let subscriber = Subscriber(modem: "m0", home: network, serving: PLMN("20801"), number: number)
  static let back = "https://app.example/back"
  static let issuer = "https://op.example"
  static let uuid = "07070707-0707-4707-8707-070707070707"
  static let client = MobileConnectClient(id: "app-1", secret: Secret("s3cret"))
  static let tools = OpenIDTools(random: { Array(repeating: 7, count: $0) }, sha256: { Digest.sha256($0) })
  /// What must be in no outcome.
  static let secrets = [
    "447700900123", "s3cret", "the-code", "access-1", "refresh-1", "pcr-1", "the-state", "the-nonce",
  ]

  let calls = Mutex<[BackendCall]>([])
  let opened = Mutex<[BearerCall]>([])
  let steps = Mutex<[String]>([])
  private let replies: Mutex<[String: [Reaction]]>
  private let visited: [String]
  private let bearer: (addresses: [IPAddress], failure: ChainFailure?)
  private let clock: Mutex<Timestamp>

  /// - Parameters:
  ///   - replies: by step, in order; the last one stays.
  ///   - trail: URLs of every chain.
  init(
    _ replies: [String: [Reaction]], visited: [String] = [], addresses: [IPAddress] = [], noBearer: ChainFailure? = nil,
    at time: Timestamp = now
  ) {
    self.replies = Mutex(replies)
    self.visited = visited
    bearer = (addresses, noBearer)
    clock = Mutex(time)
  }

  func pass(_ time: Duration) {
    clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + Int64(time / .milliseconds(1))) }
  }

  func set(_ step: String, _ reactions: Reaction...) { replies.withLock { $0[step] = reactions } }

  /// What the flow asked for, in that order. What it began ahead and did not need is not in it.
  var asked: [String] { steps.withLock { $0 } }
  func call(_ step: String) -> BackendCall? { calls.withLock { $0.last { $0.step == step } } }
  func chain(_ step: String) -> BearerCall? { opened.withLock { $0.last { $0.step == step } } }

  /// - Parameter url: of who answers.
  private func next(_ step: String, _ url: WebURL) -> FlowEvent? {
    replies.withLock { replies in
      guard var rest = replies[step], let first = rest.first else { return nil }
      if rest.count > 1 {
        rest.removeFirst()
        replies[step] = rest
      }
      return first.event(of: url)
    }
  }

  func run() -> FlowRun {
    var lanes = FlowLanes(
      prepare: { self.bearer.failure },
      open: { call, _ in
        self.opened.withLock { $0.append(call) }
        let end = self.visited.last.map { try! WebURL($0) } ?? call.request.url
        guard case .opened(var reply)? = self.next(call.step, end) else {
          return BearerReply(.failed(ChainFailure(.bearerLost, "nothing stands for \(call.step)")))
        }
        reply.visited = ([call.request.url.text] + self.visited).map { Secret($0) }
        return reply
      },
      send: { call in
        self.calls.withLock { $0.append(call) }
        switch self.next(call.step, call.url) {
        case .answered(let reply)?: return .success(reply)
        case .unanswered(let failure)?: return .failure(failure)
        default: return .failure(BackendFailure(.connect, "nothing stands for \(call.step)"))
        }
      })
    lanes.bearerObstacle = { self.bearer.failure }
    lanes.addresses = { self.bearer.addresses }
    // A flow sleeps twice: for its limit, and for a pause.
    let time = DrivenClock(movesWhenAsleep: 2) { self.pass($0) }
    return FlowRun(FlowDriver(lanes, now: { self.clock.withLock { $0 } }, clock: time.clock)) { progress in
      // What asks nobody has no host: the bearer, and pauses.
      if case .step(let step) = progress, step.host != nil { self.steps.withLock { $0.append(step.name) } }
    }
  }

  func flow(_ settings: MobileConnectSettings, of subscriber: Subscriber = subscriber) -> MobileConnectFlow {
    MobileConnectFlow(settings, of: subscriber, run())
  }
}

// MARK: What is configured

extension MobileConnectStage {
  /// A token's third part tells whether its signature is good: no library is needed here.
  static let check: SignatureCheck = { token, keys in
    guard keys["keys"] != nil else { return .keyMissing }
    switch token.revealed.split(separator: ".").last {
    case "good": return .good
    case "new" where keys["keys"]?.items.count == 2: return .good
    case "unknown", "new": return .keyMissing
    case "none": return .algorithmRefused
    case "odd": return .malformed
    default: return .forged
    }
  }

  static var endpoints: MobileConnectOperator {
    var found = MobileConnectOperator()
    for (relation, path) in [
      (MobileConnectOperator.Relation.authorization, "authorize"), (.token, "token"), (.userinfo, "userinfo"),
      (.premiuminfo, "premiuminfo"), (.revocation, "revoke"), (.keys, "jwks"),
    ] {
      found.endpoints[relation] = try! WebURL("https://op.example/\(path)")
    }
    found.issuer = issuer
    return found
  }

  /// Without discovery.
  static func settings(_ change: (inout MobileConnectSettings) -> Void = { _ in }) -> MobileConnectSettings {
    var settings = MobileConnectSettings(.endpoints(endpoints), tools, isSigned: check)
    settings.client = client
    settings.redirect = try! MobileConnectRedirect(back)
    settings.version = .v2_3
    change(&settings)
    return settings
  }

  static func discovery(_ change: (inout MobileConnectDiscovery) -> Void = { _ in }) -> MobileConnectSettings {
    var discovery = MobileConnectDiscovery(
      url: try! WebURL("https://exchange.example/v2/discovery"),
      client: MobileConnectClient(id: "disco", secret: Secret("d1sco")), redirectURL: "https://app.example/found")
    change(&discovery)
    return settings {
      $0.source = .discovery(discovery)
      $0.client = nil
    }
  }
}

// MARK: What comes back

extension MobileConnectStage {
  /// A discovery answer; `ttl` is a moment in milliseconds.
  static func found(
    ttl: Int? = nil, correlation: String? = uuid, links: [(String, String)] = MobileConnectStage.links
  ) -> Reaction {
    let rows = links.map { #"{"rel":"\#($0.0)","href":"\#($0.1)"}"# }.joined(separator: ",")
    let top = [ttl.map { #""ttl":\#($0)"# }, correlation.map { #""correlation_id":"\#($0)""# }].compactMap(\.self)
    return .reply(
      200,
      "{" + (top + [#""subscriber_id":"ab12""#]).joined(separator: ",")
        + #","response":{"serving_operator":"Example","country":"UK","currency":"GBP","client_id":"app-1","client_secret":"s3cret","#
        + #""client_name":"shop","apis":{"operatorid":{"link":[\#(rows)]}}}}"#)
  }

  static let links = [
    ("authorization", "https://op.example/old/authorize"), ("token", "https://op.example/old/token"),
    ("jwks", "https://op.example/old/jwks"), ("tokenrefresh", "https://op.example/refresh"),
    ("issuer", "https://op.example"), ("scope", "openid mc_authn"), ("applicationShortName", "shop"),
    ("unknown", "https://op.example/x"), ("userinfo", "no url at all"),
  ]

  /// Metadata with these versions, and more members.
  static func metadata(_ versions: [String] = ["mc_v1.1", "mc_di_r2_v2.3"], _ more: String = "") -> Reaction {
    let list = versions.map { #""\#($0)""# }.joined(separator: ",")
    return .reply(
      200,
      #"{"issuer":"https://op.example","authorization_endpoint":"https://op.example/authorize","#
        + #""token_endpoint":"https://op.example/token","jwks_uri":"https://op.example/jwks","#
        + #""userinfo_endpoint":"https://op.example/userinfo","mc_version":[\#(list)]\#(more)}"#)
  }

  static let keys = Reaction.reply(200, #"{"keys":[{"kid":"k1"}]}"#)
  static let code = Reaction.redirected("\(back)?code=the-code&state=the-state")

  /// What an ID token says; all is right.
  static var claims: [String: JSONValue] {
    [
      "iss": .string(issuer), "aud": .string("app-1"), "azp": .string("app-1"), "nonce": .string("the-nonce"),
      "sub": .string("pcr-1"), "exp": .int(seconds + 300), "iat": .int(seconds),
      "at_hash": .string(Base64.encodeURL(Array(Digest.sha256(Array("access-1".utf8)).prefix(16)))),
      "acr": .string("2"), "amr": .array([.string("SEAM_OK")]),
      "hashed_login_hint": .string(Digest.hex(Digest.sha256(Array("MSISDN:447700900123".utf8)))),
    ]
  }

  static func token(
    _ claims: [String: JSONValue] = claims, alg: String = "RS256", signature: String = "good"
  ) -> String {
    let parts = [JSONValue.object(["alg": .string(alg), "kid": .string("k1")]), .object(claims)]
    return parts.map { Base64.encodeURL(Array($0.text.utf8)) }.joined(separator: ".") + ".\(signature)"
  }

  static func tokens(_ idToken: String? = token(), _ more: String = "") -> Reaction {
    let id = idToken.map { #","id_token":"\#($0)""# } ?? ""
    return .reply(
      200,
      #"{"access_token":"access-1","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh-1"\#(id)\#(more)}"#)
  }

  /// A request with known state and nonce.
  static func request(_ change: (inout MobileConnectRequest) -> Void = { _ in }) -> MobileConnectRequest {
    var request = MobileConnectRequest()
    request.state = Secret("the-state")
    request.nonce = Secret("the-nonce")
    change(&request)
    return request
  }

  /// All replies of a login.
  static func login(_ tokens: Reaction = tokens()) -> [String: [Reaction]] {
    ["authorize": [code], "exchangeCode": [tokens], "readKeys": [keys]]
  }

  static func query(_ call: BearerCall?) -> [String: String] {
    RedirectURI.parameters(of: call?.request.url.text ?? "")
  }

  static func query(_ call: BackendCall?) -> [String: String] { RedirectURI.parameters(of: call?.url.text ?? "") }

  static func form(_ call: BackendCall?) -> [String: String] {
    RedirectURI.parameters(of: "https://x.example/?" + String(decoding: call?.body?.bytes ?? [], as: UTF8.self))
  }

  static func header(_ name: String, _ headers: [WebHeader]?) -> String? {
    headers?.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
