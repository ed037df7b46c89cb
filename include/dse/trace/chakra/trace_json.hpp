#pragma once

#include <iosfwd>
#include <string>

namespace dse::trace::chakra {

/// Writes a trace as JSON: the file's metadata on the first line, then one node per line. Names are the
/// standard's in protobuf's JSON mapping ("dataDeps", "attr"; 64-bit numbers as strings).
/// \throws InputError as TraceReader does
void write_json(const std::string& path, std::ostream& stream);

}  // namespace dse::trace::chakra
