/// Where modemd listens.
public enum ModemdSocket {
  /// The path unless modemd and its callers are told another one (`--socket`).
  public static let path = "/run/modemd/org.modemd"
}
