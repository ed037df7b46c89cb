#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/results/result_sink.hpp"

namespace dse::results {

/// The rows of one rank, appended to a file that only this rank writes; a kill at any moment costs at most
/// what was not flushed. Every row carries a checksum, which is what a reader believes.
///
/// The file appears in the folder under its final name with the first flush of something.
class Hdf5ShardSink final : public ResultSink {
  public:
    /// \param folder  where shards stand; made when it is not there
    Hdf5ShardSink(std::filesystem::path folder, ResultSchema schema, Provenance provenance,
                  std::int32_t rank);
    ~Hdf5ShardSink() override;

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
