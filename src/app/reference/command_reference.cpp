#include "app/reference/command_reference.hpp"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>

#include "app/catalogue.hpp"
#include "app/command.hpp"

namespace dse::app {
namespace {

std::string argument_of(const CLI::Option& option) {
    if (!option.get_positional()) return {};
    const std::string type = option.get_type_name();
    return type.empty() || type == "TEXT" ? option.get_name(true) : type;
}

OptionReference reference_of(const CLI::Option& option) {
    OptionReference found;
    for (const std::string& name : option.get_snames()) found.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) found.names.push_back("--" + name);
    found.argument = argument_of(option);
    if (option.get_type_size() != 0 && found.argument.empty()) found.value = option.get_type_name();
    found.description = option.get_description();
    found.standard = option.get_default_str();
    found.required = option.get_required();
    return found;
}

CommandReference reference_of(const CLI::App& app, std::string name, std::string description) {
    CommandReference found{std::move(name), std::move(description), {}, {}};
    for (const CLI::Option* option : app.get_options()) found.options.push_back(reference_of(*option));
    for (const CLI::App* part : app.get_subcommands({}))
        found.parts.push_back(
            reference_of(*part, found.name + " " + part->get_name(), part->get_description()));
    return found;
}

bool is_word(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_' || c == '-';
    });
}

std::vector<std::string> alternatives(const std::string& text) {
    std::vector<std::string> words;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t bar = std::min(text.find('|', begin), text.size());
        const std::string word = text.substr(begin, bar - begin);
        if (is_word(word)) words.push_back(word);
        begin = bar + 1;
    }
    return words;
}

/// What `dse list` lists of a family; of none the names of the families.
std::vector<std::string> listed_names(std::string_view family) {
    static const std::vector<Family> families = catalogue();
    std::vector<std::string> names;
    for (const Family& one : families) {
        if (family.empty()) names.push_back(one.name);
        if (one.name != family) continue;
        for (const Entry& entry : one.entries) names.push_back(entry.name);
    }
    return names;
}

}  // namespace

std::vector<CommandReference> command_reference() {
    std::vector<CommandReference> references;
    for (const Command& command : commands()) {
        CLI::App app{command.description, command.name};
        const Action unused = command.declare(app);  // keeps the variables of the options alive
        references.push_back(reference_of(app, command.name, command.description));
    }
    return references;
}

Offer offer_of(const OptionReference& option) {
    const std::string& text = option.argument.empty() ? option.value : option.argument;
    Offer offer;
    offer.words = alternatives(text.substr(0, text.find(':')));  // behind it CLI11 lists the choices again
    if (text == "FAMILY") offer.words = listed_names("");
    for (const std::string& name : option.names) {
        if (name == "--device") offer.words = listed_names("devices");
        if (name == "--system" || name == "--cluster") offer.words = listed_names("clusters");
    }
    offer.files = text.find('.') != std::string::npos || text.starts_with("DIR") ||
                  text.starts_with("FILE") || text == "PREFIX" || text == "PROGRAM";
    return offer;
}

}  // namespace dse::app
