#include "dse/results/merge.hpp"

#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "results/row_merger.hpp"

namespace dse::results {
namespace {

void require_same_sweep(const RowSource& first, const RowSource& other) {
    const std::vector<std::string> lines = differences(first.header().schema, other.header().schema);
    if (lines.empty()) return;
    throw InputError(fmt::format("'{}' and '{}' hold different sweeps:\n  {}", first.path(), other.path(),
                                 fmt::join(lines, "\n  ")));
}

}  // namespace

MergeSummary merge_files(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output) {
    if (inputs.empty()) throw InputError("nothing to merge: no results file is named");
    if (std::filesystem::exists(output)) {
        throw InputError(fmt::format("cannot write '{}': it exists already", output.string()));
    }
    std::vector<std::unique_ptr<RowSource>> sources;
    for (const std::filesystem::path& input : inputs) {
        sources.push_back(open_finished(input));
        require_same_sweep(*sources.front(), *sources.back());
    }
    return merge_rows(sources, sources.front()->header(), output);
}

}  // namespace dse::results
