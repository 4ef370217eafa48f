import CGLib
import CMBIM
import GLibBridge
import ModemModel
import ReplyCheck

/// The modem's answer to a command: a COMMAND_DONE, or a FUNCTION_ERROR in its place.
struct MBIMReply {
  let name: String
  let message: GLibReference<OpaquePointer>
  /// The version in force between modem and host when it arrived.
  let extensions: MBIMExtensions
  private let frame: MBIMFrame
  /// Why its contents must not be passed to libmbim; nil if they may.
  private let flaw: ReplyFlaw?

  var speaksExtensionsV3: Bool { extensions >= .v3 }

  /// Checks a message.
  /// - Parameters:
  ///   - request: The command that it should answer; libmbim only compares the transaction number.
  ///   - extensions: The version in force.
  /// - Throws: `badReply` if its headers are wrong or it answers another command.
  init(
    name: String, message: GLibReference<OpaquePointer>, to request: MBIMFrame.Subject?, _ extensions: MBIMExtensions
  ) throws(ModemError) {
    self.name = name
    self.message = message
    self.extensions = extensions
    do {
      frame = try MBIMFrame(rawBytes(of: message.pointer))
    } catch {
      throw ModemError(.badReply, "\(name): the modem's answer cannot be read", cause: error.description)
    }
    if let subject = frame.subject, let request, subject != request {
      throw ModemError(
        .badReply,
        "\(name): the modem answered another command; if another program (ModemManager) has the port, share it through mbim-proxy",
        cause: "the answer is to \(subject.service.name ?? "an unknown service"), command \(subject.command)")
    }
    flaw = Self.flaw(in: frame, extensions)
  }

  private static func flaw(in frame: MBIMFrame, _ extensions: MBIMExtensions) -> ReplyFlaw? {
    do throws(ReplyFlaw) {
      try MBIMReplyCheck.check(frame, extensions)
      return nil
    } catch {
      return error
    }
  }

  /// Throws if the modem refused the command (MBIM 1.0, MBIM_STATUS_CODES).
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

  /// The status code of the reply; nil if it is not a COMMAND_DONE.
  var status: MbimStatusError? {
    guard case .reply(_, let status) = frame.kind else { return nil }
    return MbimStatusError(status)
  }

  /// The information buffer: the message's content after its status.
  var information: [UInt8] { Array(frame.information) }

  /// Calls one of libmbim's parsers.
  /// - Parameter parse: Gets the message and the place for an error; returns what the parser
  ///   returned.
  /// - Throws: `badReply` if the check or the parser found the message wrong. The parser is only
  ///   called after the check.
  func read(_ parse: (OpaquePointer, GErrorPlace) -> gboolean) throws(ModemError) {
    do throws(GLibBridgeError) {
      if let flaw { throw GLibBridgeError(.library(domain: "", code: 0), flaw.description) }
      let parsed = try checkingGError { parse(message.pointer, $0) }
      guard parsed != 0 else { throw GLibBridgeError(.library(domain: "", code: 0), "the parser gave no reason") }
    } catch {
      throw ModemError(.badReply, "\(name): the modem's answer cannot be read", cause: error.message)
    }
  }
}

/// A copy of a message's bytes.
func rawBytes(of message: OpaquePointer) -> [UInt8] {
  var length: UInt32 = 0
  guard let bytes = mbim_message_get_raw(message, &length, nil) else { return [] }
  return Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
}

/// Takes over a string that libmbim allocated; nil if it is NULL or empty.
func taking(_ text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text else { return nil }
  defer { g_free(text) }
  let string = String(cString: text)
  return string.isEmpty ? nil : string
}
