import AuthFlows
import MobileConnectAPI
import ModemAPI
import MobileConnectFlows

extension MobileConnectInterface.Discovery {
  /// Nil if no operator was found.
  init?(_ discovered: MobileConnectDiscovered) {
    guard let known = discovered.found else { return nil }
    self.init(
      found: .init(known), way: discovered.way.map { MobileConnectInterface.Way(word: $0) },
      subscriberID: discovered.subscriberID?.revealed, subscriberIDToken: discovered.subscriberIDToken?.revealed,
      kept: discovered.isKept, stale: discovered.isStale)
  }
}

extension MobileConnectInterface.Operator {
  fileprivate init(_ known: MobileConnectOperator) {
    let urls = known.endpoints.map { ($0.key.rawValue, $0.value.text) }
    self.init(
      name: known.name, country: known.country, currency: known.currency, clientID: known.client?.id,
      clientName: known.clientName, applicationShortName: known.applicationShortName, scope: known.scope,
      issuer: known.issuer, endpoints: Dictionary(urls) { first, _ in first },
      versions: known.metadata?.versions ?? [], scopes: known.metadata?.scopes ?? [],
      acrValues: known.metadata?.acrValues ?? [], loginHintMethods: known.metadata?.loginHintMethods ?? [])
  }
}

extension MobileConnectInterface.Authorization {
  init(_ code: MobileConnectCode) {
    self.init(
      code: code.code.revealed, state: code.state.revealed, nonce: code.nonce.revealed,
      redirect: code.redirect.revealed, version: code.version.text)
  }
}

extension MobileConnectInterface.Tokens {
  init(_ tokens: MobileConnectTokens) {
    self.init(
      accessToken: tokens.accessToken.revealed, tokenType: tokens.type, expiresIn: tokens.expiresIn,
      refreshToken: tokens.refreshToken?.revealed, idToken: tokens.idToken?.revealed, claims: tokens.claims,
      subject: tokens.subject?.revealed)
  }
}

extension MobileConnectInterface.Information {
  init(_ told: MobileConnectInformation) {
    self.init(
      subject: told.subject?.revealed, name: told.name?.revealed, givenName: told.givenName?.revealed,
      middleName: told.middleName?.revealed, familyName: told.familyName?.revealed,
      nickname: told.nickname?.revealed, preferredUsername: told.preferredUsername?.revealed,
      title: told.title?.revealed, phoneNumber: told.phoneNumber?.revealed,
      phoneNumberAlternate: told.phoneNumberAlternate?.revealed, email: told.email?.revealed,
      emailVerified: told.isEmailVerified, address: told.address.map { .init($0) },
      birthdate: told.birthdate?.revealed, nationalIdentifier: told.nationalIdentifier?.revealed,
      clientName: told.clientName, idToken: told.idToken?.revealed, accessToken: told.accessToken?.revealed,
      updatedAt: told.updatedAt, correlationID: told.correlationID, all: told.all)
  }
}

extension MobileConnectInterface.Address {
  fileprivate init(_ address: MobileConnectInformation.Address) {
    self.init(
      formatted: address.formatted?.revealed, street: address.street?.revealed, city: address.city?.revealed,
      state: address.state?.revealed, postalCode: address.postalCode?.revealed, country: address.country?.revealed)
  }
}
