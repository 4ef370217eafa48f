import AuthCore
import NetworkAddress
import RedirectChain
import Web

/// A discovery service, of an operator group, a region or a private exchange, and how it is asked.
public struct MobileConnectDiscovery: Hashable, Sendable {
  /// How the operator is identified. They are tried in the order of the configuration.
  public enum Way: String, Hashable, Sendable, CaseIterable {
    /// By the codes of the SIM's network.
    case network
    /// By the SIM's number, or one that is given.
    case number
    /// By the address that the request comes from.
    case address
    /// By a person, on the service's own page.
    case page
  }

  /// Which pair of parameters carries the network's codes.
  public enum NetworkForm: String, Hashable, Sendable, CaseIterable {
    /// `Identified-MCC` and `Identified-MNC`: the device found them itself.
    case identified
    /// `Selected-MCC` and `Selected-MNC`: the user or the application chose.
    case selected
  }

  /// How `Using-Mobile-Data` is written.
  public enum Flag: String, Hashable, Sendable, CaseIterable {
    /// `1`
    case number
    /// `true`, as older services have it.
    case word
    /// Left out.
    case none
  }

  /// Whose address tells the operator.
  public enum AddressForm: String, Hashable, Sendable, CaseIterable {
    /// The request's own: it goes over the bearer.
    case bearer
    /// That in `X-Source-IP`: the request goes by `route`.
    case header
  }

  public var url: WebURL
  /// Of the discovery application, which is not the operator's client.
  public var client: MobileConnectClient
  /// Must be one that is registered. It need not be the authorization's.
  public var redirectURL: String
  public var ways: [Way] = [.network, .number, .address, .page]
  public var networkForm = NetworkForm.identified
  public var addressForm = AddressForm.bearer
  public var usingMobileData = Flag.number
  /// Whether `X-Redirect: APP` keeps the service from answering with a page where none was asked for.
  public var suppressesPage = true
  /// Whether the page is asked for in HTML's form: 302 in place of 202.
  public var asksForHTML = false
  /// Whether the bearer's own address is sent as `Local-Client-IP`.
  public var sendsLocalAddress = false
  /// Sent as `X-Source-IP` where the bearer's own address is not public.
  public var sourceAddress: IPAddress?
  /// Values of the version headers; nil for none.
  public var libraryVersion: String?
  public var clientVersion: String?
  public var serverVersion: String?
  /// Whether the service's cookies, which remember the operator, are kept between calls.
  public var keepsCookies = true

  public init(url: WebURL, client: MobileConnectClient, redirectURL: String) {
    self.url = url
    self.client = client
    self.redirectURL = redirectURL
  }
}
