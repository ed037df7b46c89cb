#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/hash.hpp"
#include "dse/config/reader.hpp"
#include "dse/config/source_text.hpp"
#include "dse/space/exec_spec.hpp"
#include "dse/symbolic/symbol_table.hpp"
#include "space/node_folder.hpp"

namespace dse::space {
namespace {

using config::Diagnostics;
using config::Node;

void read_command(const Node* node, const Node& section, ExecSpec& exec, Diagnostics& diagnostics) {
    if (node == nullptr)
        return diagnostics.error(section.location(), "exec.command",
                                 "missing: the program and its arguments");
    if (!node->is_sequence() || node->items().empty())
        return diagnostics.error(node->location(), "exec.command",
                                 "is a list: the program, then its arguments, as in [python3, answer.py]");
    for (const Node& item : node->items()) {
        if (item.is_scalar()) {
            exec.command.push_back(item.text());
        } else {
            diagnostics.error(item.location(), item.path(),
                              fmt::format("expected an argument, found {}", item.describe()));
        }
    }
}

void read_metrics(const Node* node, ExecSpec& exec, Diagnostics& diagnostics) {
    if (node == nullptr) return;
    if (!node->is_map())
        return diagnostics.error(
            node->location(), "exec.metrics",
            "is a map from what the program answers with to its unit, as in {area: mm2}");
    for (const Node::Entry& entry : node->entries()) {
        if (!symbolic::is_symbol_name(entry.key))
            diagnostics.error(entry.location, entry.value.path(),
                              fmt::format("'{}' cannot be a name", entry.key));
        exec.metrics.push_back({entry.key, entry.value.text().empty() ? "1" : entry.value.text()});
    }
}

void read_input(const Node* node, ExecSpec& exec, Diagnostics& diagnostics) {
    if (node == nullptr || node->text() == "lines") return;
    exec.input = ExecInput::arguments;
    if (node->text() != "arguments")
        diagnostics.error(node->location(), "exec.input",
                          fmt::format("'{}' is neither lines nor arguments", node->text()));
}

/// Warns about scripts that are not there: the program would fail at every point.
void warn_of_missing_scripts(const Node* command, const ExecSpec& exec, Diagnostics& diagnostics) {
    constexpr std::array<std::string_view, 6> endings{".py", ".sh", ".jl", ".R", ".pl", ".js"};
    if (command == nullptr) return;
    for (const Node& item : command->items()) {
        const auto ends = [&](std::string_view ending) { return item.text().ends_with(ending); };
        std::error_code ignored;
        const bool is_missing =
            std::any_of(endings.begin(), endings.end(), ends) &&
            !std::filesystem::exists(std::filesystem::path{exec.folder} / item.text(), ignored);
        if (is_missing)
            diagnostics.warning(item.location(), item.path(),
                                fmt::format("there is no file '{}' in the sweep's folder", item.text()));
    }
}

void note_files(ExecSpec& exec) {
    for (const std::string& part : exec.command) {
        const std::filesystem::path path = std::filesystem::path{exec.folder} / part;
        std::error_code ignored;
        if (part.empty() || !std::filesystem::is_regular_file(path, ignored)) continue;
        exec.files.push_back(fmt::format("{} {}", part, to_string(digest(config::read_text(path.string())))));
    }
}

}  // namespace

ExecSpec read_exec(const Node& node, Diagnostics& diagnostics) {
    ExecSpec exec;
    if (!node.is_map()) {
        diagnostics.error(node.location(), node.path(), "'exec' is a map with 'command'");
        return exec;
    }
    config::Reader reader(node, nullptr, diagnostics);
    read_command(reader.take("command"), node, exec, diagnostics);
    read_input(reader.take("input"), exec, diagnostics);
    read_metrics(reader.take("metrics"), exec, diagnostics);
    reader.optional("time_limit", exec.time_limit, config::not_negative, "of one point; 0 s for no limit");
    reader.finish();
    exec.folder = folder_of(node);
    note_files(exec);
    warn_of_missing_scripts(node.find("command"), exec, diagnostics);
    return exec;
}

}  // namespace dse::space
