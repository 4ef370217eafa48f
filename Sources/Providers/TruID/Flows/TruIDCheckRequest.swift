import AuthCore
import JSONTree
import RedirectChain
import Web

/// What one check asks.
package struct TruIDCheckRequest: Hashable, Sendable {
  package var product: TruIDProduct
  package var version: TruIDVersion
  package var number: SubscriberNumber
  /// The caller's own id, of printable characters; it must not contain personal data.
  package var reference: String?
  /// How many minutes back a change of the SIM counts, 60 to 540000; nil for the provider's seven
  /// days.
  package var period: Int?
  /// The bearer's public address, to be compared with the address from which the check is opened.
  package var address: String?
  /// The family that the chain keeps to; nil for any.
  package var family: ChainHop.Family?
  package var redirect: TruIDRedirect?
  /// For the first hop.
  package var headers: [WebHeader] = []

  package init(_ product: TruIDProduct, _ version: TruIDVersion, _ number: SubscriberNumber) {
    self.product = product
    self.version = version
    self.number = number
  }

  /// The URI at which the chain ends without a fetch, if any.
  var redirectURI: RedirectURI? {
    guard version == .v2, let redirect, !redirect.isFetched else { return nil }
    return try? RedirectURI(redirect.url)
  }

  /// The backend whose URL ends the chain by a fetch, and whose answer is then the result; nil
  /// without one. It must prove its identity by TLS, because the chain reaches it over cleartext
  /// hops.
  var fetchedOrigin: TrustedOrigins? {
    guard version == .v2, let redirect, redirect.isFetched else { return nil }
    // An unreadable URL belongs to nobody.
    return TrustedOrigins([try? WebURL(redirect.url)].compactMap(\.self))
  }
}

/// The calls of a check, for either way.
struct TruIDCheckCalls {
  let access: TruIDAccess
  let request: TruIDCheckRequest

  func create() -> BackendCall {
    let redirect = request.version == .v2 ? request.redirect?.url : nil
    switch access {
    case .backend(let backend):
      let body = JSONValue.members([
        "phone_number": .string(request.number.digits), "redirect_url": redirect.map { .string($0) },
        "reference_id": request.reference.map { .string($0) },
      ])
      return backend.call("createCheck", .post, path, body: body)
    case .api(let client):
      let period = request.product == .subscriberCheck ? request.period : nil
      let body = JSONValue.members([
        "phone_number": .string(request.number.digits), "phone_ip": request.address.map { .string($0) },
        "reference_id": request.reference.map { .string($0) }, "redirect_url": redirect.map { .string($0) },
        "callback_url": client.callback.map { .string($0.text) }, "period": period.map { .int($0) },
      ])
      let url = client.api.appending("/\(request.product.rawValue)/\(request.version.rawValue)/checks")
      return client.call("createCheck", .post, url, body: .json(body.text))
    }
  }

  /// - Parameter ownURL: the check's own URL, as the API gave it.
  func exchange(_ code: Secret, _ id: String, ownURL: WebURL?, byGET: Bool) -> BackendCall {
    switch access {
    case .backend(let backend):
      let path = "/v0.2/\(request.product.backendWord)/exchange-code"
      if byGET {
        let query = FormFields(["check_id": id, "code": code.revealed, "reference_id": request.reference])
        return backend.call("exchangeCode", .get, path, query)
      }
      let body = JSONValue.members([
        "check_id": .string(id), "code": .string(code.revealed),
        "reference_id": request.reference.map { .string($0) },
      ])
      return backend.call("exchangeCode", .post, path, body: body)
    case .api(let client):
      // JSON Patch (RFC 6902).
      let patch = JSONValue.array([
        .object(["op": .string("add"), "path": .string("/code"), "value": .string(code.revealed)])
      ])
      return client.call(
        "exchangeCode", .patch, checkURL(id, ownURL, client),
        body: .init(Array(patch.text.utf8), contentType: "application/json-patch+json"))
    }
  }

  func result(_ id: String, ownURL: WebURL?, _ form: TruIDBackend.ResultForm) -> BackendCall {
    switch access {
    case .backend(let backend):
      return form == .path
        ? backend.call("readResult", .get, "\(path)/\(FormFields.encode(id))")
        // The dev server only reads a SubscriberCheck's query at its versioned path.
        : backend.call(
          "readResult", .get, request.product == .subscriberCheck ? versionedPath : path, FormFields(["check_id": id]))
    case .api(let client): return client.call("readResult", .get, checkURL(id, ownURL, client))
    }
  }

  /// The form in which the result is requested first.
  var firstForm: TruIDBackend.ResultForm {
    guard case .backend(let backend) = access else { return .path }
    return backend.resultForm ?? (request.product == .subscriberCheck ? .path : .query)
  }

  private var versionedPath: String { "/\(request.version.rawValue)/\(request.product.backendWord)" }
  private var path: String { request.version == .v1 ? "/\(request.product.backendWord)" : versionedPath }

  private func checkURL(_ id: String, _ ownURL: WebURL?, _ client: TruIDClient) -> WebURL {
    ownURL
      ?? client.api.appending(
        "/\(request.product.rawValue)/\(request.version.rawValue)/checks/\(FormFields.encode(id))")
  }
}
