/// How sure a proposal is of something, as it is written.
struct ConfidenceText: CustomStringConvertible {
  private let hundredths: Int

  init(_ confidence: Double) { hundredths = Int((confidence * 100).rounded()) }

  /// `97%`, in tables and sentences alike.
  var description: String { "\(hundredths)%" }

  /// `unsure (50%)`, the reason why a field is left out.
  var unsure: String { "unsure (\(self))" }

  /// `0.97`: numbers in the program's JSON are strings.
  var decimal: String {
    "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
  }
}
