import ModemModel
import OperatorSimulator

/// The page on which a person selects the operator, and the action of its button.
struct OperatorSelection: Sendable {
  let environment: MobileConnectEnvironment

  func page(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let id = request.query["session"], environment.store.selection(id) != nil else { return Self.gone }
    return page(id, "")
  }

  /// What the button sends: a number, or an operator of the list.
  func press(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let id = request.query["session"], let selection = environment.store.selection(id) else { return Self.gone }
    let number = request.query["msisdn"].flatMap { $0.isEmpty ? nil : $0 }
    let customer = number.flatMap { environment.customer($0) }
    guard let network = customer?.network ?? environment.network(mark: request.query["mcc_mnc"]),
      number == nil || customer != nil
    else {
      return page(id, "<p>Your operator does not offer this.</p>")
    }
    environment.store.endSelection(id)
    return .redirect(
      to: MobileConnectEnvironment.url(
        selection.redirectURL,
        [("mcc_mnc", network.mark), ("subscriber_id", customer.flatMap { environment.subscriberID($0.number) })]),
      cookies: ["Most-Recent-Selected-Operator=\(network.mark); Secure; Path=/"])
  }

  private func page(_ id: String, _ remark: String) -> SimulatedResponse {
    let options = environment.settings.networks.sorted().compactMap { PLMN($0) }.map {
      "<option value=\"\($0.mark)\">Example Mobile (\($0))</option>"
    }
    return MobileConnectEnvironment.page(
      "Your operator",
      """
      \(remark)<form action="/select/done">
      <input type="hidden" name="session" value="\(id)">
      <label>Your number <input name="msisdn"></label>
      <label>or your operator <select name="mcc_mnc">\(options.joined())</select></label>
      <button>Next</button>
      </form>
      """)
  }

  private static let gone = MobileConnectEnvironment.page("Not here", "<p>There is no such page.</p>", status: 404)
}
