import AuthCore
import RedirectChain
import Web

/// The server-initiated mode: the operator asks at the handset, and is asked for the answer.
public struct MobileConnectServerInitiated: Sendable {
  /// Nil for the one in the operator's metadata.
  public var endpoint: WebURL?
  /// Where the answer is asked for; nil for the token endpoint.
  public var pollingEndpoint: WebURL?
  public var signer: any ClaimsSigner
  public var version = "mc_si_r2_v1.0"
  /// Whom the request object is for; nil for the issuer.
  public var audience: String?
  /// Polling's grant (OpenID Connect CIBA, 10.1).
  public var grantType = "urn:openid:params:grant-type:ciba"
  /// Where the operator would tell the answer too. This machine takes none there.
  public var notificationURI: String?
  /// How long the answer is awaited where the operator does not say.
  public var patience = Duration.seconds(120)
  /// Between two questions where the operator does not say.
  public var interval = Duration.seconds(5)

  public init(signer: any ClaimsSigner) { self.signer = signer }
}
