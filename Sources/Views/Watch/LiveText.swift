import Quotes
package import Terminal

/// Texts that are the same on every live screen.
package enum LiveText {
  /// The key for the mouse, on the screens of `watch`.
  static let mouse = KeyText(
    "m", nil,
    (
      "the mouse: click moves, again opens; wheel scrolls; a title sorts",
      "마우스: 클릭 이동, 다시 클릭 열기, 휠 스크롤, 제목 정렬"
    ))

  /// Returns the picture of a screen too small for any other; nil if it is large enough.
  static func tooSmall(_ size: ScreenSize, _ language: Language) -> WatchFrame? {
    let (columns, rows) = (ScreenSize.smallest.columns, ScreenSize.smallest.rows)
    guard size.columns < columns || size.rows < rows else { return nil }
    let needed = StyledText(language("\(columns)x\(rows) needed", "최소 \(columns)x\(rows)"), .alert)
    let found = StyledText(
      language(", this is \(size.columns)x\(size.rows)", ", 현재 \(size.columns)x\(size.rows)"), .alert)
    return WatchFrame(
      top: [needed.width + found.width > size.columns ? needed : needed + found], body: [], bottom: [], size)
  }

  /// Returns the mark of a replay, with blanks before it; empty for live data.
  static func replay(_ isReplay: Bool, _ language: Language) -> StyledText {
    StyledText(isReplay ? language("  replay", "  재생") : "", .warning)
  }

  /// Returns the line about a frozen display.
  ///
  /// - Parameters:
  ///   - time: the moment it shows, and as shown to the reader.
  ///   - waiting: how many changes it does not show.
  static func frozen(
    since time: (moment: Instant, text: String), at now: Instant, waiting: some BinaryInteger, _ language: Language
  ) -> StyledText {
    let age = max(0, now.nanoseconds(since: time.moment)) / Instant.second
    return StyledText(
      language(
        "FROZEN \(time.text)  \(age)s ago, \(waiting == 1 ? "1 change waits" : "\(waiting) changes wait")   Space resumes",
        "고정 \(time.text)  \(age)초 전, 변경 \(waiting)건 대기   Space 다시 시작"), .warning)
  }

  /// Returns what is said about an event that changes something beside the screen; nil for any other.
  package static func notice(of event: LiveEvent, _ language: Language) -> String? {
    switch event {
    case .hangulIsOn:
      language("한/영: Hangul input is on; ㅂ is read as q, a syllable is not", "한/영: 한글 입력 중; ㅂ은 q로 읽고, 음절은 읽지 않음")
    case .mouseSwitched(true): language("the mouse is on; m turns it off, to select text", "마우스 켜짐; m 끄기 (텍스트 선택)")
    case .mouseSwitched(false): language("the mouse is off", "마우스 꺼짐")
    case .colorsSwitched(nil): language("this screen has no colours", "색이 꺼진 화면")
    case .colorsSwitched(let palette?) where !palette.isColored: language("colours: none", "색: 없음")
    case .colorsSwitched(let palette?):
      switch palette.scheme {
      case .kr: language("colours: kr (red up, blue down)", "색: kr (상승 빨강, 하락 파랑)")
      case .us: language("colours: us (green up, red down)", "색: us (상승 초록, 하락 빨강)")
      case .cb: language("colours: cb (blue up, orange down)", "색: cb (상승 파랑, 하락 주황)")
      }
    default: nil
    }
  }

  package static func pageNotice(_ exchange: String, _ language: Language) -> String {
    language("the config has no page for \(exchange)", "설정에 \(exchange) 웹페이지 없음")
  }
}
