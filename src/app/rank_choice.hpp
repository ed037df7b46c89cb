#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dse::app {

/// Ranks as a command line names them: "0,8,16-23".
/// \param ranks  how many there are
/// \return ascending, each once
/// \throws InputError for what is no such list, or names a rank that there is not
std::vector<std::int64_t> parse_ranks(const std::string& text, std::int64_t ranks);

}  // namespace dse::app
