#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "results/host_names.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// The rows of several sources, merged in ascending order of point id, each point once. If a point has
/// several rows, the first conclusive one represents it. Holds a buffer per run of the sources; if there are
/// too many runs, the rows are sorted in a temporary file first.
class MergedRows final : public RowCursor {
  public:
    /// \param sources  of the same sweep; must outlive this object
    /// \param spill    folder for an anonymous temporary file, in case rows have to be sorted
    MergedRows(const Sources& sources, const std::filesystem::path& spill);
    ~MergedRows() override;

    /// \param row  its host is an index into hosts()
    /// \throws InputError if two sources disagree about a point
    bool next(Row& row) override;

    [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_.names(); }

    /// Number of rows so far that were replaced by another row of their point.
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }

    /// More runs than this are sorted first.
    static constexpr std::size_t most_runs = 4096;

  private:
    struct Run;
    void add_runs(RowSource& source, std::size_t buffer);
    void advance(std::size_t run);
    [[nodiscard]] std::size_t pop();
    [[nodiscard]] bool is_later(std::size_t a, std::size_t b) const;
    [[nodiscard]] std::size_t chosen() const;
    [[noreturn]] void disagree(std::size_t a, std::size_t b) const;

    std::unique_ptr<RowSource> sorted_;
    std::vector<Run> runs_;
    std::vector<std::size_t> heap_;   ///< runs by their next row, the smallest id first
    std::vector<std::size_t> group_;  ///< runs whose rows belong to the last returned point
    HostNames hosts_;
    std::uint64_t duplicates_{0};
};

}  // namespace dse::results
