extension MBIMShapes {
  private static let attachment: [Field] =
    u32("LteAttachState", "IpType") + [.text("AccessString"), .text("UserName"), .text("Password")]
    + u32("Compression", "AuthProtocol")

  /// Microsoft's Basic Connect Extensions, and libmbim's Proxy Control.
  static let extended: [MBIMReplyCheck.Entry] = [
    entry(.extensions, 4, "ms_basic_connect_extensions_lte_attach_info", attachment, indicated: true),
    entry(
      .extensions, 4, "ms_basic_connect_extensions_v3_lte_attach_info", since: .v3,
      u32("LteAttachState", "NwError", "IpType") + attachment.dropFirst(2), indicated: true),
    entry(
      .extensions, 5, "ms_basic_connect_extensions_sys_caps",
      u32("NumberOfExecutors", "NumberOfSlots", "Concurrency") + [.u64("ModemId")]),
    entry(
      .extensions, 6, "ms_basic_connect_extensions_device_caps",
      u32(
        "DeviceType", "CellularClass", "VoiceClass", "SimClass", "DataClass", "SmsCaps", "ControlCaps", "MaxSessions")
        + [.text("CustomDataClass"), .text("DeviceId"), .text("FirmwareInfo"), .text("HardwareInfo")]
        + u32("ExecutorIndex")),
    entry(
      .extensions, 6, "ms_basic_connect_extensions_v3_device_caps", since: .v3,
      u32("DeviceType", "CellularClass", "VoiceClass", "SimClass", "DataClass", "SmsCaps", "ControlCaps")
        + [.u64("DataSubclass")] + u32("MaxSessions", "ExecutorIndex", "WcdmaBandClass") + [
          .numbersTLV("LteBandClass"), .numbersTLV("NrBandClass"), .textTLV("CustomDataClass"), .textTLV("DeviceId"),
          .textTLV("FirmwareInfo"), .textTLV("HardwareInfo"),
        ]),
    entry(
      .extensions, 7, "ms_basic_connect_extensions_device_slot_mappings",
      [.u32("MapCount"), .referenced("SlotMap", counted: "MapCount", u32("Slot"))]),
    entry(
      .extensions, 8, "ms_basic_connect_extensions_slot_info_status", u32("SlotIndex", "State"), indicated: true),
    entry(
      .extensions, 12, "ms_basic_connect_extensions_location_info_status",
      u32("LocationAreaCode", "TrackingAreaCode", "CellId"), indicated: true),
    entry(
      .extensions, 15, "ms_basic_connect_extensions_v2_version", [.u16("MbimVersion"), .u16("MbimExtendedVersion")]),
    entry(
      .proxyControl, 2, "proxy_control_version", [.u16("MbimVersion"), .u16("MbimExtendedVersion")], indicated: true,
      replied: false),
    entry(.qmi, 1, "qmi_msg", [.rest("QMUX")], indicated: true),
  ]

  private static let words = u32("Version", "StatusWord1", "StatusWord2")

  /// Microsoft's UICC Low Level Access.
  static let cards: [MBIMReplyCheck.Entry] = [
    entry(.uicc, 1, "ms_uicc_low_level_access_atr", [.sizedBytes("ATR")]),
    entry(
      .uicc, 2, "ms_uicc_low_level_access_open_channel", u32("Status", "Channel") + [.sizedBytes("Response")]),
    entry(.uicc, 3, "ms_uicc_low_level_access_close_channel", u32("Status")),
    entry(.uicc, 4, "ms_uicc_low_level_access_apdu", u32("Status") + [.sizedBytes("Response")]),
    entry(
      .uicc, 7, "ms_uicc_low_level_access_application_list",
      u32("Version", "ApplicationCount", "ActiveApplicationIndex", "ApplicationListSizeBytes") + [
        .referenced(
          "Applications", counted: "ApplicationCount",
          [
            .u32("ApplicationType"), .bytes("ApplicationId"), .utf8("ApplicationName"), .u32("PinKeyReferenceCount"),
            .bytes("PinKeyReferences"),
          ])
      ]),
    entry(
      .uicc, 8, "ms_uicc_low_level_access_file_status",
      words
        + u32(
          "FileAccessibility", "FileType", "FileStructure", "FileItemCount", "FileItemSize", "AccessConditionRead",
          "AccessConditionUpdate", "AccessConditionActivate", "AccessConditionDeactivate")),
    entry(.uicc, 9, "ms_uicc_low_level_access_read_binary", words + [.bytes("Data")]),
    entry(.uicc, 10, "ms_uicc_low_level_access_read_record", words + [.bytes("Data")]),
  ]

  /// MBIM_AKA_AUTH_INFO (MBIM 1.0).
  private static func answer(res length: Field) -> [Field] {
    [
      .fixed("RES", size: 16), length, .fixed("IK", size: 16), .fixed("CK", size: 16), .fixed("AUTS", size: 14),
    ]
  }

  /// The SIM's answers to challenges. A SIM that is out of step gives AUTS and no RES (status 36).
  static let challenges: [MBIMReplyCheck.Entry] = [
    entry(.auth, 1, "auth_aka", answer(res: .limited("RESLength", 4...16))),
    entry(.auth, 1, "auth_aka", status: 36, answer(res: .u32("RESLength"))),
  ]

  private static let read: [Field] =
    u32("Format", "MessagesCount") + [
      .when(
        "Format", is: 0,
        [
          .referenced(
            "PduMessages", counted: "MessagesCount", u32("MessageIndex", "MessageStatus") + [.bytes("PduData")])
        ]),
      .when(
        "Format", is: 1,
        [
          .referenced(
            "CdmaMessages", counted: "MessagesCount",
            u32("MessageIndex", "MessageStatus") + [.text("Address"), .text("Timestamp")] + u32("Encoding", "Language")
              + [.bytes("EncodedMessage"), .u32("EncodedMessageSizeInCharacters")])
        ]),
    ]

  /// The SMS service (MBIM 1.0, 10.6).
  static let messages: [MBIMReplyCheck.Entry] = [
    entry(
      .sms, 1, "sms_configuration",
      u32("SmsStorageState", "Format", "MaxMessages", "CdmaShortMessageSize") + [.text("ScAddress")], indicated: true),
    entry(.sms, 2, "sms_read", read, indicated: true),
    entry(.sms, 3, "sms_send", u32("MessageReference")),
    entry(.sms, 4, "sms_delete", []),
    entry(.sms, 5, "sms_message_store_status", u32("Flag", "MessageIndex"), indicated: true),
  ]
}
