#include "dse/study/setting.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::study {

Setting parse_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw InputError(fmt::format("--set {}: write it as key=value, as in --set tp=8", text));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace dse::study
