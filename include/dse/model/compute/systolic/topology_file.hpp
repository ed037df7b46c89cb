#pragma once

#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/model/compute/systolic/layer.hpp"

namespace dse::model {

/// Columns of a topology file.
enum class TopologyInput : std::uint8_t {
    conv,  ///< name, input height and width, filter height and width, channels, filters, stride
    gemm,  ///< name, M, N, K
};

/// Reads the layers of SCALE-Sim's topology file (CSV) like SCALE-Sim v3 (1d62b68a): the first line is a
/// header and is ignored; a convolution whose name contains "DP" is depthwise and becomes one layer per
/// channel, "<name>Channel_<i>". The comma at the end of lines may be omitted. A last column is checked to
/// have the form N:M; this sparsity has no effect unless the architecture file switches it on.
/// \param diagnostics  receives all errors, line by line
/// \throws InputError if the file cannot be read
std::vector<SystolicLayer> read_topology_file(const std::string& file, TopologyInput input,
                                              config::Diagnostics& diagnostics);

}  // namespace dse::model
