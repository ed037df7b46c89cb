#include "dse/results/hdf5_reader.hpp"

#include "dse/results/results_reader.hpp"

namespace dse::results {
namespace {

Table read_all(ResultsReader reader) {
    Table table = reader.columns();
    reader.each([&](const Table& block) {
        for (std::size_t row = 0; row < block.rows(); ++row) table.append(block, row);
    });
    return table;
}

}  // namespace

Table read_results(const std::filesystem::path& file, Trust trust) {
    return read_all({file, ResultsReader::Extent::finished, trust});
}

Table read_so_far(const std::filesystem::path& file, Trust trust) {
    return read_all({file, ResultsReader::Extent::so_far, trust});
}

}  // namespace dse::results
