/// The folder of the project.
public enum Checkout {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")

  /// The absolute path of one of its files.
  public static func path(_ name: String) -> String { "\(root)/\(name)" }
}
