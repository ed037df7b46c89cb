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

void print_text(const std::vector<Family>& families) {
    for (const Family& family : families) {
        TextTable table;
        table.add_column("", TextTable::Align::left);
        table.add_column("", TextTable::Align::left);
        for (const Entry& entry : family.entries) table.add_row({entry.name, entry.description});
        std::cout << fmt::format("{}: {}\n{}{}", family.name, family.description, table.text(2),
                                 families.size() > 1 ? "\n" : "");
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
    } else {
        print_text(families);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_list(CLI::App& app) {
    const auto options = std::make_shared<ListOptions>();
    app.add_option("family", options->family, "only this: devices, clusters, models, samplers, …")
        ->type_name("FAMILY");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return list(*options); };
}

}  // namespace dse::app
