import CGLib
import CQMI
import GLibBridge
import ModemModel

/// Client ids: taken from the modem, recorded, given back.
extension QMIBackend {
  /// Takes a client id of a service. It is not cancelled half-way: an id that nobody waits for is lost to the modem.
  func allocate(
    _ service: QmiService, on device: GObjectRef<QmiDevice>, within limit: Duration
  ) async throws(ModemError) -> QMIClient {
    let allocation = Task { () async -> Result<QMIClient, ModemError> in
      do throws(ModemError) {
        return .success(try await allocateNow(service, id: nil, on: device, within: limit))
      } catch {
        return .failure(error)
      }
    }
    let client = try await allocation.value.get()
    record.insert(client)
    guard !Task.isCancelled else {
      await release(client, on: device, within: configuration.limits.close)
      throw ModemError(.cancelled, "\(Self.name(of: service)) client: the caller gave up")
    }
    return client
  }

  /// With an `id` the modem is not asked: the client is one that exists already.
  private func allocateNow(
    _ service: QmiService, id: UInt8?, on device: GObjectRef<QmiDevice>, within limit: Duration
  ) async throws(ModemError) -> QMIClient {
    let name = "\(Self.name(of: service)) client"
    do throws(GLibBridgeError) {
      let object: GObjectRef<QmiClient> = try await glib.call(in: commands, within: limit) { cancellable, done in
        qmi_device_allocate_client(
          device.pointer, service, id ?? UInt8(QMI_CID_NONE), limit.librarySeconds, cancellable, done.callback,
          done.data)
      } adopting: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_allocate_client_finish(device, result, error)
      }
      return QMIClient(service: service, id: qmi_client_get_cid(object.pointer), object: object)
    } catch {
      throw ModemError(error, during: name, removed: isRemoved)
    }
  }

  /// Gives a client id back, whatever happens to the caller. Releasing a WDS client ends its session too.
  func release(_ client: QMIClient, on device: GObjectRef<QmiDevice>, within limit: Duration) async {
    await Task {
      try? await glib.call(within: limit) { cancellable, done in
        qmi_device_release_client(
          device.pointer, client.object.pointer, QMI_DEVICE_RELEASE_CLIENT_FLAGS_RELEASE_CID, limit.librarySeconds,
          cancellable, done.callback, done.data)
      } succeeded: { (device: UnsafeMutablePointer<QmiDevice>, result, error) in
        qmi_device_release_client_finish(device, result, error)
      }
      if !isRemoved { record.remove(client) }
    }.value
  }

  /// Gives back what an earlier process was killed with.
  func releaseLeftBehind(on device: GObjectRef<QmiDevice>) async {
    let entries = record.leftBehind()
    for entry in entries {
      let limit = configuration.limits.close
      let service = QmiService(rawValue: numericCast(entry.service))
      guard let client = try? await allocateNow(service, id: entry.id, on: device, within: limit) else { continue }
      await release(client, on: device, within: limit)
    }
    if !entries.isEmpty, !isRemoved { record.clear() }
  }

  static func name(of service: QmiService) -> String {
    qmi_service_get_string(service).map { String(cString: $0).uppercased() } ?? "QMI service \(service.rawValue)"
  }
}
