#pragma once

#include <string>

#include "dse/results/sweep_output.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {

/// Writes good.h5 with the sample records of points [0, rows). \return its bytes
inline std::string finished_file(const TemporaryFolder& folder, std::uint64_t rows) {
    const std::string file = folder.path("good.h5");
    SweepOutput output{file, sample_schema(), sample_provenance(), Start::resume, Logger{}};
    ShardSink sink{output.shard_folder(), sample_schema(), sample_provenance(), 0};
    write_range(sink, 0, rows);
    output.finish();
    return dse::test::read_file(file);
}

}  // namespace dse::results::test
