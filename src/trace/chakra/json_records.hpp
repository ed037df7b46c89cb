#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dse::trace::chakra {

/// Whether a file beginning with `text` is JSON rather than a sequence of records, whose first byte is the
/// length of the first record.
bool begins_json(std::string_view text);

/// Converts a trace in MLCommons' JSON to records: {"workload_graph": [{"Id": 1, "Name": "a", "NodeType": 4,
/// "data_deps": [0], "runtime": 3, "is_cpu_op": false, "comm_type": 0, "comm_size": 8, …}, …]}. Control
/// dependencies are ignored.
/// \throws InputError saying what is wrong, without the file's name
/// Source: MLCommons Chakra, the JSON nodes of its feeder
std::vector<std::uint8_t> records_of_json(std::string_view text);

}  // namespace dse::trace::chakra
