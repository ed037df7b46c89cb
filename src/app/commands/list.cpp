#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/catalogue.hpp"
#include "app/command.hpp"
#include "app/json_output.hpp"
#include "app/output_width.hpp"
#include "app/text_table.hpp"
#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"

namespace dse::app {
namespace {

struct ListOptions {
    std::string family;
    std::string word;
    bool json{false};
};

std::vector<std::string> family_names(const std::vector<Family>& families) {
    std::vector<std::string> names;
    names.reserve(families.size());
    for (const Family& family : families) names.push_back(family.name);
    return names;
}

std::vector<Family> chosen(const std::string& name) {
    std::vector<Family> families = catalogue();
    if (name.empty()) return families;
    const auto found =
        std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.name == name; });
    if (found == families.end()) {
        throw InputError(
            fmt::format("there is no list of '{}'{}", name, suggestion(name, family_names(families))));
    }
    return {*found};
}

/// The first names of a family, as many as fit into a line.
std::string first_names(const Family& family) {
    constexpr std::size_t beside = 20;  // columns of the family and the number
    constexpr std::size_t usual = 50;
    const std::size_t room = std::min(output_width(), beside + usual) - beside;
    std::string names;
    for (const Entry& entry : family.entries) {
        if (names.size() + entry.name.size() > room) return names.empty() ? "…" : names + ", …";
        names += (names.empty() ? "" : ", ") + entry.name;
    }
    return names;
}

/// Prints one line per family.
void print_overview(const std::vector<Family>& families) {
    TextTable table;
    for (const auto align : {TextTable::Align::left, TextTable::Align::right, TextTable::Align::left})
        table.add_column("", align);
    for (const Family& family : families)
        table.add_row({family.name, fmt::format("{}", family.entries.size()), first_names(family)});
    std::cout << table.text(2) << "dse list FAMILY shows all entries of a family, with descriptions\n";
}

void print_text(const std::vector<Family>& families) {
    for (const Family& family : families) {
        std::size_t longest = 0;
        for (const Entry& entry : family.entries) longest = std::max(longest, display_width(entry.name));
        const std::size_t column = longest + 4;
        std::string text;
        for (const Entry& entry : family.entries) {
            const std::size_t blanks = column - 2 - display_width(entry.name);
            text += "  " + entry.name;
            if (!entry.description.empty()) text += std::string(blanks, ' ') + entry.description;
            text += '\n';
        }
        std::cout << fmt::format("{}: {}\n{}", family.name, family.description,
                                 fitted_help(text, column, output_width()));
    }
}

void print_list_json(const std::vector<Family>& families) {
    Json json = json_object();
    Json& rows = json["rows"] = Json::array();
    for (const Family& family : families) {
        for (const Entry& entry : family.entries) {
            rows.push_back(
                Json{{"family", family.name}, {"name", entry.name}, {"description", entry.description}});
        }
    }
    print_json(json);
}

/// Removes the entries whose name and description do not contain the word, in any case of its letters.
void keep_with(const std::string& word, Family& family) {
    std::erase_if(family.entries, [&, wanted = lower_case(word)](const Entry& entry) {
        return lower_case(entry.name).find(wanted) == std::string::npos &&
               lower_case(entry.description).find(wanted) == std::string::npos;
    });
    if (family.entries.empty())
        throw InputError(
            fmt::format("none of the {} has '{}' in its name or description", family.name, word));
}

ExitCode list(const ListOptions& options) {
    std::vector<Family> families = chosen(options.family);
    if (!options.word.empty()) keep_with(options.word, families.front());
    if (options.json) {
        print_list_json(families);
    } else if (options.family.empty()) {
        print_overview(families);
    } else {
        print_text(families);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_list(CLI::App& app) {
    const auto options = std::make_shared<ListOptions>();
    app.add_option("family", options->family,
                   "what to list: devices, clusters, models, fields, metrics, …; by default an overview")
        ->type_name("FAMILY");
    app.add_option("word", options->word,
                   "only entries with this text in name or description, as in dse list fields slo")
        ->type_name("WORD");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return list(*options); };
}

}  // namespace dse::app
