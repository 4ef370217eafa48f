/// A mosquitto of a test's own, on loopback, with TLS and an authority of its own.
package struct Broker: Sendable {
  package init() {}
}
