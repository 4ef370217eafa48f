import CQMI
import GLibBridge
import ModemModel

extension QMIBackend {
  /// WDA Set Data Format: bare IP packets, one in each transfer. Chips since 2016 know no other format.
  public func negotiateLinkFormat() async throws(ModemError) -> LinkFormat {
    let opened = try openDevice(for: "link format")
    let wda: QMIClient
    do throws(ModemError) {
      wda = try await allocate(QMI_SERVICE_WDA, on: opened.device, within: configuration.limits.query)
    } catch {
      // A modem without this service is older than bare IP.
      guard error.code == .notSupported else { throw error }
      return .ethernet
    }
    do throws(ModemError) {
      let format = try await format(wda)
      await release(wda, on: opened.device, within: configuration.limits.close)
      return format
    } catch {
      await release(wda, on: opened.device, within: configuration.limits.close)
      throw error
    }
  }

  private func format(_ wda: QMIClient) async throws(ModemError) -> LinkFormat {
    let wanted = input(qmi_message_wda_set_data_format_input_new, qmi_message_wda_set_data_format_input_unref) {
      qmi_message_wda_set_data_format_input_set_qos_format($0, 0, nil)
      qmi_message_wda_set_data_format_input_set_link_layer_protocol($0, QMI_WDA_LINK_LAYER_PROTOCOL_RAW_IP, nil)
      qmi_message_wda_set_data_format_input_set_uplink_data_aggregation_protocol(
        $0, QMI_WDA_DATA_AGGREGATION_PROTOCOL_DISABLED, nil)
      qmi_message_wda_set_data_format_input_set_downlink_data_aggregation_protocol(
        $0, QMI_WDA_DATA_AGGREGATION_PROTOCOL_DISABLED, nil)
    }
    var link = QMI_WDA_LINK_LAYER_PROTOCOL_UNKNOWN
    if let reply = try await askIfKnown("link format", .setDataFormat, to: wda, wanted),
      qmi_message_wda_set_data_format_output_get_link_layer_protocol(reply.pointer, &link, nil) != 0
    {
      return link == QMI_WDA_LINK_LAYER_PROTOCOL_802_3 ? .ethernet : .rawIP
    }
    // It takes no orders; it may still say what it does.
    let reply = try await ask("link format", .dataFormat, to: wda)
    guard qmi_message_wda_get_data_format_output_get_link_layer_protocol(reply.pointer, &link, nil) != 0 else {
      throw ModemError(.badReply, "link format: the modem does not say how packets look on its interface")
    }
    return link == QMI_WDA_LINK_LAYER_PROTOCOL_RAW_IP ? .rawIP : .ethernet
  }
}
