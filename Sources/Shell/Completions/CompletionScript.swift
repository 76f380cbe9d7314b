/// The shells with completion support. The scripts know no commands: they run `market complete`, which prints one
/// candidate per line with a tab and its meaning, or `:files` or `:folders`, which the shell lists itself.
package enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The shell script that completes the command lines of `market`.
  package var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
    # bash completion for market; printed by: market completions bash
    _market() {
      local line answer current=$2
      COMPREPLY=()
      # After a colon, $2 is empty.
      [[ ${COMP_WORDS[COMP_CWORD]} == : ]] && current=:
      answer=$(command market complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null) || return
      while IFS= read -r line; do
        case $line in
          :files) compopt -o default 2>/dev/null ;;
          :folders) compopt -o dirnames 2>/dev/null ;;
          ?*) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
      done <<<"$answer"
    }
    # bash 3.2 (macOS) knows neither nosort nor compopt: there, files are offered wherever nothing else fits.
    complete -o nosort -F _market market 2>/dev/null || complete -o default -F _market market

    """#

  private static let zshScript = #"""
    #compdef market
    # zsh completion for market; printed by: market completions zsh
    _market() {
      local line answer word
      local -a candidates
      answer=$(command market complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null) || return 1
      for line in ${(f)answer}; do
        case $line in
          :files | :folders)
            # What precedes an equals sign is an option or a name, unless it is a folder.
            [[ $PREFIX == *=* && ${PREFIX%%=*} != */* ]] && compset -P '*='
            if [[ $line == :files ]]; then _files; else _files -/; fi
            return ;;
          *)
            # A colon ends the word for _describe, unless it is escaped.
            word=${line%%$'\t'*}
            candidates+=("${word//:/\\:}${${line#$word}/$'\t'/:}") ;;
        esac
      done
      _describe -V 'market' candidates
    }
    if [[ $funcstack[1] == _market ]]; then _market "$@"; else compdef _market market; fi

    """#

  private static let fishScript = #"""
    # fish completion for market; printed by: market completions fish
    function __market_answer
        set -l words (commandline -opc)
        set -e words[1]
        set -l typed (commandline -ct)
        set -l meant (string unescape -- "$typed"); or set meant "$typed"
        command market complete -- $words "$meant" 2>/dev/null
    end
    function __market_complete
        for line in (__market_answer)
            switch $line
                case :files :folders
                case '*'
                    echo $line
            end
        end
    end
    complete -c market -f -k -a '(__market_complete)'
    # fish itself finds files behind `~`, in quotes and behind `=`.
    complete -c market -n '__market_answer | string match -qr "^:(files|folders)\$"' -F

    """#
}
