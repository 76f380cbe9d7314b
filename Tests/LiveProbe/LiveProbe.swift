import Live
import Quotes
import Synchronization
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A live screen for tests that shows what happens to it.
///
/// `LiveProbe [MILLISECONDS]`: the interval at which a feed has news. The loop runs as in the program, on a thread that
/// blocks all signals.
@main enum LiveProbe {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGABRT, endSlowly)
    let milliseconds = CommandLine.arguments.dropFirst().first.flatMap(UInt32.init)
    start { work(newsEvery: milliseconds) }
    while true { pause() }
  }

  private static func work(newsEvery milliseconds: UInt32?) {
    guard let wakePipe = WakePipe() else { exit(70) }
    if let milliseconds {
      start {
        while true {
          usleep(milliseconds * 1000)
          counter.add(1, ordering: .relaxed)
          wakePipe.wake()
        }
      }
    }
    let options = LiveOptions(
      palette: Palette(scheme: .kr, isColored: true), environment: { name in getenv(name).map { String(cString: $0) } },
      now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(clockSeconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
      })
    do {
      switch try LiveLoop.run(ProbeScreen(), wokenBy: wakePipe, options: options) {
      case .quit: exit(0)
      case .signal(let number):
        LiveEnding.end(by: number)
        exit(71)
      case .terminalGone: exit(1)
      }
    } catch {
      print(error)
      exit(72)
    }
  }

  fileprivate static func start(_ body: @escaping @Sendable () -> Void) {
    var every = sigset_t()
    var before = sigset_t()
    sigfillset(&every)
    pthread_sigmask(SIG_SETMASK, &every, &before)
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(
        &thread, nil,
        {
          Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body()
          return nil
        }, box)
    #else
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        {
          if let box = $0 { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
          return nil
        }, box)
    #endif
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// The number of times the feed had news.
private let counter = Atomic(0)

/// Takes its time, like a handler that writes a crash report.
private func endSlowly(_ number: Int32) {
  usleep(300_000)
  signal(number, SIG_DFL)
  raise(number)
}

private struct ProbeScreen: LiveScreen {
  private var editor: LineEditor?
  private var last = "-"
  private var seconds = 0

  var isLineOpen: Bool { editor != nil }

  mutating func handle(_ event: LiveEvent, at now: Instant) -> LiveOutcome {
    switch event {
    case .key(let key): return handle(key)
    case .paste(let text):
      editor?.insert(text)
    case .hangulIsOn: last = "hangul"
    case .mouse(let event): last = "mouse \(event.place.column) \(event.place.row)"
    case .colorsSwitched(let palette): last = palette.map { "colours \($0.scheme.rawValue)" } ?? "no colours"
    case .mouseSwitched(let isOn): last = isOn ? "mouse on" : "mouse off"
    case .awoke: last = "awoke"
    case .second: seconds += 1
    case .news, .resized: break
    }
    return .changed
  }

  private mutating func handle(_ key: Key) -> LiveOutcome {
    if editor != nil {
      switch key.code {
      case .escape, .enter: editor = nil
      default: _ = editor?.handle(key)
      }
      return .changed
    }
    last = "key \(key.character.map(String.init) ?? "\(key.code)")"
    switch key {
    case "q": return .end
    case "/": editor = LineEditor()
    case "t": fatalError("the trap that was asked for")
    case "T": LiveProbe.start { abort() }
    case "y": return LiveOutcome(effects: [.copy("copied")])
    default: break
    }
    return .changed
  }

  func picture(in size: ScreenSize, at now: Instant) -> LivePicture {
    var lines = [
      StyledText("probe \(size.columns)x\(size.rows) 비트코인 ┃█…", .heading), StyledText("last: \(last)", .up),
      StyledText("news <\(counter.load(ordering: .relaxed))>"),
    ]
    while lines.count < size.rows - 1 { lines.append("") }
    guard let editor, size.rows > 3 else { return LivePicture(lines: lines + ["bottom"]) }
    let shown = editor.visible(cells: size.columns - 2)
    return LivePicture(
      lines: lines + [StyledText("/ \(shown.text)")], cursor: ScreenPlace(column: 2 + shown.cursor, row: size.rows - 1))
  }
}
