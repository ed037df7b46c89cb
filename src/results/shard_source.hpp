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

/// A log of rows as far as it was written when it was opened: the process it belongs to may still append to
/// it.
class ShardSource final : public RowSource {
  public:
    /// \param path  what is read
    /// \param shown  what messages name
    /// \throws InputError for what is no log of rows, or one whose header is damaged in both its places
    ShardSource(std::filesystem::path path, std::string shown);

    /// \param file  stays as long as the source
    ShardSource(AppendFile file, std::string shown);

    /// Says that nothing vouches for what the log was made from.
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

/// \throws InputError for what is no shard, or not one that can be opened
std::unique_ptr<ShardSource> open_shard(const std::filesystem::path& path);

}  // namespace dse::results
