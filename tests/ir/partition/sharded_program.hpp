#pragma once

#include <utility>
#include <vector>

#include "ir/partition/stated_sharding.hpp"
#include "ir/written_program.hpp"

namespace dse::ir::test {

inline const AxisRef data{0, 1, 4};
inline const AxisRef model{1, 1, 2};

/// A program on a mesh of data = 4 times model = 2.
struct ShardedProgram : WrittenProgram {
    ShardedProgram() {
        program.partitioned = false;
        program.meshes.push_back({"mesh", {{"data", 4}, {"model", 2}}, {}});
    }
    static Sharding sharding(std::vector<std::vector<AxisRef>> axes) {
        Sharding result;
        for (auto& dimension : axes) result.dimensions.push_back({std::move(dimension), false, -1});
        return result;
    }
    ShardingId on(std::vector<std::vector<AxisRef>> axes) {
        return builder.sharding({sharding(std::move(axes))});
    }
};

}  // namespace dse::ir::test
