#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/catalogue.hpp"
#include "app/command.hpp"
#include "app/json_output.hpp"
#include "app/text_table.hpp"
#include "dse/base/nearest.hpp"

namespace dse::app {
namespace {

struct ListOptions {
    std::string family;
    bool json{false};
};

std::vector<std::string> family_names(const std::vector<Family>& families) {
    std::vector<std::string> names;
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
            fmt::format("nothing is listed as '{}'{}", name, suggestion(name, family_names(families))));
    }
    return {*found};
}

constexpr std::size_t line_width = 100;

/// The first names of a family, as many as fit into a line.
std::string first_names(const Family& family) {
    std::string names;
    for (const Entry& entry : family.entries) {
        if (names.size() + entry.name.size() > line_width / 2) return names + ", …";
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
    std::cout << table.text(2) << "dse list FAMILY names all of one, with what they are\n";
}

void print_text(const std::vector<Family>& families) {
    for (const Family& family : families) {
        TextTable table;
        table.add_column("", TextTable::Align::left);
        table.add_column("", TextTable::Align::left);
        for (const Entry& entry : family.entries) table.add_row({entry.name, entry.description});
        std::cout << fmt::format("{}: {}\n{}", family.name, family.description, table.text(2));
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

ExitCode list(const ListOptions& options) {
    const std::vector<Family> families = chosen(options.family);
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
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return list(*options); };
}

}  // namespace dse::app
