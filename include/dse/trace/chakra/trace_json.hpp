#pragma once

#include <iosfwd>
#include <string>

namespace dse::trace::chakra {

/// Writes a trace as JSON: the file's metadata on the first line, then a node a line, each an object with the
/// standard's names as protobuf's JSON has them ("dataDeps", "attr"; numbers of 64 bits as texts).
/// \throws InputError as TraceReader does
void write_json(const std::string& path, std::ostream& stream);

}  // namespace dse::trace::chakra
