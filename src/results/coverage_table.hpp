#pragma once

#include <cstdint>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "dse/results/result_sink.hpp"
#include "results/hdf5/file.hpp"

/// The table of a finished file with the indices of the space that it settles.
namespace dse::results {

void write_coverage(const h5::File& file, const std::vector<Coverage>& ranges);

/// Ascending; ranges with a wrong checksum are left out.
/// \throws InputError if the table cannot be read
std::vector<Coverage> read_coverage(const h5::File& file);

/// Counts the rows in each of several disjoint ranges.
class RowCounter {
  public:
    explicit RowCounter(const IntervalSet& ranges);

    /// \pre ids ascend from call to call
    void add(std::uint64_t point_id);

    [[nodiscard]] const std::vector<Coverage>& ranges() const { return ranges_; }

  private:
    std::vector<Coverage> ranges_;
    std::size_t current_{0};
};

}  // namespace dse::results
