import CMBIM

extension MBIMBackend {
  /// The library by name and version, as in `libmbim 1.28.2`. The version is that of its headers.
  package static var library: String { "libmbim \(MBIM_MAJOR_VERSION).\(MBIM_MINOR_VERSION).\(MBIM_MICRO_VERSION)" }
}
