#include "rewriting.hpp"

#include <filesystem>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/force.hpp"
#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_set.hpp"

namespace dse::app::et {
namespace {

void make_folder_of(const std::string& prefix) {
    const std::filesystem::path folder = std::filesystem::path{prefix}.parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
}

/// Whether both paths lead to one file, however they are written.
bool is_same_file(const std::string& from, const std::string& to) {
    std::error_code ignored;
    return to == from || std::filesystem::equivalent(from, to, ignored);
}

}  // namespace

void declare_rewriting(CLI::App& app, Rewriting& rewriting) {
    app.add_option("traces", rewriting.traces, "a trace, or PREFIX for PREFIX.0.et, PREFIX.1.et, …")
        ->required()
        ->type_name("FILE|PREFIX");
    app.add_option("-o,--output", rewriting.prefix, "PREFIX of the traces to write")
        ->required()
        ->type_name("PREFIX");
    add_force(app, rewriting.existing);
}

std::vector<RewrittenFile> rewritten_files(const Rewriting& rewriting) {
    make_folder_of(rewriting.prefix);
    std::vector<RewrittenFile> files;
    for (std::string& from : trace::chakra::trace_files(rewriting.traces)) {
        std::string to = fmt::format("{}.{}.et", rewriting.prefix, files.size());
        if (is_same_file(from, to)) throw InputError(fmt::format("'{}' would be written over itself", from));
        require_free(to, rewriting.existing);
        files.push_back({std::move(from), std::move(to)});
    }
    return files;
}

}  // namespace dse::app::et
