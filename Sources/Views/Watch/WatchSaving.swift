import MarketData
import Quotes
package import Terminal

/// What of a live view is saved in a new file.
extension WatchState {
  /// The forms in which what is on the screen can be saved.
  var savedForms: [SavedForm] {
    switch screen {
    case .pairs, .pair, .row: [.text, .csv, .json]
    case .feeds, .alerts, .balances: [.text]
    }
  }

  /// Takes the key that says in which form the screen is saved.
  package mutating func choose(_ key: Key) -> WatchEffect? {
    (choosesForm, message) = (false, nil)
    return SavedForm.chosen(by: key, of: savedForms).map { .save($0) }
  }

  /// The pairs that what is saved is about.
  private var savedPairs: [Pair] {
    switch screen {
    case .pair(let pair): [pair]
    case .row(let key): [key.pair]
    case .pairs, .feeds, .alerts, .balances: visible
    }
  }

  /// What is on the screen: its picture, or the rows of its pairs as `show` has them.
  func saved(as form: SavedForm, _ board: WatchBoard, picture: String) -> SavedView {
    let reports = savedPairs.compactMap { board[$0]?.snapshot }.map { snapshot in
      SnapshotReport(snapshot, markets: Market.allCases, alert: board.settings.alert, isExplained: false)
    }
    let subject = if case .pair(let pair) = screen { "watch-\(pair)" } else { list == nil ? "watch" : "list" }
    switch form {
    case .csv:
      // One table: the titles of the first stand for all.
      let tables = reports.map { $0.csv() }
      let rest = tables.dropFirst().map { $0.drop { !$0.isNewline }.dropFirst() }
      return SavedView(subject, form, Array(((tables.first ?? "") + rest.joined()).utf8))
    case .json:
      let objects = reports.map { $0.json() }
      let list = Array("[".utf8) + objects.joined(separator: Array(",".utf8)) + Array("]".utf8)
      return SavedView(subject, form, (objects.count == 1 ? objects[0] : list) + Array("\n".utf8))
    case .text, .svg: return SavedView(subject, .text, Array(picture.utf8))
    }
  }
}
