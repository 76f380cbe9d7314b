import Testing

@testable import Live

@Suite struct HiddenLinesTests {
  /// Whether there is input, and a signal; nil for a descriptor that the system cannot wait for. An end that cannot be
  /// waited for must not be waited for again and again: the terminal is hidden meanwhile.
  @Test(
    arguments: [
      (true, false, .input), (false, true, .signal), (true, true, .signal), (true, nil, nil), (nil, false, .input),
    ] as [(Bool?, Bool?, HiddenLines.Wakeup?)])
  func wakesUp(_ input: Bool?, _ signal: Bool?, _ expected: HiddenLines.Wakeup?) throws {
    let pipes = try [input, signal].map { isReady in
      let pipe = try #require(WakePipe())
      if isReady == true { pipe.wake() }
      return pipe
    }
    // No process has a descriptor with this number.
    let descriptors = zip(pipes, [input, signal]).map { $1 == nil ? Int32.max : $0.readable }
    #expect(HiddenLines.wakeup(by: descriptors[0], descriptors[1]) == expected)
    withExtendedLifetime(pipes) {}
  }
}
