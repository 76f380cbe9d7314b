/// Which row is being read.
struct RowPlace {
  var index: Int
  /// As the row spells them, once that is known: what a name template of a path is filled with.
  var asset = ""
  var payment = ""
}
