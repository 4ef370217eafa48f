/// What the help of several flows says.
package enum FlowHelp {
  package static let steps = "Each step is shown when it ends, below the requests that it sent over the bearer."
}
