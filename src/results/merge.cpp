#include "dse/results/merge.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/results/proof.hpp"
#include "dse/results/sweep_output.hpp"
#include "results/finished_file.hpp"
#include "results/row_merger.hpp"
#include "results/work_folder.hpp"

namespace dse::results {
namespace {

void require_same_sweep(const RowSource& first, const RowSource& other) {
    const std::vector<std::string> lines = differences(first.header().schema, other.header().schema);
    if (lines.empty()) return;
    throw InputError(fmt::format("'{}' and '{}' hold different sweeps:\n  {}", first.path(), other.path(),
                                 fmt::join(lines, "\n  ")));
}

/// In an earlier version, columns may have had another meaning.
void require_current(const RowSource& source) {
    if (is_current(source.header().version)) return;
    throw InputError(fmt::format("'{}' has results of schema version {}, which can be read, but not merged",
                                 source.path(), source.header().version));
}

/// The most advanced of the files' proofs; all of its rows are in the merged file.
std::optional<Proof> nearest_proof(std::span<const std::filesystem::path> inputs) {
    const auto distance = [](const Proof& proof) {
        return proof.course.empty() ? std::numeric_limits<double>::infinity() : proof.course.back().epsilon;
    };
    std::optional<Proof> nearest;
    for (const std::filesystem::path& input : inputs) {
        std::optional<Proof> proof = read_proof(input);
        if (proof && (!nearest || distance(*proof) < distance(*nearest))) nearest = std::move(proof);
    }
    return nearest;
}

}  // namespace

MergeSummary merge_files(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output,
                         Trust trust) {
    if (inputs.empty()) throw InputError("nothing to merge: no results file is named");
    if (std::filesystem::exists(output)) {
        throw InputError(fmt::format("cannot write '{}': it already exists", output.string()));
    }
    const WorkFolder folder{shard_folder(output)};
    if (!shards_in(folder.path()).empty()) {
        throw InputError(fmt::format("cannot write '{}': a sweep that is not finished has its rows in '{}'",
                                     output.string(), folder.path().string()));
    }
    Sources sources;
    for (const std::filesystem::path& input : inputs) {
        sources.push_back(open_finished(input, trust));
        require_current(*sources.back());
        require_same_sweep(*sources.front(), *sources.back());
    }
    Header header = sources.front()->header();
    header.unsealed = std::any_of(sources.begin(), sources.end(),
                                  [](const auto& source) { return source->header().unsealed; });
    const MergeSummary summary = merge_rows(sources, header, output, {});
    if (header.unsealed) return summary;
    if (const auto proof = nearest_proof(inputs)) write_proof(output, *proof);
    return summary;
}

}  // namespace dse::results
