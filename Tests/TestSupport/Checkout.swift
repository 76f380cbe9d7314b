/// The project's folder.
public enum Checkout {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  /// Returns the absolute path of one of its files.
  public static func path(_ name: String) -> String { "\(root)/\(name)" }
}
