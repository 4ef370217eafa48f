import CGLib
import CMBIM
import GLibBridge
import ModemModel

/// A COMMAND_DONE message: what the modem answered to a command.
struct MBIMReply {
  let name: String
  let message: GLibReference<OpaquePointer>
  let speaksExtensionsV3: Bool

  /// Throws when the modem refused the command (MBIM 1.0, MBIM_STATUS_CODES).
  func check() throws(ModemError) {
    do throws(GLibBridgeError) {
      let accepted = try checkingGError {
        mbim_message_response_get_result(message.pointer, MBIM_MESSAGE_TYPE_COMMAND_DONE, $0)
      }
      guard accepted != 0 else { throw GLibBridgeError(.library(domain: "", code: 0), "no result") }
    } catch {
      throw ModemError(error, during: name)
    }
  }

  /// The status code of the reply; nil where it is no COMMAND_DONE.
  var status: MbimStatusError? {
    guard mbim_message_get_message_type(message.pointer) == MBIM_MESSAGE_TYPE_COMMAND_DONE else { return nil }
    return mbim_message_command_done_get_status_code(message.pointer)
  }

  /// The information buffer: what the message says beyond its status.
  var information: [UInt8] {
    var length: UInt32 = 0
    guard let bytes = mbim_message_command_done_get_raw_information_buffer(message.pointer, &length) else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
  }

  /// Calls one of libmbim's parsers.
  /// - Parameter parse: Gets the message and the place for an error; returns what the parser returned.
  func read(_ parse: (OpaquePointer, GErrorPlace) -> gboolean) throws(ModemError) {
    do throws(GLibBridgeError) {
      let parsed = try checkingGError { parse(message.pointer, $0) }
      guard parsed != 0 else { throw GLibBridgeError(.library(domain: "", code: 0), "the parser gave no reason") }
    } catch {
      throw ModemError(.badReply, "\(name): the modem's answer cannot be read", cause: error.message)
    }
  }
}

/// Takes over a string that libmbim allocated; nil when it is NULL or empty.
func taking(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { g_free(text) }
  let string = String(cString: text)
  return string.isEmpty ? nil : string
}
