// Written by varlink-generate from io.systemd.Metrics.varlink: change that file, then `make generate`.

import Varlink

/// Figures about this service, as systemd-report(1) reads them (systemd 260 and later). Both methods
/// reply once for each figure, and therefore need `more`.
public enum MetricsInterface: VarlinkInterface {
  public static let name = "io.systemd.Metrics"
  public static let text = #"""
    # Figures about this service, as systemd-report(1) reads them (systemd 260 and later). Both methods
    # reply once for each figure, and therefore need `more`.
    interface io.systemd.Metrics

    # What kind of value a figure has.
    type MetricFamilyType (
      # A number that only grows while the service runs.
      counter,
      # A number that goes up and down.
      gauge,
      # A word.
      string
    )

    # Replies with every figure that has a value.
    #
    # name: the socket's name, a dot, and the figure's name
    # value: a number or a word
    # object: what the figure is about, such as the id of a modem; null for the whole service
    # fields: what tells figures of the same name and object apart; null if nothing does
    method List() -> (
      name: string,
      value: object,
      object: ?string,
      fields: ?[string]string
    )

    # Replies with every figure that there may be.
    #
    # name: as in List
    # description: what it counts or measures, and in which unit
    # type: what kind of value it has
    method Describe() -> (
      name: string,
      description: string,
      type: MetricFamilyType
    )

    # There is no figure.
    error NoSuchMetric()

    """#

  /// What kind of value a figure has.
  public enum MetricFamilyType: OpenWord {
    case counter, gauge, string
    case other(String)

    public static let known: [Self] = [.counter, .gauge, .string]
    public var rawValue: String {
      switch self {
      case .counter: "counter"
      case .gauge: "gauge"
      case .string: "string"
      case .other(let word): word
      }
    }
  }

  /// Replies with every figure that has a value.
  ///
  /// name: the socket's name, a dot, and the figure's name
  /// value: a number or a word
  /// object: what the figure is about, such as the id of a modem; null for the whole service
  /// fields: what tells figures of the same name and object apart; null if nothing does
  public enum List: VarlinkMethod {
    public static let name = "io.systemd.Metrics.List"

    /// What `List` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `List` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var name: String
      public var value: JSONValue
      public var object: String?
      public var fields: [String: String]?

      public init(name: String, value: JSONValue, object: String? = nil, fields: [String: String]? = nil) {
        self.name = name
        self.value = value
        self.object = object
        self.fields = fields
      }
    }
  }

  /// Replies with every figure that there may be.
  ///
  /// name: as in List
  /// description: what it counts or measures, and in which unit
  /// type: what kind of value it has
  public enum Describe: VarlinkMethod {
    public static let name = "io.systemd.Metrics.Describe"

    /// What `Describe` takes.
    public struct Parameters: VarlinkParameters, Hashable {
      public static let fieldNames: Set<String> = []

      public init() {}
    }

    /// What `Describe` answers.
    public struct Reply: Codable, Hashable, Sendable {
      public var name: String
      public var description: String
      public var type: MetricFamilyType

      public init(name: String, description: String, type: MetricFamilyType) {
        self.name = name
        self.description = description
        self.type = type
      }
    }
  }

  /// There is no figure.
  public struct NoSuchMetric: VarlinkErrorParameters, Hashable {
    public static let name = "io.systemd.Metrics.NoSuchMetric"

    public init() {}
  }
}
