/// Texts for keys that do the same on every live screen.
package enum LoopKey {
  /// Returns the description of the `m` key.
  static func mouse(_ language: Language) -> String {
    language(
      "the mouse: click moves, a second click opens, the wheel scrolls, a title sorts",
      "마우스: 클릭 이동, 다시 클릭 열기, 휠 스크롤, 제목 정렬")
  }

  /// Returns the notice for its new state.
  static func mouseNotice(isOn: Bool, _ language: Language) -> String {
    isOn
      ? language("the mouse is on; m turns it off, to select text", "마우스 켜짐; m 끄기 (텍스트 선택)")
      : language("the mouse is off", "마우스 꺼짐")
  }

  /// Returns the notice shown if there is no page for an exchange.
  package static func pageNotice(_ exchange: String, _ language: Language) -> String {
    language("the config has no page for \(exchange)", "설정에 \(exchange) 웹페이지 없음")
  }

  static func hangulNotice(_ language: Language) -> String {
    language("한/영: Hangul input is on; ㅂ is read as q, a syllable is not", "한/영: 한글 입력 중; ㅂ은 q로 읽고, 음절은 읽지 않음")
  }
}
