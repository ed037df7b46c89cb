#include "dse/results/results_reader.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/temporary_path.hpp"
#include "dse/results/sweep_output.hpp"
#include "results/finished_columns.hpp"
#include "results/finished_file.hpp"
#include "results/row_blocks.hpp"
#include "results/shard_source.hpp"

namespace dse::results {
namespace {

namespace fs = std::filesystem;

/// Shards that are just being created or damaged are skipped; the sweep itself reports them when it is
/// continued.
void add_shards(const fs::path& file, Sources& sources) {
    for (const fs::path& path : shards_in(shard_folder(file))) {
        try {
            std::unique_ptr<RowSource> shard = open_shard(path);
            const ResultSchema& schema = shard->header().schema;
            if (sources.empty() || differences(schema, sources.front()->header().schema).empty()) {
                sources.push_back(std::move(shard));
            }
        } catch (const InputError&) {
            continue;
        }
    }
}

Sources open_all(const fs::path& file, ResultsReader::Extent extent, Trust trust) {
    Sources sources;
    const bool so_far = extent == ResultsReader::Extent::so_far;
    std::error_code error;
    const bool nothing = fs::status(file, error).type() == fs::file_type::not_found;
    if (!so_far || !nothing) sources.push_back(open_finished(file, trust));
    if (so_far) add_shards(file, sources);
    if (sources.empty()) {
        throw InputError(
            fmt::format("cannot open '{}': no such file, and no sweep that writes it", file.string()));
    }
    return sources;
}

}  // namespace

class ResultsReader::State {
  public:
    State(const fs::path& file, Extent extent, Trust trust)
        : sources{open_all(file, extent, trust)},
          columns{empty_table(sources.front()->header())},
          blocks{sources, temporary_folder()} {}

    Sources sources;
    Table columns;
    RowBlocks blocks;
};

ResultsReader::ResultsReader(const fs::path& file, Extent extent, Trust trust)
    : state_{std::make_unique<State>(file, extent, trust)} {}

ResultsReader::~ResultsReader() = default;
ResultsReader::ResultsReader(ResultsReader&&) noexcept = default;

const Table& ResultsReader::columns() const {
    return state_->columns;
}

std::uint64_t ResultsReader::settled() {
    return covered_by(state_->sources).count();
}

bool ResultsReader::next(Table& block) {
    return state_->blocks.next(block, column_chunk);
}

void ResultsReader::each(const BlockVisitor& visit) {
    Table block = columns();
    while (next(block)) visit(block);
}

}  // namespace dse::results
