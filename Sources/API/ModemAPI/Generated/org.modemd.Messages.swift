// Written by varlink-generate from org.modemd.Messages.varlink: change that file, then `make generate`.

import Varlink

/// The SIM's short messages (SMS), and the one-time codes in them. Nothing is deleted without a
/// request. Access is configured separately from the other interfaces: access.messageGroups, by
/// default only root. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
/// ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
/// enums of replies and errors. Replies and errors always have all their fields; a field without a
/// value is null.
public enum MessagesInterface: VarlinkInterface {
  public static let name = "org.modemd.Messages"
  public static let text = #"""
    # The SIM's short messages (SMS), and the one-time codes in them. Nothing is deleted without a
    # request. Access is configured separately from the other interfaces: access.messageGroups, by
    # default only root. Errors about modems (NoModem, MoreThanOneModem, NoSuchModem, PortUnavailable,
    # ModemFailed) are those of org.modemd.Modem. Later versions may add fields, and new words to the
    # enums of replies and errors. Replies and errors always have all their fields; a field without a
    # value is null.
    interface org.modemd.Messages

    # A message, its parts joined.
    type Message (
      # Identifies it for as long as the modem keeps it, even over restarts.
      id: string,
      # Id of the modem.
      modem: string,
      # A number, with + if it is international, or a name.
      sender: string,
      # What `sender` is.
      senderKind: (international, number, alphanumeric),
      # Its text; null for data. For an incomplete message, the available parts.
      text: ?string,
      # The bytes of a message for a program.
      base64: ?string,
      # RFC 3339: when the service centre received it; null if that is not given.
      sent: ?string,
      # Time zone of the service centre, minutes east of UTC.
      sentZoneMinutes: ?int,
      # RFC 3339: when its last part arrived; null if it was there before modemd-port looked.
      received: ?string,
      # 0 to 3 (3GPP TS 23.038, 4). A message of class 0 should be shown at once, and no modem stores
      # it.
      messageClass: ?int,
      # The application that it is for, unless it is for a person (3GPP TS 23.040, 9.2.3.24.4).
      port: ?int,
      # How many parts it has.
      parts: int,
      # How many of them have arrived.
      partsPresent: int,
      # Whether the modem keeps it. Otherwise, it stays in memory for a day, until modemd-port stops.
      stored: bool,
      # The service centre that passed it on, if the modem reports it.
      serviceCentre: ?string
    )

    # The messages of one modem, in the order of arrival.
    method List(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # Includes incomplete ones. Status reports and silent messages are left out.
      messages: []Message,
      # The modem's store is full: no more messages arrive until some are deleted.
      storageFull: bool
    )

    # One message.
    method Get(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # As List has it.
      id: string
    ) -> (
      # The message.
      message: Message
    )

    # With `more`: first `ready`, then one reply for each complete message, and `storageFull` if one did
    # not fit. Without: only `ready`.
    method Watch(
      # Id, device or interface; null for the only modem.
      modem: ?string
    ) -> (
      # What this reply is.
      event: (ready, arrived, storageFull),
      # Set when `event` is arrived.
      message: ?Message
    )

    # Waits for the next message with a one-time code. Several callers may wait at the same time, even
    # for the same message: nothing is consumed.
    method WaitForCode(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # The complete sender, in upper or lower case; null for any.
      sender: ?string,
      # Text with one place for the code: {digits}, {digits:6}, {digits:4-8}, {alnum:4-8}. {any} stands
      # for other text, {{ and }} for braces. Letters match regardless of case, white space matches any
      # white space, and the rest of the message may be anything. Null: the text after # in a last line
      # `@host #code`, else the first 6 digits, else 123-456, else the longest 4 to 8 digits.
      pattern: ?string,
      # How long to wait, 1 to 600; null for 60.
      timeoutSeconds: ?int,
      # Also accepts a message, the latest first, that arrived up to this long before the call, 0 to
      # 600; null for 0. A code can arrive before the call, but an old code can also be mistaken for it.
      lookBackSeconds: ?int
    ) -> (
      # The code.
      code: string,
      # The message that contains it.
      message: Message
    )

    # Deletes a message with all its parts, from the modem's store too.
    method Delete(
      # Id, device or interface; null for the only modem.
      modem: ?string,
      # As List has it.
      id: string
    ) -> ()

    # No message has this id.
    error NoSuchMessage (
      # The id that was given.
      id: string
    )

    # The messages cannot be read at present.
    error MessagesUnavailable (
      # Why, in one sentence.
      text: string
    )

    # The modem's store is full, so no message can arrive.
    error StorageFull (
      # One sentence that explains what to do.
      text: string
    )

    # No message with a code arrived in time.
    error NoCode (
      # How many messages came meanwhile.
      messagesSeen: int,
      # One sentence that explains what to check.
      text: string
    )

    # Too many callers wait for codes.
    error TooManyWaits (
      # How many may.
      limit: int
    )

    # An option is out of range.
    error InvalidOption (
      # Its name.
      option: string,
      # What it may be.
      expected: string
    )

    """#

  /// A message, its parts joined.
  public struct Message: Codable, Hashable, Sendable {
    /// Identifies it for as long as the modem keeps it, even over restarts.
    public var id: String
    /// Id of the modem.
    public var modem: String
    /// A number, with + if it is international, or a name.
    public var sender: String
    /// What `sender` is.
    public var senderKind: SenderKind
    /// Its text; null for data. For an incomplete message, the available parts.
    public var text: String?
    /// The bytes of a message for a program.
    public var base64: String?
    /// RFC 3339: when the service centre received it; null if that is not given.
    public var sent: String?
    /// Time zone of the service centre, minutes east of UTC.
    public var sentZoneMinutes: Int?
    /// RFC 3339: when its last part arrived; null if it was there before modemd-port looked.
    public var received: String?
    /// 0 to 3 (3GPP TS 23.038, 4). A message of class 0 should be shown at once, and no modem stores
    /// it.
    public var messageClass: Int?
    /// The application that it is for, unless it is for a person (3GPP TS 23.040, 9.2.3.24.4).
    public var port: Int?
    /// How many parts it has.
    public var parts: Int
    /// How many of them have arrived.
    public var partsPresent: Int
    /// Whether the modem keeps it. Otherwise, it stays in memory for a day, until modemd-port stops.
    public var stored: Bool
    /// The service centre that passed it on, if the modem reports it.
    public var serviceCentre: String?

    public init(
      id: String, modem: String, sender: String, senderKind: SenderKind, text: String? = nil, base64: String? = nil,
      sent: String? = nil, sentZoneMinutes: Int? = nil, received: String? = nil, messageClass: Int? = nil,
      port: Int? = nil, parts: Int, partsPresent: Int, stored: Bool, serviceCentre: String? = nil
    ) {
      self.id = id
      self.modem = modem
      self.sender = sender
      self.senderKind = senderKind
      self.text = text
      self.base64 = base64
      self.sent = sent
      self.sentZoneMinutes = sentZoneMinutes
      self.received = received
      self.messageClass = messageClass
      self.port = port
      self.parts = parts
      self.partsPresent = partsPresent
      self.stored = stored
      self.serviceCentre = serviceCentre
    }

    /// One of the values of `senderKind`.
    public enum SenderKind: OpenWord {
      case international, number, alphanumeric
      case other(String)

      public static let known: [Self] = [.international, .number, .alphanumeric]
      public var rawValue: String {
        switch self {
        case .international: "international"
        case .number: "number"
        case .alphanumeric: "alphanumeric"
        case .other(let word): word
        }
      }
    }
  }

  /// The messages of one modem, in the order of arrival.
  public enum List: VarlinkMethod {
    public static let name = "org.modemd.Messages.List"

    /// What `List` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `List` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// Includes incomplete ones. Status reports and silent messages are left out.
      public var messages: [Message]
      /// The modem's store is full: no more messages arrive until some are deleted.
      public var storageFull: Bool

      public init(messages: [Message], storageFull: Bool) {
        self.messages = messages
        self.storageFull = storageFull
      }
    }
  }

  /// One message.
  public enum Get: VarlinkMethod {
    public static let name = "org.modemd.Messages.Get"

    /// What `Get` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "id"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// As List has it.
      public var id: String

      public init(modem: String? = nil, id: String) {
        self.modem = modem
        self.id = id
      }
    }

    /// What `Get` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The message.
      public var message: Message

      public init(message: Message) {
        self.message = message
      }
    }
  }

  /// With `more`: first `ready`, then one reply for each complete message, and `storageFull` if one did
  /// not fit. Without: only `ready`.
  public enum Watch: VarlinkMethod {
    public static let name = "org.modemd.Messages.Watch"

    /// What `Watch` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?

      public init(modem: String? = nil) {
        self.modem = modem
      }
    }

    /// What `Watch` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// What this reply is.
      public var event: Event
      /// Set when `event` is arrived.
      public var message: Message?

      public init(event: Event, message: Message? = nil) {
        self.event = event
        self.message = message
      }

      /// One of the values of `event`.
      public enum Event: OpenWord {
        case ready, arrived, storageFull
        case other(String)

        public static let known: [Self] = [.ready, .arrived, .storageFull]
        public var rawValue: String {
          switch self {
          case .ready: "ready"
          case .arrived: "arrived"
          case .storageFull: "storageFull"
          case .other(let word): word
          }
        }
      }
    }
  }

  /// Waits for the next message with a one-time code. Several callers may wait at the same time, even
  /// for the same message: nothing is consumed.
  public enum WaitForCode: VarlinkMethod {
    public static let name = "org.modemd.Messages.WaitForCode"

    /// What `WaitForCode` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "sender", "pattern", "timeoutSeconds", "lookBackSeconds"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// The complete sender, in upper or lower case; null for any.
      public var sender: String?
      /// Text with one place for the code: {digits}, {digits:6}, {digits:4-8}, {alnum:4-8}. {any} stands
      /// for other text, {{ and }} for braces. Letters match regardless of case, white space matches any
      /// white space, and the rest of the message may be anything. Null: the text after # in a last line
      /// `@host #code`, else the first 6 digits, else 123-456, else the longest 4 to 8 digits.
      public var pattern: String?
      /// How long to wait, 1 to 600; null for 60.
      public var timeoutSeconds: Int?
      /// Also accepts a message, the latest first, that arrived up to this long before the call, 0 to
      /// 600; null for 0. A code can arrive before the call, but an old code can also be mistaken for it.
      public var lookBackSeconds: Int?

      public init(
        modem: String? = nil, sender: String? = nil, pattern: String? = nil, timeoutSeconds: Int? = nil,
        lookBackSeconds: Int? = nil
      ) {
        self.modem = modem
        self.sender = sender
        self.pattern = pattern
        self.timeoutSeconds = timeoutSeconds
        self.lookBackSeconds = lookBackSeconds
      }
    }

    /// What `WaitForCode` answers.
    public struct Reply: Codable, Hashable, Sendable {
      /// The code.
      public var code: String
      /// The message that contains it.
      public var message: Message

      public init(code: String, message: Message) {
        self.code = code
        self.message = message
      }
    }
  }

  /// Deletes a message with all its parts, from the modem's store too.
  public enum Delete: VarlinkMethod {
    public static let name = "org.modemd.Messages.Delete"

    /// What `Delete` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = ["modem", "id"]
      /// Id, device or interface; null for the only modem.
      public var modem: String?
      /// As List has it.
      public var id: String

      public init(modem: String? = nil, id: String) {
        self.modem = modem
        self.id = id
      }
    }

    /// What `Delete` answers.
    public struct Reply: Codable, Hashable, Sendable {

      public init() {}
    }
  }

  /// No message has this id.
  public struct NoSuchMessage: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Messages.NoSuchMessage"
    /// The id that was given.
    public var id: String

    public init(id: String) {
      self.id = id
    }
  }

  /// The messages cannot be read at present.
  public struct MessagesUnavailable: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Messages.MessagesUnavailable"
    /// Why, in one sentence.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// The modem's store is full, so no message can arrive.
  public struct StorageFull: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Messages.StorageFull"
    /// One sentence that explains what to do.
    public var text: String

    public init(text: String) {
      self.text = text
    }
  }

  /// No message with a code arrived in time.
  public struct NoCode: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Messages.NoCode"
    /// How many messages came meanwhile.
    public var messagesSeen: Int
    /// One sentence that explains what to check.
    public var text: String

    public init(messagesSeen: Int, text: String) {
      self.messagesSeen = messagesSeen
      self.text = text
    }
  }

  /// Too many callers wait for codes.
  public struct TooManyWaits: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Messages.TooManyWaits"
    /// How many may.
    public var limit: Int

    public init(limit: Int) {
      self.limit = limit
    }
  }

  /// An option is out of range.
  public struct InvalidOption: VarlinkErrorParameters, Hashable {
    public static let name = "org.modemd.Messages.InvalidOption"
    /// Its name.
    public var option: String
    /// What it may be.
    public var expected: String

    public init(option: String, expected: String) {
      self.option = option
      self.expected = expected
    }
  }
}
