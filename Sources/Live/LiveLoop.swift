import CTerminal
import Quotes
package import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a live screen on the terminal, waiting in one place for keys, signals, feeds and the next second, one frame at
/// a time.
///
/// A frame is only drawn, from the newest state, once the previous one was fully written. A slow line therefore sees
/// fewer frames, never old ones.
package struct LiveLoop<Screen: LiveScreen> {
  private var screen: Screen
  private let options: LiveOptions
  private let wakePipe: WakePipe
  private let device: TerminalDevice
  private let signals: Int32

  private var keys: KeyReader
  private var questions: TerminalQueries
  private var pace = FramePace()
  private var receipts = FrameReceipts()

  /// Whether the screen is on the terminal; otherwise the process is in the background.
  private var isEntered = false
  /// Whether the terminal has been sent all that shows the alternate screen: only that one may be blanked.
  private var isShown = false
  private var size: ScreenSize
  /// The frame that the terminal shows; nil if unknown.
  private var shown: Frame?
  private var shownColors: ScreenColors?
  private var isMouseOn = false
  /// The user's, until changed by a key.
  private var palette: Palette
  /// The pending output, and how much of it has been sent.
  private var output: [UInt8] = []
  private var sent = 0

  // Times are nanoseconds of the monotonic clock.
  private var enteredAt: Int64 = 0
  private var lastByteAt: Int64 = 0
  /// The longest time that the terminal has taken to answer; until it has, an assumed maximum.
  private var delay: Int64 = 500_000_000
  /// The last clock second reported to the screen.
  private var lastSecond: Int64
  /// The wall clock time of the last round.
  private var lastRound: Int64

  /// Runs the screen until it ends. Blocks the thread.
  ///
  /// - Returns: How it ended, with the terminal restored. For a signal, the caller ends the process with
  ///   `LiveEnding.end`.
  package static func run(
    _ screen: Screen, wokenBy wakePipe: WakePipe, options: LiveOptions
  ) throws(LiveProblem) -> LiveEnding {
    var loop = try LiveLoop(screen, wakePipe, options)
    defer { loop.close() }
    return loop.run()
  }

  private init(_ screen: Screen, _ wakePipe: WakePipe, _ options: LiveOptions) throws(LiveProblem) {
    device = try TerminalDevice()
    var signals: Int32 = -1
    let problem = terminal_watch_signals(&signals)
    guard problem == 0 else {
      device.close()
      throw .noSignals(String(cString: strerror(problem)))
    }
    self.signals = signals
    self.screen = screen
    self.wakePipe = wakePipe
    self.options = options
    palette = options.palette
    keys = KeyReader(escapeNanoseconds: options.isRemote ? 100_000_000 : 25_000_000)
    questions = TerminalQueries(environment: options.environment)
    size = device.size ?? ScreenSize(columns: 80, rows: 24)
    lastSecond = options.now().nanoseconds / LiveClock.second
    lastRound = LiveClock.wall
  }

  private func close() {
    terminal_unwatch_signals()
    device.close()
  }

  private mutating func run() -> LiveEnding {
    terminal_prepare_thread()
    let modes = ScreenModes(environment: options.environment)
    let leaving = modes.blanking + modes.leaving
    guard terminal_prepare_leaving(device.descriptor, leaving, leaving.count, modes.blanking.count) == 0,
      terminal_keep_settings(device.descriptor) == 0
    else { return .terminalGone }
    enter()
    while true {
      guard let ending = round() else { continue }
      if ending != .terminalGone {
        if isEntered { leave() }
        return ending
      }
      // Nothing can be written any more. The signal that explains it may arrive just after.
      terminal_set_screen(TERMINAL_SCREEN_LEFT)
      _ = terminal_restore_settings(device.descriptor)
      return LiveEnding(signals: terminal_take_signals()) ?? .terminalGone
    }
  }

  /// Paints what is due, waits, and handles what has arrived. Returns an ending if the screen ends.
  private mutating func round() -> LiveEnding? {
    paint()
    guard flush() else { return .terminalGone }

    var waited = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakePipe.readable, events: Int16(POLLIN), revents: 0),
      // In the background use a negative descriptor, which is skipped: reading would stop the process.
      pollfd(
        fd: isEntered ? device.descriptor : -1, events: Int16(POLLIN) | (output.isEmpty ? 0 : Int16(POLLOUT)),
        revents: 0),
    ]
    _ = poll(&waited, nfds_t(waited.count), timeout)

    if let ending = handleSignals() { return ending }
    if isEntered, waited[2].revents & ~Int16(POLLOUT) != 0, let ending = handleTerminalInput() { return ending }
    if let ending = handleTimeouts() { return ending }
    if waited[1].revents != 0 {
      wakePipe.take()
      if let ending = tell(.news, .data) { return ending }
    }
    return handleClock()
  }

  // MARK: - Painting

  private mutating func paint() {
    let now = LiveClock.monotonic
    guard isEntered, output.isEmpty, let due = pace.due, due <= now, mayPaint(at: now),
      receipts.allowFrame(at: now)
    else { return }
    // SIGSTOP is not announced, and afterwards the shell may have the terminal.
    guard device.isForeground else { return stepBack() }
    let picture = screen.picture(in: size, at: options.now())
    let glyphs = GlyphSet(options.glyphs, traits: questions.traits, environment: options.environment)
    let colors = ScreenColors(palette: palette, traits: questions.traits, environment: options.environment)
    let frame = Frame(size: size, lines: picture.lines, cursor: picture.cursor, glyphs: glyphs)
    pace.painted(at: now)
    let diff = FrameDiff(colors: colors, hasLinks: Hyperlink.areShown(environment: options.environment))
    let bytes = diff.bytes(from: shownColors == colors ? shown : nil, to: frame)
    (shown, shownColors) = (frame, colors)
    guard !bytes.isEmpty else { return }
    output += bytes
    if questions.traits.answers, receipts.areAsked {
      output += TerminalQueries.readiness.utf8
      receipts.sent(at: now)
    }
  }

  /// Returns whether a frame may be painted. The first one briefly waits for the terminal's answers, which it depends
  /// on and most terminals give at once; the second waits until all have arrived.
  private func mayPaint(at now: Int64) -> Bool {
    questions.isOver || shown == nil && now >= enteredAt + LiveClock.firstFrame
  }

  /// Sends as much as the terminal accepts. Returns false if it is gone.
  private mutating func flush() -> Bool {
    guard isEntered, !output.isEmpty else { return true }
    guard let count = device.write(output[sent...]) else { return false }
    sent += count
    // The modes are the first bytes since entering.
    if !isShown, sent >= ScreenModes(environment: options.environment).entering.count {
      isShown = true
      terminal_set_screen(TERMINAL_SCREEN_SHOWN)
    }
    if sent == output.count { (output, sent) = ([], 0) }
    return true
  }

  /// The milliseconds until something is due, at most until the next second.
  private var timeout: Int32 {
    let now = LiveClock.monotonic
    var wait = LiveClock.second - options.now().nanoseconds % LiveClock.second
    if !isEntered { wait = min(wait, LiveClock.second / 4) }
    if let patience = keys.patience { wait = min(wait, lastByteAt + patience - now) }
    if isEntered, !questions.isOver { wait = min(wait, enteredAt + TerminalQueries.nanoseconds - now) }
    if isEntered, output.isEmpty, var due = pace.due {
      if !questions.isOver {
        due = shown == nil ? max(due, enteredAt + LiveClock.firstFrame) : enteredAt + TerminalQueries.nanoseconds
      }
      if let deadline = receipts.deadline { due = max(due, deadline) }
      wait = min(wait, max(due, now) - now)
    }
    // Rounded up, as a round that is too early would repeatedly find nothing to do.
    return Int32(clamping: (max(wait, 0) + 999_999) / 1_000_000)
  }

  // MARK: - Entering and leaving

  private mutating func enter() {
    _ = terminal_make_raw(device.descriptor)
    terminal_set_screen(TERMINAL_SCREEN_ENTERED)
    (isEntered, isShown) = (true, false)
    size = device.size ?? size
    _ = screen.handle(.resized(size), at: options.now())
    (shown, sent) = (nil, 0)
    receipts.forget()
    output = ScreenModes(environment: options.environment).entering
    if isMouseOn { output += ScreenModes.mouse(isOn: true) }
    // Asked only once. It is rare that the session moves to another terminal, and that shows the same picture.
    if enteredAt == 0 {
      output += questions.bytes
      keys.isExpectingReply = true
    }
    enteredAt = LiveClock.monotonic
    pace.isFocused = true
    pace.want(.key)
  }

  /// Leaves the screen to another process that has the terminal by now: nothing more is written.
  private mutating func stepBack() {
    (isEntered, isShown) = (false, false)
    terminal_set_screen(TERMINAL_SCREEN_LEFT)
    (output, sent) = ([], 0)
  }

  /// Leaves the screen. If the terminal answers queries, waits until none of its answers is on its way.
  private mutating func leave() {
    let modes = ScreenModes(environment: options.environment)
    // A signal while the terminal is heard below must not blank the user's own screen, nor may this, if one has left it.
    let wasShown = terminal_set_screen(TERMINAL_SCREEN_ENTERED) == TERMINAL_SCREEN_SHOWN
    let leaving = (wasShown ? modes.blanking : []) + modes.leaving
    let isAnswering = questions.traits.answers || !questions.isOver
    send(leaving + (isAnswering ? Array(TerminalQueries.fence.utf8) : []))
    if isAnswering {
      let end = LiveClock.monotonic + max(LiveClock.leaving, min(2 * delay, 2 * LiveClock.second))
      hearing: while LiveClock.monotonic < end {
        device.wait(for: Int16(POLLIN), milliseconds: Int32(clamping: (end - LiveClock.monotonic) / 1_000_000 + 1))
        switch device.read() {
        case .bytes(let bytes):
          for input in bytes.flatMap({ keys.feed($0) }) {
            guard input == .reply(.attributes) else { continue }
            // If the screen is left at once, the initial answer may still be on its way.
            if questions.isOver { break hearing }
            _ = questions.take(.attributes)
          }
        case .nothing: break
        case .gone: break hearing
        }
      }
    }
    terminal_set_screen(TERMINAL_SCREEN_LEFT)
    (isEntered, isShown) = (false, false)
    _ = terminal_restore_settings(device.descriptor)
    (output, sent, shown) = ([], 0, nil)
  }

  /// Sends all bytes, waiting for the terminal for a fifth of a second at most.
  private func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    for _ in 0..<10 {
      guard let count = device.write(rest) else { return }
      rest = rest.dropFirst(count)
      if rest.isEmpty { return }
      device.wait(for: Int16(POLLOUT), milliseconds: 20)
    }
  }

  // MARK: - Handling input

  /// Passes an event to the screen, and carries out the resulting effects.
  private mutating func tell(_ event: LiveEvent, _ reason: FramePace.Reason) -> LiveEnding? {
    let outcome = screen.handle(event, at: options.now())
    for effect in outcome.effects {
      switch effect {
      case .copy(let text): output += TerminalMessage.copy(text) ?? []
      case .bell: output.append(0x07)
      case .notify(let title, let body):
        output += TerminalMessage.notification(
          title: title, body: body, version: questions.traits.version, environment: options.environment)
      }
    }
    // In the background nothing is written, and later it would be too late.
    if !isEntered { output = [] }
    if outcome.isChanged { pace.want(reason) }
    pace.isLineOpen = screen.isLineOpen
    return outcome.isEnd ? .quit : nil
  }

  private mutating func handleTerminalInput() -> LiveEnding? {
    switch device.read() {
    case .bytes(let bytes):
      lastByteAt = LiveClock.monotonic
      for byte in bytes {
        for input in keys.feed(byte) {
          if let ending = handle(input) { return ending }
        }
      }
      return nil
    case .nothing: return nil
    case .gone: return .terminalGone
    }
  }

  private mutating func handle(_ input: TerminalInput) -> LiveEnding? {
    switch input {
    case .key(let key):
      if key == .control("l") {
        shown = nil
        pace.want(.key)
        return nil
      }
      if screen.isLineOpen { return tell(.key(key), .key) }
      // If the user wants no colours at all, the key does not turn them on.
      if key.asCommand == "C" {
        guard options.palette.isColored else { return tell(.colorsSwitched(nil), .key) }
        palette = palette.next
        pace.want(.key)
        return tell(.colorsSwitched(palette), .key)
      }
      if key.asCommand == "m" {
        isMouseOn.toggle()
        output += ScreenModes.mouse(isOn: isMouseOn)
        return tell(.mouseSwitched(isMouseOn), .key)
      }
      return tell(key.asCommand.map(LiveEvent.key) ?? .hangulIsOn, .key)
    case .paste(let text):
      return screen.isLineOpen ? tell(.paste(text), .key) : nil
    case .mouse(let event):
      return isMouseOn ? tell(.mouse(event), .key) : nil
    case .focus(let isFocused):
      pace.isFocused = isFocused
      if isFocused { pace.want(.key) }
      return nil
    case .reply(.ready):
      if let took = receipts.received(at: LiveClock.monotonic) { delay = max(delay, took) }
      return nil
    case .reply(let reply):
      if reply == .attributes { delay = LiveClock.monotonic - enteredAt }
      if questions.take(reply) { pace.want(.key) }
      keys.isExpectingReply = !questions.isOver
      return nil
    }
  }

  /// Ends pending input that timed out.
  private mutating func handleTimeouts() -> LiveEnding? {
    let now = LiveClock.monotonic
    if isEntered, !questions.isOver, now >= enteredAt + TerminalQueries.nanoseconds {
      questions.giveUp()
      keys.isExpectingReply = false
      pace.want(.key)
    }
    guard let patience = keys.patience, now >= lastByteAt + patience else { return nil }
    for input in keys.expire() {
      if let ending = handle(input) { return ending }
    }
    return nil
  }

  private mutating func handleClock() -> LiveEnding? {
    let wall = LiveClock.wall
    defer { lastRound = wall }
    if !isEntered, device.isForeground { enter() }
    // The loop runs at least once a second.
    if wall - lastRound > 5 * LiveClock.second, let ending = tell(.awoke, .key) { return ending }
    let second = options.now().nanoseconds / LiveClock.second
    guard second != lastSecond else { return nil }
    lastSecond = second
    return tell(.second, .data)
  }

  private mutating func handleSignals() -> LiveEnding? {
    var came = terminal_take_signals()
    // Whatever ran after SIGSTOP may have left the screen.
    if came & TERMINAL_SIGNAL_CONTINUE != 0 { isShown = false }
    if let ending = LiveEnding(signals: came) { return ending }
    if came & TERMINAL_SIGNAL_STOP != 0 {
      if isEntered { leave() }
      terminal_stop_process()
      // Settings changed in the shell meanwhile are the ones to restore.
      if device.isForeground { _ = terminal_keep_settings(device.descriptor) }
      came |= terminal_take_signals() | TERMINAL_SIGNAL_CONTINUE
      if let ending = LiveEnding(signals: came) { return ending }
    }
    if came & TERMINAL_SIGNAL_CONTINUE != 0 {
      // SIGSTOP leaves the screen entered, and after `kill -CONT` the shell still has the terminal: no other signal
      // then tells when that changes.
      if device.isForeground { enter() } else { stepBack() }
      lastRound = LiveClock.wall
      if let ending = tell(.awoke, .key) { return ending }
    }
    if came & TERMINAL_SIGNAL_WINDOW != 0 {
      size = device.size ?? size
      _ = screen.handle(.resized(size), at: options.now())
      // Even if the size is unchanged: how terminals treat cells while resizing varies.
      shown = nil
      pace.want(.key)
    }
    return nil
  }
}
