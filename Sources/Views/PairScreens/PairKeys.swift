import MarketData
import Terminal

/// A key of a live view of one pair. The bottom line and the help share this table.
package struct PairKey: Sendable {
  /// The key's name in the help.
  let name: String
  /// The text in the bottom line; nil to omit it there.
  let short: (english: String, korean: String)?
  let long: (english: String, korean: String)

  init(_ name: String, _ short: (String, String)?, _ long: (String, String)) {
    self.name = name
    self.short = short.map { ($0.0, $0.1) }
    self.long = (long.0, long.1)
  }

  /// Returns the keys common to all such views.
  private static func common(isVisit: Bool) -> [PairKey] {
    let others = [
      PairKey(
        "d c b t", ("detail chart book tape", "시세 차트 호가 체결"),
        ("the pair on all exchanges, its chart, order book, trades", "모든 거래소의 시세, 차트, 호가, 체결"))
    ]
    let leaving =
      isVisit
      ? ("leave a line, a cursor, the screen", "입력, 커서, 화면에서 나가기")
      : ("leave a line, a cursor, the program", "입력, 커서, 프로그램에서 나가기")
    let end =
      isVisit
      ? PairKey("q", ("back", "뒤로"), ("leave the screen", "화면에서 나가기"))
      : PairKey("q", ("end", "끝"), ("end the program", "끝내기"))
    return [PairKey("Space", ("freeze", "고정"), ("freeze or resume the display", "화면 고정, 다시 시작"))]
      + (isVisit ? others : [])
      + [
        PairKey(
          "u", ("its page", "웹페이지"),
          ("the exchange's page, as a link; again: the next", "거래소 웹페이지 링크; 다시: 다음 거래소")),
        PairKey("x", ("save", "저장"), ("save as text, CSV, JSON, a chart also as SVG", "텍스트, CSV, JSON, 차트는 SVG로도 저장")),
        PairKey("Y", nil, ("copy the screen", "화면 복사")),
        PairKey("Esc", nil, leaving),
        PairKey("m", nil, ("the mouse: the wheel scrolls", "마우스: 휠 스크롤")),
        PairKey("C", nil, ("the colours of up and down: kr, us, cb, none", "상승·하락 색: kr, us, cb, 없음")),
        PairKey("Ctrl-L", nil, ("redraw", "화면 다시 그리기")),
        PairKey("?", ("help", "도움말"), ("this help", "이 도움말")),
        end,
      ]
  }

  /// With a single source, there is no other to switch to.
  static func some(of keys: [PairKey], for board: PairBoard) -> [PairKey] {
    board.sources.count > 1 ? keys : keys.filter { $0.name != "o" }
  }

  /// Returns the bottom line with as many keys as fit; help and quit are always kept.
  static func line(_ own: [PairKey], _ settings: PairSettings, width: Int) -> StyledText {
    let (language, common) = (settings.language, common(isVisit: settings.isVisit))
    let last = common.suffix(2).map { $0.word(language) }
    let rest = last.reduce(-1) { $0 + $1.width + 1 }
    var line = StyledText("")
    for key in own + common.dropLast(2) where key.short != nil {
      let word = key.word(language)
      guard line.width + word.width + 2 + rest <= width else { continue }
      line = line + word + StyledText("  ")
    }
    for (place, word) in last.enumerated() where line.width + word.width <= width {
      line = line + word + StyledText(place == last.count - 1 ? "" : " ")
    }
    return line
  }

  private func word(_ language: Language) -> StyledText {
    StyledText(name, .heading) + StyledText(" " + (short.map { language($0.english, $0.korean) } ?? ""), .dim)
  }

  static func help(_ own: [PairKey], _ settings: PairSettings) -> [StyledText] {
    let (language, all) = (settings.language, own + common(isVisit: settings.isVisit))
    let names = all.reduce(0) { max($0, TerminalText.width(of: $1.name)) }
    return [StyledText(language("Keys", "단축키"), .heading), StyledText("")]
      + all.map { key in
        let blanks = String(repeating: " ", count: names - TerminalText.width(of: key.name) + 2)
        return StyledText("  ") + StyledText(key.name, .heading)
          + StyledText(blanks + language(key.long.english, key.long.korean))
      }
  }
}
