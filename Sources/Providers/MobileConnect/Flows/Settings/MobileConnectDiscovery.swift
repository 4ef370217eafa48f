import AuthCore
import NetworkAddress
import RedirectChain
import Web

/// A discovery service of an operator group, a region or a private exchange, and how to ask it.
package struct MobileConnectDiscovery: Hashable, Sendable {
  /// How to identify the operator. The ways are tried in the order of the configuration.
  package enum Way: String, Hashable, Sendable, CaseIterable {
    /// By the codes of the SIM's network.
    case network
    /// By the SIM's number, or a given one.
    case number
    /// By the address of the request.
    case address
    /// By a person, on the service's own page.
    case page
  }

  /// The parameters that carry the network's codes.
  package enum NetworkForm: String, Hashable, Sendable, CaseIterable {
    /// `Identified-MCC` and `Identified-MNC`: the device determined them itself.
    case identified
    /// `Selected-MCC` and `Selected-MNC`: the user or the application chose.
    case selected
  }

  /// How `Using-Mobile-Data` is written.
  package enum Flag: String, Hashable, Sendable, CaseIterable {
    /// `1`
    case number
    /// `true`, as in older services.
    case word
    /// Left out.
    case none
  }

  /// Whose address tells the operator.
  package enum AddressForm: String, Hashable, Sendable, CaseIterable {
    /// The request's own: it goes over the bearer.
    case bearer
    /// The one in `X-Source-IP`: the request goes by `route`.
    case header
  }

  package var url: WebURL
  /// For the discovery application, which is not the operator's client.
  package var client: MobileConnectClient
  /// Must be registered. It may differ from the authorization's.
  package var redirectURL: String
  package var ways: [Way] = [.network, .number, .address, .page]
  package var networkForm = NetworkForm.identified
  package var addressForm = AddressForm.bearer
  package var usingMobileData = Flag.number
  /// Whether `X-Redirect: APP` stops the service from answering with an unrequested page.
  package var suppressesPage = true
  /// Whether to request the page in HTML form: 302 instead of 202.
  package var asksForHTML = false
  /// Whether to send the bearer's own address as `Local-Client-IP`.
  package var sendsLocalAddress = false
  /// Sent as `X-Source-IP` if the bearer's own address is not public.
  package var sourceAddress: IPAddress?
  /// Values of the version headers; nil for none.
  package var libraryVersion: String?
  package var clientVersion: String?
  package var serverVersion: String?
  /// Whether to keep the service's cookies, which remember the operator, between calls.
  package var keepsCookies = true

  package init(url: WebURL, client: MobileConnectClient, redirectURL: String) {
    self.url = url
    self.client = client
    self.redirectURL = redirectURL
  }
}
