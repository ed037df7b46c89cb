#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::results {

/// The rows of one rank, appended to a file that only this rank writes; a kill at any moment costs at most
/// what was not flushed. Every row is a record with a checksum, which is what a reader believes: a flipped
/// bit costs the row that it hits.
///
/// The file appears in the folder with the first flush of something.
class ShardSink final : public ResultSink {
  public:
    /// \param folder  where shards stand; made when it is not there
    ShardSink(std::filesystem::path folder, ResultSchema schema, Provenance provenance, std::int32_t rank);
    ~ShardSink() override;

    /// \param records  each with one value for every column of the schema's points
    void write(std::span<const space::Record> records) override;
    void cover(const Coverage& coverage) override;
    void flush() override;

    /// The shard; empty before the first flush.
    [[nodiscard]] std::filesystem::path path() const;

  private:
    class Shard;
    std::unique_ptr<Shard> shard_;
};

}  // namespace dse::results
