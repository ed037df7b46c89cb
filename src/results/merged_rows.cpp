#include "results/merged_rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/row_sorter.hpp"

namespace dse::results {
namespace {

/// For the buffers of all runs together.
constexpr std::size_t buffer_budget = std::size_t{64} << 20U;
constexpr std::size_t least_buffer = std::size_t{16} << 10U;
constexpr std::size_t most_buffer = std::size_t{1} << 20U;

/// Whether the evaluation completed: such a row takes precedence over one that failed.
bool conclusive(const Row& row) {
    return !space::is_failure(row.status);
}

std::size_t count_runs(const Sources& sources) {
    std::size_t runs = 0;
    for (const auto& source : sources) runs += source->count_runs();
    return runs;
}

}  // namespace

struct MergedRows::Run {
    const RowSource* source{nullptr};
    std::unique_ptr<RowCursor> rows;
    std::vector<std::uint16_t> hosts;  ///< index into all hosts, by index into the source's
    Row row{};
    bool begun{false};
};

MergedRows::MergedRows(const Sources& sources, const std::filesystem::path& spill) {
    const std::size_t runs = count_runs(sources);
    const std::size_t buffer =
        std::clamp(buffer_budget / std::max<std::size_t>(runs, 1), least_buffer, most_buffer);
    if (runs > most_runs) {
        sorted_ = sorted_rows(sources, spill);
        add_runs(*sorted_, buffer);
    } else {
        for (const auto& source : sources) add_runs(*source, buffer);
    }
    for (std::size_t run = 0; run < runs_.size(); ++run) advance(run);
}

MergedRows::~MergedRows() = default;

void MergedRows::add_runs(RowSource& source, std::size_t buffer) {
    const std::vector<std::uint16_t> hosts = hosts_.add(source.hosts());
    for (auto& rows : source.runs(buffer)) runs_.push_back({&source, std::move(rows), hosts});
}

/// Among runs at the same point, the one that was added first comes first.
bool MergedRows::is_later(std::size_t a, std::size_t b) const {
    const std::uint64_t left = runs_[a].row.point_id;
    const std::uint64_t right = runs_[b].row.point_id;
    return left != right ? left > right : a > b;
}

void MergedRows::advance(std::size_t index) {
    Run& run = runs_[index];
    const std::uint64_t last = run.row.point_id;
    if (!run.rows->next(run.row)) return;
    if (run.begun && run.row.point_id <= last) {
        throw InputError(fmt::format("'{}' was changed while it was read", run.source->path()));
    }
    run.begun = true;
    heap_.push_back(index);
    std::push_heap(heap_.begin(), heap_.end(), [&](auto a, auto b) { return is_later(a, b); });
}

std::size_t MergedRows::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), [&](auto a, auto b) { return is_later(a, b); });
    const std::size_t run = heap_.back();
    heap_.pop_back();
    return run;
}

bool MergedRows::next(Row& row) {
    for (const std::size_t run : std::exchange(group_, {})) advance(run);
    if (heap_.empty()) return false;
    group_.push_back(pop());
    const std::uint64_t point = runs_[group_.front()].row.point_id;
    while (!heap_.empty() && runs_[heap_.front()].row.point_id == point) group_.push_back(pop());
    duplicates_ += group_.size() - 1;
    const Run& run = runs_[chosen()];
    row = run.row;
    row.host = run.hosts.at(row.host);
    return true;
}

std::size_t MergedRows::chosen() const {
    std::size_t held = group_.front();
    for (std::size_t i = 1; i < group_.size(); ++i) {
        const std::size_t next = group_[i];
        if (!conclusive(runs_[next].row)) continue;
        if (!conclusive(runs_[held].row)) {
            held = next;
            continue;
        }
        const Knowledge knowledge = compare(runs_[held].row, runs_[next].row);
        if (knowledge == Knowledge::disagree) disagree(held, next);
        if (knowledge == Knowledge::second) held = next;
    }
    return held;
}

void MergedRows::disagree(std::size_t a, std::size_t b) const {
    throw InputError(
        fmt::format("'{}' and '{}' have different answers for point {}: another dse, or another input, "
                    "made one of them",
                    runs_[a].source->path(), runs_[b].source->path(), runs_[a].row.point_id));
}

}  // namespace dse::results
