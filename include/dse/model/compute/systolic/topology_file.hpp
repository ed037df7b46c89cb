#pragma once

#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/model/compute/systolic/layer.hpp"

namespace dse::model {

/// What the columns of a topology file are.
enum class TopologyInput : std::uint8_t {
    conv,  ///< name, input height and width, filter height and width, channels, filters, stride
    gemm,  ///< name, M, N, K
};

/// Layers of SCALE-Sim's topology file (CSV), as SCALE-Sim v3 (1d62b68a) reads it: the first line is a
/// heading, whatever it says; a convolution whose name holds "DP" is depthwise, and becomes one layer a
/// channel, "<name>Channel_<i>". Lines end with a comma there; here it may be left out. A last column N:M is
/// read and must be N:M; its sparsity has no effect unless the architecture file switches it on.
/// \param diagnostics  gets every error, line by line
/// \throws InputError where the file cannot be read
std::vector<SystolicLayer> read_topology_file(const std::string& file, TopologyInput input,
                                              config::Diagnostics& diagnostics);

}  // namespace dse::model
