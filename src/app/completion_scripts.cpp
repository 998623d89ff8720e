// `tayra completion SHELL`: scripts that ask the program itself for what a line may be completed with.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "app/commands.hpp"
#include "app/completion.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"

namespace tayra {
namespace {

constexpr const char* bash =
    R"script(# Completion of tayra for bash. In ~/.bashrc: eval "$(tayra completion bash)"
_tayra() {
  local word glue= last=${COMP_WORDS[COMP_CWORD]} before=
  local -a words=()
  # Readline cuts words at '='.
  [[ $last == = ]] || last=$2
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$last"; do
    if [[ ${#words[@]} -gt 0 && ( -n $glue || $word == = ) ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == = ]] && glue=yes || glue=
  done
  word=${words[${#words[@]}-1]}
  [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && before=${word%=*}=
  COMPREPLY=()
  while IFS=$'\t' read -r word _; do
    if [[ $word == :files ]]; then
      compopt -o default
    else
      COMPREPLY+=("${word#"$before"}")
    fi
  done < <("${1/#~\//$HOME/}" --complete "${words[@]}" 2>/dev/null)
  if [[ ${COMPREPLY[0]} == *[=.] ]]; then compopt -o nospace; fi
}
complete -F _tayra tayra
)script";

constexpr const char* zsh = R"script(#compdef tayra
# Completion of tayra for zsh. In ~/.zshrc: source <(tayra completion zsh)
_tayra() {
  local line text
  local -a open open_shown closed closed_shown
  for line in "${(@f)$(${~words[1]} --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    text=${line%%$'\t'*}
    [[ $line == *$'\t'* ]] && line="$text  -- ${line#*$'\t'}"
    line=${line[1,COLUMNS-1]}
    if [[ $text == :files ]]; then
      _files
    elif [[ $text == *[=.] ]]; then
      open+=("$text") open_shown+=("$line")
    elif [[ -n $text ]]; then
      closed+=("$text") closed_shown+=("$line")
    fi
  done
  (( $#open )) && compadd -l -S '' -d open_shown -a open
  (( $#closed )) && compadd -l -d closed_shown -a closed
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _tayra tayra
)script";

constexpr const char* fish =
    R"script(# Completion of tayra for fish: tayra completion fish > ~/.config/fish/completions/tayra.fish
function __tayra_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$word"
        else
            echo $line
        end
    end
end
complete -c tayra -f -a '(__tayra_complete)'
)script";

const std::map<std::string, const char*> scripts{{"bash", bash}, {"fish", fish}, {"zsh", zsh}};

}  // namespace

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const auto& [name, script] : scripts) names.push_back(name);
  return names;
}

void add_completion_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "completion", "Print the script by which a shell completes commands, options, keys and names");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish (docs/install.md)")->required();
  command->callback([shell] {
    const auto found = scripts.find(*shell);
    require(found != scripts.end(), ExitCode::bad_input,
            "tayra completion " + *shell + ": " + did_you_mean(*shell, shell_names()) +
                "expected bash, zsh or fish");
    std::fputs(found->second, stdout);
  });
}

}  // namespace tayra
