#pragma once

#include <string>
#include <vector>

namespace dse::app {

/// One option or argument of a command, as its parser has it.
struct OptionReference {
    std::vector<std::string> names;  ///< "-o", "--output"; of an argument none
    std::string argument;            ///< what it is called where it stands by itself: "SWEEP.yaml"
    std::string value;               ///< what follows an option; empty of a flag
    std::string description;
    std::string standard;  ///< what it is where it is not given; may be empty
    bool required{false};
};

/// One command with everything that can be written after it.
struct CommandReference {
    std::string name;  ///< "et check"
    std::string description;
    std::vector<OptionReference> options;
    std::vector<CommandReference> parts;  ///< "et" has "info", "check", …
};

/// Every command, from the declarations that parse them.
std::vector<CommandReference> command_reference();

/// What a shell offers after an option or as an argument.
struct Offer {
    bool files{false};
    std::vector<std::string> words;  ///< of "all|classes", and of the families of `dse list`
};

Offer offer_of(const OptionReference& option);

}  // namespace dse::app
