/// An access point of a mobile network, its credentials, and where it is known from.
public struct AccessPoint: Hashable, Sendable {
  /// Where an access point is known from.
  public enum Source: String, Sendable, CaseIterable {
    /// The caller named it.
    case asked
    /// The configuration names it.
    case configured
    /// The modem knows it: a provisioned context (MBIM) or the default profile (QMI).
    case modem
    /// The network's default for the subscription: no name was sent.
    case network
    /// Debian's list of providers, by the codes of the SIM's home network.
    case database
  }

  /// The access point name (3GPP TS 23.003, 9); nil for the subscription's default.
  public var name: String?
  public var user: String?
  public var password: APNPassword?
  public var authentication: BearerRequest.Authentication
  public var source: Source

  public init(
    name: String?, user: String? = nil, password: APNPassword? = nil,
    authentication: BearerRequest.Authentication = .none, source: Source
  ) {
    self.name = name
    self.user = user
    self.password = password
    self.authentication = authentication
    self.source = source
  }

  /// The subscription's default.
  public static let networkDefault = AccessPoint(name: nil, source: .network)
}

extension BearerRequest {
  /// The access point that the request names.
  public var accessPoint: AccessPoint {
    AccessPoint(name: apn, user: user, password: password, authentication: authentication, source: source)
  }

  /// The same request for another access point.
  public func with(_ accessPoint: AccessPoint) -> BearerRequest {
    var request = self
    request.apn = accessPoint.name
    request.user = accessPoint.user
    request.password = accessPoint.password
    request.authentication = accessPoint.authentication
    request.source = accessPoint.source
    return request
  }
}
