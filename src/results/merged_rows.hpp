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

/// The rows of several sources as one, ascending by point id, each point once. Where it has several rows, the
/// first that came to an end of its own stands for all. Holds a buffer for each run of the sources; where
/// there are too many of them, the rows are sorted by way of a file first.
class MergedRows final : public RowCursor {
  public:
    /// \param sources  of the same sweep; they must outlive this
    /// \param spill  folder for a file, nameless and gone with the process, should rows have to be sorted
    MergedRows(const Sources& sources, const std::filesystem::path& spill);
    ~MergedRows() override;

    /// \param row  its host is an index into hosts()
    /// \throws InputError when two sources disagree about a point
    bool next(Row& row) override;

    [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_.names(); }

    /// Rows so far that another row of their point stands for.
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
    std::vector<std::size_t> heap_;   ///< runs by their next row, the least point first
    std::vector<std::size_t> group_;  ///< runs whose rows are of the point that was last given out
    HostNames hosts_;
    std::uint64_t duplicates_{0};
};

}  // namespace dse::results
