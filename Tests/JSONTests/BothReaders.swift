import JSON

/// The verdicts of both readers on a text: they must agree, including the error.
struct BothReaders: Equatable {
  var document: JSONSyntaxError?
  /// An error or nil for every plan.
  var scans: [JSONSyntaxError?]

  /// Plans that skip everything, that read into rows, and that read deep into the response.
  private static let plans = [
    ScanPlan(rowContainer: nil, rowPaths: [], responsePaths: []),
    ScanPlan(rowContainer: "", rowPaths: ["", "a", "a.b", "0", "-1"], responsePaths: ["a", "0.a", "-1.0"]),
    ScanPlan(rowContainer: "a", rowPaths: ["a", "b.0"], responsePaths: ["0.0.0", "b.a"]),
  ]

  init(reading bytes: [UInt8], maximumDepth: Int = 512) {
    do { _ = try JSONDocument(parsing: bytes, maximumDepth: maximumDepth) } catch { document = error }
    scans = Self.plans.map { plan in
      do throws(JSONSyntaxError) {
        _ = try plan.scan(bytes, maximumDepth: maximumDepth)
        return nil
      } catch { return error }
    }
  }

  /// Whether all readers agree.
  var agree: Bool { scans.allSatisfy { $0 == document } }
}
