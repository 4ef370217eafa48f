/// The layouts of the messages that are read, from the tables of the specifications.
enum MBIMShapes {
  typealias Field = MBIMShape.Field

  static func entry(
    _ service: MBIMServiceID, _ command: UInt32, _ parser: String, since: MBIMExtensions = .none, status: UInt32? = nil,
    _ fields: [Field], indicated: Bool = false, replied: Bool = true
  ) -> MBIMReplyCheck.Entry {
    let shape = MBIMShape(fields: fields)
    return MBIMReplyCheck.Entry(
      subject: MBIMFrame.Subject(service, command), since: since, status: status, reply: replied ? shape : nil,
      indication: indicated ? shape : nil, parser: parser)
  }

  static func u32(_ names: String...) -> [Field] { names.map { .u32($0) } }

  /// MBIM_PROVIDER (MBIM 1.0, table 10-34).
  static let provider: [Field] =
    [.text("ProviderId"), .u32("ProviderState"), .text("ProviderName")] + u32("CellularClass", "Rssi", "ErrorRate")

  private static let providers: [Field] = [
    .u32("ProvidersCount"), .referenced("Providers", counted: "ProvidersCount", provider),
  ]

  private static let registration: [Field] =
    u32("NwError", "RegisterState", "RegisterMode", "AvailableDataClasses", "CurrentCellularClass")
    + [.text("ProviderId"), .text("ProviderName"), .text("RoamingText"), .u32("RegistrationFlag")]

  private static let packetService: [Field] =
    u32("NwError", "PacketServiceState", "HighestAvailableDataClass") + [.u64("UplinkSpeed"), .u64("DownlinkSpeed")]

  private static let signal: [Field] = u32(
    "Rssi", "ErrorRate", "SignalStrengthInterval", "RssiThreshold", "ErrorRateThreshold")

  private static let connection: [Field] =
    u32("SessionId", "ActivationState", "VoiceCallState", "IpType") + [.uuid("ContextType"), .u32("NwError")]

  private static func subscriber(_ state: [Field]) -> [Field] {
    state + [
      .text("SubscriberId"), .text("SimIccId"), .u32("ReadyInfo"), .u32("TelephoneNumbersCount"),
      .texts("TelephoneNumbers", counted: "TelephoneNumbersCount"),
    ]
  }

  private static let addresses: [Field] =
    u32("SessionId", "IPv4ConfigurationAvailable", "IPv6ConfigurationAvailable", "IPv4AddressCount") + [
      .adjacent("IPv4Address", counted: "IPv4AddressCount", size: 8, []), .u32("IPv6AddressCount"),
      .adjacent("IPv6Address", counted: "IPv6AddressCount", size: 20, []), .address("IPv4Gateway", size: 4),
      .address("IPv6Gateway", size: 16), .u32("IPv4DnsServerCount"),
      .addresses("IPv4DnsServer", counted: "IPv4DnsServerCount", size: 4), .u32("IPv6DnsServerCount"),
      .addresses("IPv6DnsServer", counted: "IPv6DnsServerCount", size: 16), .u32("IPv4Mtu"), .u32("IPv6Mtu"),
    ]

  /// MBIM_DEVICE_SERVICE_ELEMENT (MBIM 1.0, table 10-88).
  private static let serviceElement: [Field] =
    [.uuid("DeviceServiceId")] + u32("DssPayload", "MaxDssInstances", "CidCount")
    + [.numbers("CidList", counted: "CidCount")]

  private static let context: [Field] =
    [.u32("ContextId"), .uuid("ContextType"), .text("AccessString"), .text("UserName"), .text("Password")]
    + u32("Compression", "AuthProtocol")

  /// The basic service (MBIM 1.0, chapter 10), and its messages in MBIMEx 2.0 and 3.0.
  static let basicConnect: [MBIMReplyCheck.Entry] = [
    entry(
      .basicConnect, 1, "device_caps",
      u32(
        "DeviceType", "CellularClass", "VoiceClass", "SimClass", "DataClass", "SmsCaps", "ControlCaps", "MaxSessions")
        + [.text("CustomDataClass"), .text("DeviceId"), .text("FirmwareInfo"), .text("HardwareInfo")]),
    entry(.basicConnect, 2, "subscriber_ready_status", subscriber(u32("ReadyState")), indicated: true),
    entry(
      .basicConnect, 2, "ms_basic_connect_v3_subscriber_ready_status", since: .v3,
      subscriber(u32("ReadyState", "Flags")), indicated: true),
    entry(.basicConnect, 3, "radio_state", u32("HwRadioState", "SwRadioState"), indicated: true),
    entry(.basicConnect, 4, "pin", u32("PinType", "PinState", "RemainingAttempts")),
    entry(
      .basicConnect, 5, "pin_list",
      (0..<10).map { .structure("PinDesc\($0)", u32("PinMode", "PinFormat", "PinLengthMin", "PinLengthMax")) }),
    entry(.basicConnect, 6, "home_provider", [.structure("Provider", provider)]),
    entry(.basicConnect, 7, "preferred_providers", providers, indicated: true),
    entry(.basicConnect, 8, "visible_providers", providers),
    entry(.basicConnect, 9, "register_state", registration, indicated: true),
    entry(
      .basicConnect, 9, "ms_basic_connect_v2_register_state", since: .v2,
      registration + u32("PreferredDataClasses"), indicated: true),
    entry(.basicConnect, 10, "packet_service", packetService, indicated: true),
    entry(
      .basicConnect, 10, "ms_basic_connect_v2_packet_service", since: .v2, packetService + u32("FrequencyRange"),
      indicated: true),
    entry(
      .basicConnect, 10, "ms_basic_connect_v3_packet_service", since: .v3,
      packetService + u32("FrequencyRange", "DataSubclass") + [
        .structure("Tai", [.u16("PlmnMcc"), .u16("PlmnMnc"), .u32("Tac")])
      ], indicated: true),
    entry(.basicConnect, 11, "signal_state", signal, indicated: true),
    entry(
      .basicConnect, 11, "ms_basic_connect_v2_signal_state", since: .v2,
      signal + [
        .block("RsrpSnr", size: 20, u32("Rsrp", "Snr", "RsrpThreshold", "SnrThreshold", "SystemType"))
      ], indicated: true),
    entry(.basicConnect, 12, "connect", connection, indicated: true),
    entry(
      .basicConnect, 12, "ms_basic_connect_v3_connect", since: .v3,
      connection + [.u32("MediaPreference"), .textTLV("AccessString"), .list("UnnamedIes")], indicated: true),
    entry(
      .basicConnect, 13, "provisioned_contexts",
      [
        .u32("ProvisionedContextsCount"),
        .referenced("ProvisionedContexts", counted: "ProvisionedContextsCount", context),
      ], indicated: true),
    entry(.basicConnect, 15, "ip_configuration", addresses, indicated: true),
    entry(
      .basicConnect, 16, "device_services",
      u32("DeviceServicesCount", "MaxDssSessions")
        + [.referenced("DeviceServices", counted: "DeviceServicesCount", serviceElement)]),
    entry(
      .basicConnect, 19, "device_service_subscribe_list",
      [
        .u32("EventsCount"),
        .referenced(
          "Events", counted: "EventsCount",
          [.uuid("DeviceServiceId"), .u32("CidCount"), .numbers("CidList", counted: "CidCount")]),
      ]),
    entry(
      .basicConnect, 20, "packet_statistics",
      u32("InDiscards", "InErrors")
        + [.u64("InOctets"), .u64("InPackets"), .u64("OutOctets"), .u64("OutPackets")] + u32("OutErrors", "OutDiscards")
    ),
  ]
}
