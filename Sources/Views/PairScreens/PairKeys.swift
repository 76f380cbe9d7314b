import MarketData
import Terminal

/// The keys of a live view of one pair.
extension KeyText {
  private static func common(isVisit: Bool) -> [KeyText] {
    let others = [
      KeyText(
        "d c b t", ("detail chart book tape", "시세 차트 호가 체결"),
        ("the pair on all exchanges, its chart, order book, trades", "모든 거래소의 시세, 차트, 호가, 체결")),
      KeyText(
        "v f y", nil, ("feeds, favourite, copy the row, as on the screen before", "연결, 즐겨찾기, 행 복사: 앞 화면과 같음")),
      KeyText("a A", nil, ("alerts, mute them; a list has none", "알림, 알림 소리 끄기; 목록에는 없음")),
    ]
    let leaving =
      isVisit
      ? ("leave a line, a cursor, the screen", "입력, 커서, 화면에서 나가기")
      : ("leave a line, a cursor, the program", "입력, 커서, 프로그램에서 나가기")
    let end =
      isVisit
      ? KeyText("q", ("back", "뒤로"), ("leave the screen", "화면에서 나가기"))
      : KeyText("q", ("quit", "종료"), ("quit", "종료"))
    return [KeyText("Space", ("freeze", "고정"), ("freeze or resume the display", "화면 고정, 다시 시작"))]
      + (isVisit ? others : [])
      + [
        KeyText(
          "u", ("web page", "웹페이지"),
          ("the exchange's page, as a link; again: the next", "거래소 웹페이지 링크; 다시: 다음 거래소")),
        KeyText("x", ("save", "저장"), ("save as text, CSV, JSON, a chart also as SVG", "텍스트, CSV, JSON, 차트는 SVG로도 저장")),
        KeyText("Y", nil, ("copy the screen", "화면 복사")),
        KeyText("Esc", nil, leaving),
        KeyText("m", nil, ("the mouse: the wheel scrolls", "마우스: 휠 스크롤")),
        .colors,
        .redraw,
        KeyText("?", ("help", "도움말"), ("this help", "이 도움말")),
        end,
      ]
  }

  /// The key to another source, of the screens that show one or two.
  static let otherExchange = KeyText(
    "o", ("exchange", "거래소"), ("the other exchange, or both", "다른 거래소, 또는 둘 다"), isOfSeveral: true)

  /// With a single source, there is no other to switch to or to compare with.
  static func applicable(_ keys: [KeyText], for board: PairBoard) -> [KeyText] {
    board.sources.count > 1 ? keys : keys.filter { !$0.isOfSeveral }
  }

  /// Returns the bottom line with as many keys as fit; help and quit are always kept.
  static func line(_ own: [KeyText], _ settings: PairSettings, width: Int) -> StyledText {
    let (language, all) = (settings.language, common(isVisit: settings.isVisit))
    let last = all.suffix(2).map { $0.word(language) }
    let common = all.dropLast(2)
    var room = width - last.reduce(-1) { $0 + $1.width + 1 }
    let shown = Set(
      (own.filter { !$0.givesWay } + own.filter(\.givesWay) + common).filter { key in
        guard key.short != nil else { return false }
        let cells = key.word(language).width + 2
        guard cells <= room else { return false }
        room -= cells
        return true
      }.map(\.name))
    var line = StyledText("")
    for key in own + common where key.short != nil && shown.contains(key.name) { line += key.word(language) + "  " }
    for (place, word) in last.enumerated() where line.width + word.width <= width {
      line += word + StyledText(place == last.count - 1 ? "" : " ")
    }
    return line
  }

  static func help(_ own: [KeyText], _ settings: PairSettings, width: Int) -> [StyledText] {
    [StyledText(settings.language("Keys", "단축키"), .heading), StyledText("")]
      + help(own + common(isVisit: settings.isVisit), settings.language, width: width)
      + [StyledText("")]
      + TerminalText.wrapped(settings.language(reasons), cells: width - 2).map { StyledText("  " + $0, .dim) }
  }
}
