#include "dse/eval/shortage.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace dse::eval {

void write_reason(const Shortage& shortage, std::string& text) {
    constexpr double gibibyte = 1073741824.0;
    const auto largest = std::max_element(shortage.by_kind.begin(), shortage.by_kind.end());
    const auto kind = static_cast<workload::MemoryKind>(largest - shortage.by_kind.begin());
    text.clear();
    fmt::format_to(std::back_inserter(text),
                   "needs {:.1f} GiB of {:.1f} GiB on stage {}, most of it {} ({:.1f} GiB)",
                   shortage.need.value() / gibibyte, shortage.capacity.value() / gibibyte, shortage.stage,
                   workload::name(kind), *largest / gibibyte);
}

}  // namespace dse::eval
