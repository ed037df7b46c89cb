#include "trace/kineto/element_bytes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "dse/base/lower_case.hpp"

namespace dse::trace::kineto {

std::int64_t element_bytes(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 17> known{{{"float", 4},
                                                                               {"double", 8},
                                                                               {"half", 2},
                                                                               {"bfloat16", 2},
                                                                               {"float8_e4m3fn", 1},
                                                                               {"float8_e5m2", 1},
                                                                               {"long", 8},
                                                                               {"long int", 8},
                                                                               {"int", 4},
                                                                               {"short", 2},
                                                                               {"short int", 2},
                                                                               {"char", 1},
                                                                               {"signed char", 1},
                                                                               {"byte", 1},
                                                                               {"unsigned char", 1},
                                                                               {"bool", 1},
                                                                               {"complexfloat", 8}}};
    if (type.starts_with("c10::")) type.remove_prefix(5);
    const std::string lower = lower_case(type);
    const auto* found = std::find_if(known.begin(), known.end(),
                                     [&lower](const auto& entry) { return entry.first == lower; });
    return found == known.end() ? 0 : found->second;
}

}  // namespace dse::trace::kineto
