#include "results/row_merger.hpp"

#include <algorithm>
#include <vector>

#include "results/columnar_writer.hpp"
#include "results/coverage_table.hpp"
#include "results/finished_columns.hpp"
#include "results/row_blocks.hpp"

namespace dse::results {
namespace {

/// Combined scan results of all sources.
struct Whole {
    IntervalSet covered;
    std::uint64_t rows{0};  ///< points that stand several times included
    std::uint64_t lost{0};
    std::size_t longest_reason{0};
};

Whole scan_all(const Sources& sources) {
    Whole whole;
    whole.covered = covered_by(sources);
    for (const auto& source : sources) {
        const Scan& found = source->scan();
        whole.rows += found.rows;
        whole.lost += found.lost;
        whole.longest_reason = std::max(whole.longest_reason, found.longest_reason);
    }
    return whole;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
}

}  // namespace

MergeSummary merge_rows(const Sources& sources, const Header& header, const std::filesystem::path& path,
                        const BlockVisitor& watch) {
    const Whole whole = scan_all(sources);
    RowBlocks blocks{sources, folder_of(path)};
    RowCounter counter{whole.covered};
    MergeSummary summary{.invalid_rows = whole.lost, .covered = whole.covered.count()};
    ColumnarWriter writer{path, header, whole.longest_reason, whole.rows};
    Table block = empty_table(header);
    while (blocks.next(block, column_chunk)) {
        writer.append(block);
        for (const std::uint64_t id : block.point_id) counter.add(id);
        summary.rows += block.rows();
        summary.failures += static_cast<std::uint64_t>(
            std::count_if(block.status.begin(), block.status.end(), space::is_failure));
        if (watch) watch(block);
    }
    summary.duplicates = blocks.duplicates();
    writer.finish(counter.ranges());
    return summary;
}

}  // namespace dse::results
