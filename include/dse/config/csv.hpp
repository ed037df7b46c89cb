#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dse::config {

/// Parses comma-separated values (RFC 4180, with quotes and line breaks inside quotes) into records.
/// \throws InputError for an unterminated quote
std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& name);

}  // namespace dse::config
