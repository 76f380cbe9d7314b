import Terminal

/// A file format for saving a live view: the key `x`, then the key of the format.
package enum SavedForm: String, Sendable, CaseIterable {
  /// The view without colors.
  case text = "txt"
  case svg, csv, json

  private var key: Character {
    switch self {
    case .text: "t"
    case .svg: "s"
    case .csv: "c"
    case .json: "j"
    }
  }

  /// Returns the format selected by a key, regardless of keyboard layout, or nil if it is not one of these.
  static func chosen(by key: Key, of forms: [SavedForm]) -> SavedForm? {
    let key = key.asCommand
    return forms.first { key?.character == $0.key }
  }

  /// `save as  t text  c CSV  j JSON   other keys: cancel`
  static func question(_ forms: [SavedForm], _ language: Language) -> String {
    let words = forms.map { form in
      "\(form.key) " + (form == .text ? language("text", "텍스트") : form.rawValue.uppercased())
    }
    return language("save as  ", "저장 형식  ") + words.joined(separator: "  ")
      + language("   other keys: cancel", "   다른 키: 취소")
  }
}

extension Report {
  func saved(as form: SavedForm) -> [UInt8] { form == .json ? json() + Array("\n".utf8) : csv() }
}

/// A live view to be written to a new file.
package struct SavedView: Sendable, Hashable {
  /// The subject, used in the file name: `watch`, `chart-BTC-USDT`.
  package let subject: String
  package let form: SavedForm
  package let bytes: [UInt8]
  /// Whether it is about the user's accounts, and so for the user alone.
  package let isPrivate: Bool

  init(_ subject: String, _ form: SavedForm, _ bytes: [UInt8], isPrivate: Bool = false) {
    // A pair's name may contain anything; a file name must not.
    let letters = subject.unicodeScalars.prefix(80).map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? Character(scalar) : "-"
    }
    self.subject = String(letters)
    self.form = form
    self.bytes = bytes
    self.isPrivate = isPrivate
  }
}
