import CQMI

/// The messages that this backend sends.
extension QMIOperation where Client == QmiClientDms {
  static let manufacturer = QMIOperation(
    plain: qmi_client_dms_get_manufacturer, qmi_client_dms_get_manufacturer_finish,
    qmi_message_dms_get_manufacturer_output_get_result, qmi_message_dms_get_manufacturer_output_unref)
  static let model = QMIOperation(
    plain: qmi_client_dms_get_model, qmi_client_dms_get_model_finish, qmi_message_dms_get_model_output_get_result,
    qmi_message_dms_get_model_output_unref)
  static let revision = QMIOperation(
    plain: qmi_client_dms_get_revision, qmi_client_dms_get_revision_finish,
    qmi_message_dms_get_revision_output_get_result, qmi_message_dms_get_revision_output_unref)
  static let ids = QMIOperation(
    plain: qmi_client_dms_get_ids, qmi_client_dms_get_ids_finish, qmi_message_dms_get_ids_output_get_result,
    qmi_message_dms_get_ids_output_unref)
  static let msisdn = QMIOperation(
    plain: qmi_client_dms_get_msisdn, qmi_client_dms_get_msisdn_finish, qmi_message_dms_get_msisdn_output_get_result,
    qmi_message_dms_get_msisdn_output_unref)
}

extension QMIOperation where Client == QmiClientUim {
  static let registerEvents = QMIOperation(
    qmi_client_uim_register_events, qmi_client_uim_register_events_finish,
    qmi_message_uim_register_events_output_get_result, qmi_message_uim_register_events_output_unref)
  static let cardStatus = QMIOperation(
    plain: qmi_client_uim_get_card_status, qmi_client_uim_get_card_status_finish,
    qmi_message_uim_get_card_status_output_get_result, qmi_message_uim_get_card_status_output_unref)
  static let readTransparent = QMIOperation(
    qmi_client_uim_read_transparent, qmi_client_uim_read_transparent_finish,
    qmi_message_uim_read_transparent_output_get_result, qmi_message_uim_read_transparent_output_unref)
  static let fileAttributes = QMIOperation(
    qmi_client_uim_get_file_attributes, qmi_client_uim_get_file_attributes_finish,
    qmi_message_uim_get_file_attributes_output_get_result, qmi_message_uim_get_file_attributes_output_unref)
  static let readRecord = QMIOperation(
    qmi_client_uim_read_record, qmi_client_uim_read_record_finish, qmi_message_uim_read_record_output_get_result,
    qmi_message_uim_read_record_output_unref)
  static let verifyPIN = QMIOperation(
    qmi_client_uim_verify_pin, qmi_client_uim_verify_pin_finish, qmi_message_uim_verify_pin_output_get_result,
    qmi_message_uim_verify_pin_output_unref)
}

extension QMIOperation where Client == QmiClientNas {
  static let registerIndications = QMIOperation(
    qmi_client_nas_register_indications, qmi_client_nas_register_indications_finish,
    qmi_message_nas_register_indications_output_get_result, qmi_message_nas_register_indications_output_unref)
  static let homeNetwork = QMIOperation(
    plain: qmi_client_nas_get_home_network, qmi_client_nas_get_home_network_finish,
    qmi_message_nas_get_home_network_output_get_result, qmi_message_nas_get_home_network_output_unref)
  static let servingSystem = QMIOperation(
    plain: qmi_client_nas_get_serving_system, qmi_client_nas_get_serving_system_finish,
    qmi_message_nas_get_serving_system_output_get_result, qmi_message_nas_get_serving_system_output_unref)
  static let systemInfo = QMIOperation(
    plain: qmi_client_nas_get_system_info, qmi_client_nas_get_system_info_finish,
    qmi_message_nas_get_system_info_output_get_result, qmi_message_nas_get_system_info_output_unref)
  static let signalInfo = QMIOperation(
    plain: qmi_client_nas_get_signal_info, qmi_client_nas_get_signal_info_finish,
    qmi_message_nas_get_signal_info_output_get_result, qmi_message_nas_get_signal_info_output_unref)
  static let attachDetach = QMIOperation(
    qmi_client_nas_attach_detach, qmi_client_nas_attach_detach_finish,
    qmi_message_nas_attach_detach_output_get_result, qmi_message_nas_attach_detach_output_unref)
}

extension QMIOperation where Client == QmiClientWda {
  static let setDataFormat = QMIOperation(
    qmi_client_wda_set_data_format, qmi_client_wda_set_data_format_finish,
    qmi_message_wda_set_data_format_output_get_result, qmi_message_wda_set_data_format_output_unref)
  static let dataFormat = QMIOperation(
    qmi_client_wda_get_data_format, qmi_client_wda_get_data_format_finish,
    qmi_message_wda_get_data_format_output_get_result, qmi_message_wda_get_data_format_output_unref)
}

extension QMIOperation where Client == QmiClientWds {
  static let setIPFamily = QMIOperation(
    qmi_client_wds_set_ip_family, qmi_client_wds_set_ip_family_finish,
    qmi_message_wds_set_ip_family_output_get_result, qmi_message_wds_set_ip_family_output_unref)
  static let startNetwork = QMIOperation(
    qmi_client_wds_start_network, qmi_client_wds_start_network_finish,
    qmi_message_wds_start_network_output_get_result, qmi_message_wds_start_network_output_unref)
  static let stopNetwork = QMIOperation(
    qmi_client_wds_stop_network, qmi_client_wds_stop_network_finish, qmi_message_wds_stop_network_output_get_result,
    qmi_message_wds_stop_network_output_unref)
  static let currentSettings = QMIOperation(
    qmi_client_wds_get_current_settings, qmi_client_wds_get_current_settings_finish,
    qmi_message_wds_get_current_settings_output_get_result, qmi_message_wds_get_current_settings_output_unref)
}
