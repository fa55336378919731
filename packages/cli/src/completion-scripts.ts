/** The completion scripts: each hands the words to `<program> __complete` and shows what comes back. */
export const completionScripts = {
  bash: (program: string) => `# bash completion for ${program}
${functionName(program)}() {
  local words=() word last=-1 value summary
  # bash splits words at "="; put --flag=value together again.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -ge 0 && ( \${words[last]} == --*= || ( $word == "=" && \${words[last]} == --* ) ) ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r value summary; do
    if [[ $value == ":files" ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    [[ \${words[last]} == --*=* ]] && value=\${value#*=}
    COMPREPLY+=("$(printf %q "$value")")
  done < <(${program} __complete -- "\${words[@]}" 2>/dev/null)
}
complete -F ${functionName(program)} ${program}
`,

  zsh: (program: string) => `#compdef ${program}
${functionName(program)}() {
  local line
  local -a offers
  while IFS= read -r line; do
    if [[ $line == ":files" ]]; then
      _files
      return
    fi
    offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(${program} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -t values ${program} offers
}
if [[ "$funcstack[1]" == "_${program}" ]]; then
  ${functionName(program)} "$@"
else
  compdef ${functionName(program)} ${program}
fi
`,

  fish: (program: string) => `# fish completion for ${program}
function ${functionName(program)}
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l offers (${program} __complete -- $words[2..-1] "$current" 2>/dev/null)
    if test "$offers[1]" = ":files"
        __fish_complete_path "$current"
    else if test (count $offers) -gt 0
        printf '%s\\n' $offers
    end
end
complete -c ${program} -f -a '(${functionName(program)})'
`,
} as const;

function functionName(program: string): string {
  return `_${program.replace(/[^a-z0-9]/gi, "_")}_complete`;
}
