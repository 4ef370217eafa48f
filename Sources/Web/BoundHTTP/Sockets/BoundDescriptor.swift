import Glibc
import HTTPExchange
import NIOCore
import NetworkAddress

/// A socket that is bound to a bearer's interface, as a program gets it: blocking, close-on-exec,
/// not watched by any loop of this process. It is closed with the last reference to it.
package final class BoundDescriptor: Sendable {
  /// Valid while this object lives.
  package let number: CInt
  /// The address that it sends from.
  package let source: IPAddress
  /// What it is connected to; nil if it is not.
  package let address: IPAddress?
  /// SO_COOKIE: identifies it on this machine.
  package let cookie: UInt64

  /// - Parameter number: is owned from here on, also if this throws.
  init(owning number: CInt, source: IPAddress?, address: IPAddress?, over interface: BoundInterface) throws {
    do {
      try Self.check(number, interface)
      let options = fcntl(number, F_GETFL)
      guard options >= 0, fcntl(number, F_SETFL, options & ~O_NONBLOCK) == 0 else {
        throw IOError(errnoCode: errno, reason: "fcntl")
      }
      guard let source = source ?? SourceAddress.of(number) else {
        throw BoundHTTPError(.badAddress, "the socket has no address of the bearer")
      }
      cookie = try Self.option(number, SOL_SOCKET, Self.cookieOption)
      self.source = source
    } catch {
      close(number)
      throw error
    }
    self.number = number
    self.address = address
  }

  deinit { close(number) }

  /// A further descriptor of the same socket, which the caller owns.
  ///
  /// - Throws: `IOError`.
  package func duplicate() throws -> CInt {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
    return copy
  }

  /// SO_COOKIE of a socket; nil if the kernel gives none.
  package static func cookie(of number: CInt) -> UInt64? { try? option(number, SOL_SOCKET, cookieOption) }

  /// SO_COOKIE (asm-generic/socket.h).
  private static let cookieOption: Int32 = 57

  /// Makes a socket of a family, bound to the interface and to nothing else yet.
  ///
  /// - Throws: `BoundHTTPError`, `IOError`.
  static func make(isDatagram: Bool, isIPv4: Bool, over interface: BoundInterface) throws -> CInt {
    try interface.verify()
    let kind = Int32(isDatagram ? SOCK_DGRAM.rawValue : SOCK_STREAM.rawValue)
    let number = socket(isIPv4 ? AF_INET : AF_INET6, kind | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
    do {
      try set(number, SOL_SOCKET, RouteProbe.bindToInterfaceIndex, interface.index)
      // It must not reach IPv4 addresses in the form of IPv6 ones: each family has its own source.
      if !isIPv4 { try set(number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
      return number
    } catch {
      close(number)
      throw error
    }
  }

  /// The kernel's word that the socket is bound, before it leaves this process.
  private static func check(_ number: CInt, _ interface: BoundInterface) throws {
    let index: Int32 = try option(number, SOL_SOCKET, RouteProbe.bindToInterfaceIndex)
    guard index == interface.index, index > 0 else {
      throw BoundHTTPError(.badInterface, "the socket is not bound to \(interface.name)")
    }
  }

  static func set(_ number: CInt, _ level: Int32, _ name: Int32, _ value: Int32) throws {
    var value = value
    guard setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
      throw IOError(errnoCode: errno, reason: "setsockopt")
    }
  }

  private static func option<Value: FixedWidthInteger>(
    _ number: CInt, _ level: Int32, _ name: Int32
  ) throws -> Value {
    var (value, size) = (Value.zero, socklen_t(MemoryLayout<Value>.size))
    guard getsockopt(number, level, name, &value, &size) == 0, size == MemoryLayout<Value>.size else {
      throw IOError(errnoCode: errno, reason: "getsockopt")
    }
    return value
  }
}
