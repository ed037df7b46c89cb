#include "app/bytes_option.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/quantity.hpp"

namespace dse::app {

Bytes bytes_option(const std::string& text) {
    std::string error;
    const auto bytes = config::parse_quantity(text, config::dimension_of(Bytes{}), error);
    if (!bytes) throw InputError(fmt::format("--bytes {}: {}", text, error));
    if (*bytes <= 0.0) throw InputError(fmt::format("--bytes {}: must be above 0", text));
    return Bytes{*bytes};
}

}  // namespace dse::app
