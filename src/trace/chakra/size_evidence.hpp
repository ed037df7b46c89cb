#pragma once

#include <string>

namespace dse::trace::chakra {

/// Why a trace's sizes look like numbers of elements instead of bytes; empty where they do not, or where
/// nothing in the file allows to tell. What can tell:
///  - kernels that list their results with sizes (attribute `outputs`: name, size, …), when tensor_size is
///    the sum of those sizes, without operands, or half of it: bytes moved would count both in full;
///  - communication that lists its tensors as frameworks print them ([id, storage, offset, elements, bytes an
///    element, device]), when comm_size is the number of elements;
///  - communication mostly of sizes that no buffer of elements of two bytes or more can have.
/// \throws InputError where the file cannot be read
std::string evidence_of_elements(const std::string& path);

}  // namespace dse::trace::chakra
