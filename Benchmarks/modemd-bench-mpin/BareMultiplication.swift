import CCrypto

/// What kept libcrypto from answering.
struct BareError: Error, CustomStringConvertible {
  let description: String
}

/// libcrypto's multiplication of any point by a secret number, on a curve of its own of this size
/// for which it has no faster way.
final class BareMultiplication {
  private let group: OpaquePointer
  private let point: OpaquePointer
  private let result: OpaquePointer
  private let number: OpaquePointer

  init() throws(BareError) {
    guard let group = EC_GROUP_new_by_curve_name(NID_brainpoolP256r1), let point = EC_POINT_new(group),
      let result = EC_POINT_new(group), let number = BN_new(),
      let generator = EC_GROUP_get0_generator(group), EC_POINT_dbl(group, point, generator, nil) == 1,
      BN_priv_rand_range(number, EC_GROUP_get0_order(group)) == 1
    else { throw BareError(description: "libcrypto has no brainpoolP256r1") }
    BN_set_flags(number, BN_FLG_CONSTTIME)
    self.group = group
    self.point = point
    self.result = result
    self.number = number
  }

  deinit {
    BN_clear_free(number)
    EC_POINT_free(result)
    EC_POINT_free(point)
    EC_GROUP_free(group)
  }

  func multiply() throws(BareError) {
    guard EC_POINT_mul(group, result, nil, point, number, nil) == 1 else {
      throw BareError(description: "libcrypto cannot multiply")
    }
  }
}
