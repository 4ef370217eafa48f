import CQMI

extension QMIBackend {
  /// The library by name and version, as in `libqmi 1.32.2`. The version is that of its headers.
  package static var library: String { "libqmi \(QMI_MAJOR_VERSION).\(QMI_MINOR_VERSION).\(QMI_MICRO_VERSION)" }
}
