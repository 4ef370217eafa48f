import AuthCore
import RedirectChain
import Web

/// The server-initiated mode: the operator asks at the handset, and is polled for the answer.
package struct MobileConnectServerInitiated: Sendable {
  /// Nil for the one in the operator's metadata.
  package var endpoint: WebURL?
  /// Where to poll for the answer; nil for the token endpoint.
  package var pollingEndpoint: WebURL?
  package var signer: any ClaimsSigner
  package var version = "mc_si_r2_v1.0"
  /// The audience of the request object; nil for the issuer.
  package var audience: String?
  /// Polling's grant (OpenID Connect CIBA, 10.1).
  package var grantType = "urn:openid:params:grant-type:ciba"
  /// Where the operator would also send the answer. This machine does not listen there.
  package var notificationURI: String?
  /// How long to wait for the answer if the operator does not say.
  package var patience = Duration.seconds(120)
  /// The polling interval if the operator does not give one.
  package var interval = Duration.seconds(5)

  package init(signer: any ClaimsSigner) { self.signer = signer }
}
