import CGLib
import CQMI
import GLibBridge

/// One message of QMI as libqmi has it: four functions that always come together.
struct QMIOperation<Client>: Sendable {
  typealias Begin =
    @Sendable (
      UnsafeMutablePointer<Client>?, OpaquePointer?, guint, UnsafeMutablePointer<GCancellable>?, GAsyncReadyCallback?,
      gpointer?
    ) -> Void
  typealias BeginWithoutInput =
    @Sendable (
      UnsafeMutablePointer<Client>?, gpointer?, guint, UnsafeMutablePointer<GCancellable>?, GAsyncReadyCallback?,
      gpointer?
    ) -> Void
  typealias Finish = @Sendable (UnsafeMutablePointer<Client>?, OpaquePointer?, GErrorPlace?) -> OpaquePointer?
  typealias Check = @Sendable (OpaquePointer?, GErrorPlace?) -> gboolean
  typealias Release = @Sendable (OpaquePointer?) -> Void

  let begin: Begin
  let finish: Finish
  let result: Check
  let release: Release

  init(_ begin: @escaping Begin, _ finish: @escaping Finish, _ result: @escaping Check, _ release: @escaping Release) {
    self.begin = begin
    self.finish = finish
    self.result = result
    self.release = release
  }

  /// For a message without input.
  init(
    plain begin: @escaping BeginWithoutInput, _ finish: @escaping Finish, _ result: @escaping Check,
    _ release: @escaping Release
  ) {
    self.init({ begin($0, nil, $2, $3, $4, $5) }, finish, result, release)
  }
}

/// What a message is asked with; nil for messages without input.
typealias QMIInput = GLibReference<OpaquePointer>

/// What the modem answered to a message.
struct QMIReply {
  let name: String
  let output: GLibReference<OpaquePointer>
  let result: @Sendable (OpaquePointer?, GErrorPlace?) -> gboolean

  var pointer: OpaquePointer { output.pointer }

  /// Why the modem refused; nil when it did not.
  var refusal: GLibBridgeError? {
    do throws(GLibBridgeError) {
      let accepted = try checkingGError { result(output.pointer, $0) }
      return accepted != 0 ? nil : GLibBridgeError(.library(domain: "", code: 0), "the modem gave no result")
    } catch {
      return error
    }
  }

  func refused(with error: QmiProtocolError) -> Bool {
    refusal?.isLibraryError(error, domain: qmi_protocol_error_quark()) == true
  }
}
