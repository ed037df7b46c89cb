#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dse::app {

/// Parses ranks as given on a command line: "0,8,16-23".
/// \param ranks  number of ranks
/// \param what   what they are called in messages: "rank" or "stage"
/// \return ascending, without duplicates
/// \throws InputError if the text is not such a list, or contains a rank that does not exist
std::vector<std::int64_t> parse_ranks(const std::string& text, std::int64_t ranks,
                                      const std::string& what = "rank");

}  // namespace dse::app
