#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dse::trace::chakra {

/// Why a trace's sizes appear to be numbers of elements instead of bytes; empty if they do not, or if the
/// file has no evidence either way. Evidence is:
/// - for kernels that list their results with sizes (attribute `outputs`: name, size, …): tensor_size is the
///   sum of those sizes, without operands, or half of it, while bytes moved would include both in full;
/// - for communication that lists its tensors as frameworks print them ([id, storage, offset, elements, bytes
///   per element, device]): comm_size is the number of elements;
/// - most communication has a size that no buffer of elements of two bytes or more can have.
/// \param refused  receives the numbers of the records that parse_record() refuses, as RecordStream counts
/// \throws InputError if the file cannot be read
std::string evidence_of_elements(const std::string& path, std::vector<std::uint64_t>& refused);

}  // namespace dse::trace::chakra
