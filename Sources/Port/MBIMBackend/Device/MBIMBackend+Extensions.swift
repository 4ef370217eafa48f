import CMBIM
import GLibBridge
import ModemModel
import ReplyCheck

/// The result of the version exchange.
enum ExtensionsAgreement {
  /// The device knows the version in force.
  case settled
  /// The modem may have accepted the new version without confirming it. Only a new session is
  /// certain.
  case uncertain
}

extension MBIMBackend {
  /// Agrees with the modem on a version of Microsoft's extensions (MBIM_CID_VERSION). It does so
  /// after opening and not as part of it, because libmbim would read two replies before they are
  /// checked, and would give up the port of a modem that refuses Device Services.
  ///
  /// A modem that does not offer the exchange, or refuses it, keeps the version in force.
  func agreeOnExtensions(in opened: OpenDevice) async throws(ModemError) -> ExtensionsAgreement {
    guard configuration.extensions > .none else { return .settled }
    guard try await offersVersion(opened) else { return .settled }
    let wanted = configuration.extensions
    do throws(ModemError) {
      let reply = try await send(
        "extensions version", to: opened, in: commands, within: configuration.limits.query
      ) { error in
        mbim_message_ms_basic_connect_extensions_v2_version_query_new(0x0100, wanted.wire, error)
      }
      guard reply.status == MBIM_STATUS_ERROR_NONE else { return .settled }
      var (_, agreed): (UInt16, UInt16) = (0, 0)
      try reply.read {
        mbim_message_ms_basic_connect_extensions_v2_version_response_parse($0, nil, &agreed, $1)
      }
      let version = min(MBIMExtensions(wire: agreed), wanted)
      mbim_device_set_ms_mbimex_version(opened.device.pointer, version.rawValue, 0, nil)
      return .settled
    } catch {
      guard error.code == .timeout || error.code == .badReply else { throw error }
      return .uncertain
    }
  }

  /// Whether the modem lists the version exchange among its services (MBIM_CID_DEVICE_SERVICES).
  private func offersVersion(_ opened: OpenDevice) async throws(ModemError) -> Bool {
    do throws(ModemError) {
      let reply = try await send(
        "device services", to: opened, in: commands, within: configuration.limits.query
      ) { error in
        mbim_message_device_services_query_new(error)
      }
      services = .some(reply.status == MBIM_STATUS_ERROR_NONE ? try ServiceList(reply) : nil)
      return services??.contains(MBIMFrame.Subject(.extensions, 15)) ?? false
    } catch {
      switch error.code {
      // A modem without a usable list of its services has no extensions.
      case .timeout, .badReply, .failed, .notSupported, .busy:
        services = .some(nil)
        return false
      default: throw error
      }
    }
  }
}
