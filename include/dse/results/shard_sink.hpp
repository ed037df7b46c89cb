#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::results {

/// Appends the rows of one rank to a file that only this rank writes; a kill at any moment loses at most the
/// rows not flushed yet. Every row is a record with a checksum that readers verify, so that a flipped bit
/// costs only the row that it hits.
///
/// The file is created by the first flush that has something to write.
class ShardSink final : public ResultSink {
  public:
    /// \param folder  folder of the shards; created if it does not exist
    ShardSink(std::filesystem::path folder, ResultSchema schema, Provenance provenance, std::int32_t rank);
    ~ShardSink() override;

    /// \param records  each with one value per point column of the schema
    void write(std::span<const space::Record> records) override;
    void cover(const Coverage& coverage) override;
    void flush() override;

    /// Path of the shard; empty before the first flush.
    [[nodiscard]] std::filesystem::path path() const;

  private:
    class Shard;
    std::unique_ptr<Shard> shard_;
};

}  // namespace dse::results
