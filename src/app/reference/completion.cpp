#include "app/reference/completion.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dse::app {
namespace {

/// Text in single quotes, in a form that all three shells accept.
std::string in_quotes(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return result + "'";
}

/// Words that a shell can complete: the names of options, and possible values of arguments.
std::vector<std::string> words_of(const CommandReference& command) {
    std::vector<std::string> words;
    for (const OptionReference& option : command.options) {
        words.insert(words.end(), option.names.begin(), option.names.end());
        if (option.argument.empty()) continue;
        const Offer offer = offer_of(option);
        words.insert(words.end(), offer.words.begin(), offer.words.end());
    }
    for (const CommandReference& part : command.parts)
        words.push_back(part.name.substr(part.name.rfind(' ') + 1));
    return words;
}

std::string bash_values(const CommandReference& command) {
    std::string text;
    for (const OptionReference& option : command.options) {
        const Offer offer = offer_of(option);
        if (option.value.empty() || option.names.empty() || offer.words.empty()) continue;
        text += fmt::format("                {}) COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n",
                            fmt::join(option.names, "|"),
                            in_quotes(fmt::format("{}", fmt::join(offer.words, " "))));
    }
    return text;
}

/// Whether files are among a command's arguments; so they are taken to be if it has none.
bool takes_files(const CommandReference& command) {
    const auto is_argument = [](const OptionReference& option) { return option.names.empty(); };
    const auto is_file = [&](const OptionReference& option) {
        return is_argument(option) && offer_of(option).files;
    };
    return std::any_of(command.options.begin(), command.options.end(), is_file) ||
           std::none_of(command.options.begin(), command.options.end(), is_argument);
}

void add_bash_case(std::string& text, const CommandReference& command) {
    text += fmt::format("        {})\n", in_quotes(command.name));
    if (const std::string values = bash_values(command); !values.empty())
        text += "            case \"$before\" in\n" + values + "            esac\n";
    text += fmt::format("            words={}{} ;;\n",
                        in_quotes(fmt::format("{}", fmt::join(words_of(command), " "))),
                        takes_files(command) ? "" : " files=");
    for (const CommandReference& part : command.parts) add_bash_case(text, part);
}

std::vector<std::string> names_of(const std::vector<CommandReference>& commands) {
    std::vector<std::string> names;
    for (const CommandReference& command : commands) names.push_back(command.name);
    return names;
}

/// The commands that have subcommands.
std::vector<CommandReference> with_parts(const std::vector<CommandReference>& commands) {
    std::vector<CommandReference> all;
    for (const CommandReference& command : commands) {
        if (!command.parts.empty()) all.push_back(command);
    }
    return all;
}

/// "check" of "et check".
std::string own_name(const CommandReference& part) {
    return part.name.substr(part.name.rfind(' ') + 1);
}

/// What zsh does to complete a value.
std::string zsh_action(const Offer& offer) {
    if (!offer.words.empty()) return fmt::format("({})", fmt::join(offer.words, " "));
    return offer.files ? "_files" : " ";
}

std::string zsh_text(const std::string& description) {
    std::string text;
    for (const char c : description) {
        if (c == '[' || c == ']' || c == ':') text += '\\';
        text += c;
    }
    return text;
}

/// A line of zsh's _arguments.
std::string zsh_line(const std::string& specification) {
    return fmt::format("            {} \\\n", in_quotes(specification));
}

/// An option, as in '*--top[how many]:value:_files'.
std::string zsh_option(const OptionReference& option, const std::string& name) {
    std::string text = fmt::format("*{}[{}]", name, zsh_text(option.description));
    if (!option.value.empty()) text += fmt::format(":value:{}", zsh_action(offer_of(option)));
    return zsh_line(text);
}

void add_zsh_arguments(std::string& text, const CommandReference& command) {
    text += "            _arguments \\\n";
    int place = 0;
    bool ends_in_files = true;  // what follows the last argument of its own is more of the same
    for (const OptionReference& option : command.options) {
        for (const std::string& name : option.names) text += zsh_option(option, name);
        if (!option.names.empty()) continue;
        const Offer offer = offer_of(option);
        ends_in_files = offer.files;
        text += zsh_line(fmt::format("{}:{}:{}", ++place, zsh_text(option.description), zsh_action(offer)));
    }
    std::vector<std::string> parts;
    for (const CommandReference& part : command.parts) parts.push_back(own_name(part));
    if (!parts.empty()) text += zsh_line(fmt::format("1:part:({})", fmt::join(parts, " ")));
    if (ends_in_files) text += zsh_line("*:file:_files");
    text += "            ;;\n";
}

/// Behind "dse et check" the options are those of the subcommand.
void add_zsh_parts(std::string& text, const CommandReference& command) {
    text +=
        "            if ((CURRENT > 2)); then\n"
        "                local part=$words[2]\n"
        "                shift words\n"
        "                ((CURRENT--))\n"
        "                case $part in\n";
    for (const CommandReference& part : command.parts) {
        text += fmt::format("        {})\n", own_name(part));
        add_zsh_arguments(text, part);
    }
    text +=
        "                esac\n"
        "                return\n"
        "            fi\n";
}

void add_fish_option(std::string& text, const std::string& condition, const OptionReference& option) {
    const Offer offer = offer_of(option);
    std::string line = fmt::format("complete -c dse -n {}", in_quotes(condition));
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) line += offer.files ? " -r -F" : " -x";
    if (!offer.words.empty()) line += " -a " + in_quotes(fmt::format("{}", fmt::join(offer.words, " ")));
    text += line + " -d " + in_quotes(option.description) + "\n";
}

void add_fish_parts(std::string& text, const CommandReference& command, const std::string& condition) {
    std::vector<std::string> names;
    for (const CommandReference& part : command.parts) names.push_back(own_name(part));
    for (const CommandReference& part : command.parts) {
        text += fmt::format("complete -c dse -n {} -a {} -d {}\n",
                            in_quotes(fmt::format("{}; and not __fish_seen_subcommand_from {}", condition,
                                                  fmt::join(names, " "))),
                            own_name(part), in_quotes(part.description));
        const std::string chosen =
            fmt::format("{}; and __fish_seen_subcommand_from {}", condition, own_name(part));
        for (const OptionReference& option : part.options) {
            if (!option.names.empty()) add_fish_option(text, chosen, option);
        }
    }
}

}  // namespace

std::string bash_completion(const std::vector<CommandReference>& commands) {
    std::string text =
        "# Completion of dse for bash: dse completion bash > ~/.local/share/bash-completion/completions/dse\n"
        "_dse() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
        "command=${COMP_WORDS[1]} words= files=yes\n"
        "    COMPREPLY=()\n"
        "    if ((COMP_CWORD == 1)); then\n";
    text += fmt::format(
        "        COMPREPLY=($(compgen -W {} -- \"$word\") $(compgen -f -X '!*.yaml' -- \"$word\"))\n",
        in_quotes(fmt::format("{} --help --version", fmt::join(names_of(commands), " "))));
    text += "        return\n    fi\n";
    text += fmt::format(
        "    [[ {} == *\" $command \"* && COMP_CWORD -gt 2 ]] && command+=\" ${{COMP_WORDS[2]}}\"\n",
        in_quotes(fmt::format(" {} ", fmt::join(names_of(with_parts(commands)), " "))));
    text += "    case \"$command\" in\n";
    for (const CommandReference& command : commands) add_bash_case(text, command);
    return text +
           "    esac\n"
           "    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    else\n"
           "        COMPREPLY=($(compgen -W \"${words//-*([^ ])/}\" -- \"$word\"))\n"
           "        [[ -z $files ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "    fi\n"
           "}\n"
           "shopt -s extglob\n"
           "complete -o filenames -F _dse dse\n";
}

std::string zsh_completion(const std::vector<CommandReference>& commands) {
    std::string text =
        "#compdef dse\n"
        "# Completion of dse for zsh: dse completion zsh > \"${fpath[1]}/_dse\"\n"
        "_dse() {\n"
        "    local -a commands\n"
        "    commands=(\n";
    for (const CommandReference& command : commands)
        text +=
            fmt::format("        {}\n", in_quotes(fmt::format("{}:{}", command.name, command.description)));
    text +=
        "    )\n"
        "    if ((CURRENT == 2)); then\n"
        "        _describe command commands\n"
        "        _files -g '*.yaml'\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    shift words\n"
        "    ((CURRENT--))\n"
        "    case $command in\n";
    for (const CommandReference& command : commands) {
        text += fmt::format("        {})\n", command.name);
        if (!command.parts.empty()) add_zsh_parts(text, command);
        add_zsh_arguments(text, command);
    }
    return text + "        *) _files ;;\n    esac\n}\n_dse \"$@\"\n";
}

std::string fish_completion(const std::vector<CommandReference>& commands) {
    std::string text =
        "# Completion of dse for fish: dse completion fish > ~/.config/fish/completions/dse.fish\n";
    for (const CommandReference& command : commands) {
        text += fmt::format("complete -c dse -n __fish_use_subcommand -a {} -d {}\n", command.name,
                            in_quotes(command.description));
        const std::string condition = "__fish_seen_subcommand_from " + command.name;
        for (const OptionReference& option : command.options) {
            if (!option.names.empty()) add_fish_option(text, condition, option);
            const Offer offer = offer_of(option);
            if (option.names.empty() && !offer.words.empty())
                text += fmt::format("complete -c dse -n {}{} -a {}\n", in_quotes(condition),
                                    offer.files ? "" : " -f",
                                    in_quotes(fmt::format("{}", fmt::join(offer.words, " "))));
        }
        add_fish_parts(text, command, condition);
    }
    return text;
}

}  // namespace dse::app
