/// The 16 bytes that identify an MBIM service, in wire order (MBIM 1.0, table 10-2).
package struct MBIMServiceID: Hashable, Sendable {
  /// The first and the last eight bytes as one number each: the check of a message compares ids.
  private let first: UInt64
  private let last: UInt64

  /// 16 of them.
  package var bytes: [UInt8] {
    [first, last].flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(half >> $0 & 0xff) } }
  }

  /// - Parameter bytes: 16 of them.
  package init(_ bytes: some Sequence<UInt8>) { self.init(ArraySlice(Array(bytes))) }

  /// - Parameter bytes: 16 of them.
  package init(_ bytes: ArraySlice<UInt8>) {
    first = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    last = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// - Parameter digits: a UUID in its usual form; characters other than hexadecimal digits are
  ///   skipped.
  private init(_ digits: StaticString) {
    let nibbles = "\(digits)".compactMap(\.hexDigitValue)
    self.init(stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) })
  }

  package static let basicConnect = MBIMServiceID("a289cc33-bcbb-8b4f-b6b0-133ec2aae6df")
  package static let sms = MBIMServiceID("533fbeeb-14fe-4467-9f90-33a223e56c3f")
  /// The SIM's answers to challenges (MBIM 1.0, MBIM_CID_AKA_AUTH).
  package static let auth = MBIMServiceID("1d2b5ff7-0aa1-48b2-aa52-50f15767174e")
  /// Microsoft's Basic Connect Extensions.
  package static let extensions = MBIMServiceID("3d01dcc5-fef5-4d05-0d3a-bef7058e9aaf")
  /// Microsoft's UICC Low Level Access.
  package static let uicc = MBIMServiceID("c2f6588e-f037-4bc9-8665-f4d44bd09367")
  /// QMI frames in MBIM commands.
  package static let qmi = MBIMServiceID("d1a30bc2-f97a-6e43-bf65-c7e24fb0f0d3")
  /// libmbim's own service, between mbim-proxy and its clients.
  package static let proxyControl = MBIMServiceID("838cf7fb-8d0d-4d7f-871e-d71dbefbb39b")

  /// In words, for errors; nil for other services.
  package var name: String? {
    switch self {
    case .basicConnect: "Basic Connect"
    case .sms: "SMS"
    case .auth: "AUTH"
    case .extensions: "Basic Connect Extensions"
    case .uicc: "UICC Low Level Access"
    case .qmi: "QMI"
    case .proxyControl: "Proxy Control"
    default: nil
    }
  }
}
