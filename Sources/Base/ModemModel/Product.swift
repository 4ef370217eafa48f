/// The product of these programs, defined in one place.
public enum Product {
  /// As `--version` prints it and `GetInfo` answers it (semver.org).
  public static let version = "0.1.0"
}
