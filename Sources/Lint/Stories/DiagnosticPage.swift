import Config

/// The page `docs/diagnostics.md`, written from the stories.
package enum DiagnosticPage {
  package static func text() -> String {
    let head = """
      # What `market validate-config` reports

      Every finding has a code that stays the same. `market explain MKT021` tells its story on the terminal. This page is
      written from the same text; a test holds the two together.

      """
    let list = DiagnosticStory.all.map { "- [\($0.code.rawValue)](#\($0.code.rawValue.lowercased())): \($0.title)\n" }.joined()
    return head + "\n" + list + DiagnosticStory.all.map(section).joined()
  }

  private static func section(_ story: DiagnosticStory) -> String {
    """

    ## \(story.code.rawValue)

    **\(story.title.prefix(1).uppercased() + story.title.dropFirst()).** \(story.text)

    Wrong:

    ```json
    \(story.wrong)
    ```

    Right:

    ```json
    \(story.right)
    ```

    """
  }
}
