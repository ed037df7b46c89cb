#pragma once

#include <cstdint>
#include <vector>

#include "device_lists.hpp"
#include "dse/ir/program/program.hpp"
#include "scanner.hpp"

namespace dse::ir::hlo {

/// Reads `sharding=`: `{replicated}`, `{maximal device=3}`, `{manual}`, `{unknown}`, `{unreduced}`,
/// `{devices=[2,1,4]<=[8] last_tile_dim_replicate}` with an iota or a list, `{mesh['x'=2], [{'x'}, {}]}`, and
/// tuples of these.
///
/// All tiles over n devices in the order of an iota become parts of one axis of n devices (Shardy's
/// sub-axes), so that the shardings of a program can be compared. A list in any other order, and tiles that
/// do not align with its dimensions, get a mesh of their own with the devices in that order.
class ShardingReader {
  public:
    ShardingReader(Scanner& scanner, Program& program) : scanner_{scanner}, program_{program} {}

    /// One sharding per leaf of a tuple.
    std::vector<Sharding> read();

    /// Number of devices that `{replicated}` and `{unreduced}` refer to, unless a larger mesh has been read.
    /// \pre devices > 0
    void expect_devices(std::int64_t devices) { devices_ = devices; }
    /// Number of devices of the largest mesh so far; 1 if there is none.
    [[nodiscard]] std::int64_t devices() const { return devices_; }

  private:
    void read_leaves(std::vector<Sharding>& leaves, int depth);
    Sharding read_leaf();
    Sharding read_word();
    Sharding read_tiles();
    IotaTile read_assignment(const Sizes& tiles, Sizes& list);
    Sharding read_named();
    MeshId mesh(DeviceMesh mesh);
    MeshId line_of(std::int64_t devices);

    Scanner& scanner_;
    Program& program_;
    std::int64_t devices_{1};
};

}  // namespace dse::ir::hlo
