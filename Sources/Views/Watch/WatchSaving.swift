import MarketData
import Quotes
package import Terminal

extension WatchState {
  /// The formats that the current screen can be saved in.
  var savedForms: [SavedForm] {
    switch screen {
    case .pairs, .pair, .row: [.text, .csv, .json]
    case .feeds, .alerts, .balances: [.text]
    }
  }

  /// Takes the key that selects the file format.
  package mutating func choose(_ key: Key) -> WatchEffect? {
    (choosesForm, message) = (false, nil)
    return SavedForm.chosen(by: key, of: savedForms).map { .save($0) }
  }

  /// Returns the screen's content: its text, or the rows of its pairs as in `show`.
  func saved(as form: SavedForm, _ board: WatchBoard, picture: String) -> SavedView {
    let reports = (screen.pair.map { [$0] } ?? visible).compactMap { board[$0]?.snapshot }.map { snapshot in
      SnapshotReport(snapshot, markets: Market.allCases, alert: board.settings.alert, isExplained: false)
    }
    let subject = if case .pair(let pair) = screen { "watch-\(pair)" } else { list == nil ? "watch" : "list" }
    switch form {
    case .csv: return SavedView(subject, form, SnapshotReport.csv(reports))
    case .json:
      let objects = reports.map { $0.json() }
      let list = Array("[".utf8) + objects.joined(separator: Array(",".utf8)) + Array("]".utf8)
      return SavedView(subject, form, (objects.count == 1 ? objects[0] : list) + Array("\n".utf8))
    case .text, .svg: return SavedView(subject, .text, Array(picture.utf8), isPrivate: screen == .balances)
    }
  }
}
