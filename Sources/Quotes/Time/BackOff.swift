/// How long to wait after failures in a row, ever longer.
///
///     let backOff = BackOff(1, 5, 15, 60)
///     backOff.seconds(after: 0)  // 0
///     backOff.seconds(after: 2)  // 5
///     backOff.seconds(after: 9)  // 60
package struct BackOff: Sendable {
  /// The waits after the first failure, the second, and so on; the last one applies to all further failures.
  package let seconds: [Int]

  /// - Parameter seconds: See ``seconds``.
  package init(_ seconds: Int...) { self.seconds = seconds }

  /// Returns the wait after a number of consecutive failures, in seconds: none after none.
  ///
  /// - Parameter failures: Counted from the last success.
  package func seconds(after failures: Int) -> Int { seconds.prefix(max(0, failures)).last ?? 0 }

  package func wait(after failures: Int) -> Duration { .seconds(seconds(after: failures)) }
}
