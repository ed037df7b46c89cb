// Any bytes as a quantity of any dimension: a finite number that is written and read back, or a reason.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "dse/config/quantity.hpp"
#include "dse/config/source_text.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse::config;

constexpr Dimension dimensions[] = {
    dimension_of(dse::Seconds{}),
    dimension_of(dse::Bytes{}),
    dimension_of(dse::BytesPerSecond{}),
    dimension_of(dse::Flop{}),
    dimension_of(dse::FlopPerSecond{}),
    dimension_of(dse::Joules{}),
    dimension_of(dse::Watts{}),
    dimension_of(dse::Dollars{}),
    dimension_of(dse::DollarsPerSecond{}),
    dimension_of(dse::JoulesPerByte{}),
    dimension_of(dse::JoulesPerFlop{}),
};

void check(std::string_view text, Dimension dimension) {
    std::string error;
    const auto value = parse_quantity(text, dimension, error);
    DSE_INVARIANT(value.has_value() == error.empty());
    DSE_INVARIANT(error.size() < 1000 && printable(error) == error);
    if (!value) return;
    DSE_INVARIANT(std::isfinite(*value));
    // Subnormal numbers have no six digits to keep.
    if (*value != 0.0 && std::abs(*value) < 1e-290) return;
    const auto back = parse_quantity(format_quantity(*value, dimension), dimension, error);
    DSE_INVARIANT(back.has_value());
    DSE_INVARIANT(std::abs(*back - *value) <= 1e-5 * std::abs(*value));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const Dimension dimension : dimensions) check(text, dimension);
    return 0;
}
