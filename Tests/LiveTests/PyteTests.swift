import Files
import TestSupport
import Testing

@testable import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Frames rendered by an independent terminal emulator. pyte lacks joined emoji and partly overwritten wide characters,
/// so the pictures contain neither.
@Suite(.waitsForPrograms) struct PyteTests {
  /// A Python with pyte installed; nil if there is none.
  static let python: String? = {
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
    return folders.map { "\($0)/python3" }.first { path in
      guard access(path, X_OK) == 0 else { return false }
      let process = try? TerminalProcess(path, ["-c", "import pyte"], environment: variables)
      return process?.ending() == 0
    }
  }()

  private static let variables = ["PATH", "HOME"].reduce(into: [String: String]()) { variables, name in
    variables[name] = getenv(name).map { String(cString: $0) }
  }

  private static let words = [
    "BTC/USDT", "91600.65", "+1.43", " ", "   ", "▸", "▾", "╽╿", "█████▌░░", "⣀⣤⣶⣿", "-", "…",
  ]

  @Test(.enabled(if: python != nil, "Python's pyte is not installed")) func emulatorShowsTheSameScreen() throws {
    let python = try #require(Self.python)
    var random = SeededGenerator(seed: 13)
    let diff = FrameDiff(colors: ScreenColors(scheme: .kr, depth: .indexed, ground: .dark), hasLinks: true)
    let link = try #require(Hyperlink("https://exchange.test/trade/BTC_USDT?type=spot"))
    var json = ""
    for size in [(80, 24), (60, 20), (160, 50), (3, 2)].map({ ScreenSize(columns: $0.0, rows: $0.1) }) {
      // Korean names are in a column of their own, as on the real screens.
      let names = ["비트코인", "이더리움클래식", "리플", "하나은행"]
      var lines = (0..<size.rows).map { StyledText(names[$0 % 4]) }
      var old: Frame?
      for _ in 0..<40 {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let row = Int.random(in: 0..<size.rows, using: &random)
          var line = StyledText(names[row % 4])
          while line.width < size.columns, Int.random(in: 0..<12, using: &random) > 0 {
            let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
            line = line + StyledText(word, Style.allCases[Int.random(in: 0..<Style.allCases.count, using: &random)])
          }
          if Int.random(in: 0..<6, using: &random) == 0 { line = line + StyledText(link) }
          lines[row] = line
        }
        let frame = Frame(size: size, lines: lines)
        let bytes = diff.bytes(from: old, to: frame).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let shown = frame.lines.map { "\"\($0)\"" }.joined(separator: ",")
        json += "{\"columns\":\(size.columns),\"rows\":\(size.rows),\"bytes\":\"\(bytes)\",\"lines\":[\(shown)]}\n"
        old = frame
      }
    }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(folder)/market-frames-\(getpid()).json"
    try FileSystem.writeAtomically(Array(json.utf8), to: path)
    defer { unlink(path) }
    let script = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let process = try TerminalProcess(
      python, ["\(script)/pyte-screens.py", path], environment: Self.variables.merging(["LC_ALL": "C.UTF-8"]) { $1 })
    var output: [UInt8] = []
    for _ in 0..<300 where process.ending(milliseconds: 0) == nil { output += process.read() }
    output += process.read(milliseconds: 0)
    #expect(String(decoding: output, as: UTF8.self) == "all frames are the same\r\n")
    #expect(process.ending() == 0)
  }
}
