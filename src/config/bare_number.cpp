#include "dse/config/bare_number.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace dse::config {
namespace {

struct Habit {
    Dimension dimension{};
    double least{0.0};          ///< size of a plausible number
    double most{0.0};           ///< the same
    const char* unit{nullptr};  ///< in which people think of it
};

constexpr double unlimited = 1e308;
constexpr std::array<Habit, 5> habits{{{dimension_of(Bytes{}), 1e6, unlimited, "GB"},
                                       {dimension_of(BytesPerSecond{}), 1e6, unlimited, "GB/s"},
                                       {dimension_of(Flop{}), 1e6, unlimited, "TFLOP"},
                                       {dimension_of(FlopPerSecond{}), 1e6, unlimited, "TFLOP/s"},
                                       {dimension_of(Seconds{}), 0.0, 10.0, "ms"}}};

}  // namespace

std::string bare_number_note(std::string_view name, double number, Dimension dimension) {
    for (const Habit& habit : habits) {
        const double size = std::abs(number);
        if (habit.dimension != dimension || size == 0.0 || (size >= habit.least && size < habit.most))
            continue;
        const std::string unit = unit_of(dimension);
        return fmt::format(
            "'{0}' is in {1}, so that {2:g} means {2:g} {1} (write '{2:g} {1}' or '{2:g} {3}')", name, unit,
            number, habit.unit);
    }
    return {};
}

}  // namespace dse::config
