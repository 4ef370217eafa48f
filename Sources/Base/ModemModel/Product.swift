/// The product that these programs are, in one place for all of them.
public enum Product {
  /// As `--version` prints it and `GetInfo` answers it (semver.org).
  public static let version = "0.1.0"
}
