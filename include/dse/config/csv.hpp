#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dse::config {

/// Records of a text of comma-separated values (RFC 4180: quotes, line breaks inside them).
/// \throws InputError for a quote that does not end
std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& name);

}  // namespace dse::config
