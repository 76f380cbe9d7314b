/// Which row is being read.
package struct RowPlace {
  var index: Int

  package init(index: Int) {
    self.index = index
  }
  /// As the row spells them, once that is known: what a name template of a path is filled with.
  package var asset = ""
  package var payment = ""
}
