/// What to ask the network for when a bearer is brought up.
public struct BearerRequest: Hashable, Sendable {
  /// Address families of the PDN connection (3GPP TS 24.301, 9.9.4.10).
  public enum IPType: String, Sendable, CaseIterable {
    case ipv4, ipv6, ipv4v6
  }

  /// How the user name and password are sent to the gateway (3GPP TS 24.008, 10.5.6.3).
  public enum Authentication: String, Sendable, CaseIterable {
    case none, pap, chap, mschapv2
  }

  /// The access point name; nil asks for the subscription's default.
  public var apn: String?
  public var user: String?
  public var password: APNPassword?
  public var authentication: Authentication
  public var ipType: IPType
  /// Where the access point is known from.
  public var source: AccessPoint.Source
  /// Whether a lost bearer is brought up again, until somebody takes it down.
  public var isKept: Bool

  public init(
    apn: String? = nil, user: String? = nil, password: APNPassword? = nil, authentication: Authentication = .none,
    ipType: IPType = .ipv4v6, source: AccessPoint.Source = .asked, isKept: Bool = false
  ) {
    self.apn = apn
    self.user = user
    self.password = password
    self.authentication = authentication
    self.ipType = ipType
    self.source = source
    self.isKept = isKept
  }
}
