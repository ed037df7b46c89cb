#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/log/append_file.hpp"
#include "results/log/log_reader.hpp"
#include "results/row_source.hpp"
#include "results/shard_records.hpp"

namespace dse::results {

/// A log of rows as of the time it was opened: its process may still be appending to it.
class ShardSource final : public RowSource {
  public:
    /// \param path   the file to read
    /// \param shown  the name in messages
    /// \throws InputError if it is not a log of rows, or both copies of its header are damaged
    ShardSource(std::filesystem::path path, std::string shown);

    /// \param file  kept open as long as the source
    ShardSource(AppendFile file, std::string shown);

    /// Marks that the log was made from a file without a valid seal.
    void mark_unsealed() { header_.header.unsealed = true; }

    [[nodiscard]] const std::string& path() const override { return shown_; }
    [[nodiscard]] const Header& header() const override { return header_.header; }
    [[nodiscard]] const std::vector<std::string>& hosts() const override { return header_.hosts; }
    [[nodiscard]] const Scan& scan() override;
    [[nodiscard]] std::size_t count_runs() override { return scan().runs; }
    [[nodiscard]] std::vector<std::unique_ptr<RowCursor>> runs(std::size_t buffer) override;
    [[nodiscard]] std::unique_ptr<RowCursor> rows_as_written(std::size_t buffer) const override;

  private:
    void read_all();

    std::optional<AppendFile> kept_;
    std::filesystem::path path_;
    std::string shown_;
    std::uint64_t size_;
    LogHeader header_;
    std::uint64_t salt_{0};
    std::optional<Scan> scan_;
    std::vector<FileRange> runs_;
};

/// \throws InputError if it is not a shard, or cannot be opened
std::unique_ptr<ShardSource> open_shard(const std::filesystem::path& path);

}  // namespace dse::results
