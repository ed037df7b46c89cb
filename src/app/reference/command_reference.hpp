#pragma once

#include <string>
#include <vector>

namespace dse::app {

/// One option or positional argument of a command, as declared in its parser.
struct OptionReference {
    std::vector<std::string> names;  ///< "-o", "--output"; empty for a positional argument
    std::string argument;            ///< name of a positional argument: "SWEEP.yaml"
    std::string value;               ///< name of an option's value; empty for a flag
    std::string description;
    std::string standard;  ///< default value; may be empty
    bool required{false};
};

/// One command with all its options, arguments and subcommands.
struct CommandReference {
    std::string name;  ///< "et check"
    std::string description;
    std::vector<OptionReference> options;
    std::vector<CommandReference> parts;  ///< "et" has "info", "check", …
};

/// All commands, from the declarations that parse them.
std::vector<CommandReference> command_reference();

/// Completions that a shell offers for the value of an option or for an argument.
struct Offer {
    bool files{false};
    std::vector<std::string> words;  ///< of a choice like "all|classes", and the families of `dse list`
};

Offer offer_of(const OptionReference& option);

}  // namespace dse::app
