/// Where a client of the proxy wants to be connected to.
package struct ProxyRequest: Hashable, Sendable {
  /// Id, device or interface; nil for the only modem.
  package var modem: String?
  /// A name, or an address.
  package var host: String
  /// 1 to 65535.
  package var port: Int

  package init(modem: String? = nil, host: String, port: Int) {
    self.modem = modem
    self.host = host
    self.port = port
  }

  /// A host as clients may name it: visible characters, none of which has a meaning in a URL's
  /// authority. What the name means is decided by whoever resolves it.
  static func isHost(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !#"/\?#@[]%"#.utf8.contains($0) }
  }
}
