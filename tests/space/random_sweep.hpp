#pragma once

#include <cstdint>
#include <random>
#include <string>

#include <fmt/format.h>

namespace dse::space::testing {

/// A random small sweep: two to five free integer axes, derived values that may have no value, requirements
/// of every kind, some on constants only.
class RandomSweep {
  public:
    explicit RandomSweep(std::uint64_t seed) : random_{seed} {}

    std::string text() {
        axes_ = 2 + below(4);
        std::string result = "axes:\n";
        for (std::uint64_t i = 0; i < axes_; ++i) result += axis(i);
        derived_ = below(3);
        if (derived_ > 0) result += "derive:\n";
        for (std::uint64_t i = 0; i < derived_; ++i) result += fmt::format("  d{}: {}\n", i, derived(i));
        // Every axis is used, so that none is taken for a misspelt field.
        result += "require:\n  - a0 == a0";
        for (std::uint64_t i = 1; i < axes_; ++i) result += fmt::format("\n  - a{0} == a{0}", i);
        const std::uint64_t requirements = below(4);
        for (std::uint64_t i = 0; i < requirements; ++i) result += "\n  - " + requirement();
        return result + "\n";
    }

  private:
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

    std::string axis(std::uint64_t i) {
        switch (below(3)) {
            case 0:
                return fmt::format("  a{}: {{from: 1, to: {}}}\n", i, 1 + below(6));
            case 1:
                return fmt::format("  a{}: {{from: 1, to: {}, scale: log2}}\n", i, 1 + below(16));
            default:
                return fmt::format("  a{}: [{}, {}, {}]\n", i, below(4), 4 + below(4), 8 + below(4));
        }
    }

    std::string name() { return fmt::format("a{}", below(axes_)); }

    std::string derived(std::uint64_t i) {
        switch (below(3)) {
            case 0:
                return fmt::format("12 / {}", name());
            case 1:
                return i == 0 ? fmt::format("{} * {}", name(), name()) : fmt::format("d0 + {}", name());
            default:
                return "devices / 3 if devices % 3 == 0 else devices";
        }
    }

    std::string value() {
        return derived_ > 0 && below(2) == 0 ? fmt::format("d{}", below(derived_)) : name();
    }

    std::string requirement() {
        switch (below(5)) {
            case 0:
                return fmt::format("{} % 2 == 0", value());
            case 1:
                return fmt::format("{} <= {}", value(), value());
            case 2:
                return fmt::format("devices % max({}, 1) == 0 or {} > 3", value(), value());
            case 3:
                return fmt::format("{} + {} != 7", value(), value());
            default:
                return fmt::format("devices > {}", 63 + below(2));
        }
    }

    std::mt19937_64 random_;
    std::uint64_t axes_{0};
    std::uint64_t derived_{0};
};

}  // namespace dse::space::testing
