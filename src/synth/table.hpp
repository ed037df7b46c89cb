#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "synth/random.hpp"

namespace dse::synth {

/// Number of occurrences of each value.
class Histogram {
  public:
    void add(std::int32_t value, std::uint32_t times = 1);
    [[nodiscard]] std::uint32_t total() const { return total_; }
    /// \pre total() > 0
    [[nodiscard]] std::int32_t draw(Random& random) const;
    /// Draws from the allowed values in proportion to their counts; `otherwise` if there are none.
    template <class Allowed>
    [[nodiscard]] std::int32_t draw_if(Random& random, Allowed allowed, std::int32_t otherwise) const;
    [[nodiscard]] const std::vector<std::pair<std::int32_t, std::uint32_t>>& rows() const { return rows_; }

  private:
    std::vector<std::pair<std::int32_t, std::uint32_t>> rows_;  ///< by value
    std::uint32_t total_{0};
};

template <class Allowed>
std::int32_t Histogram::draw_if(Random& random, Allowed allowed, std::int32_t otherwise) const {
    std::uint64_t sum = 0;
    for (const auto& [value, times] : rows_) sum += allowed(value) ? times : 0;
    if (sum == 0) return otherwise;
    std::uint64_t place = random.below(sum);
    for (const auto& [value, times] : rows_) {
        if (!allowed(value)) continue;
        if (place < times) return value;
        place -= times;
    }
    return otherwise;
}

/// What a value depends on: up to three numbers, of which the low 16 bits count.
using Context = std::uint64_t;
Context context(std::initializer_list<std::int64_t> numbers);

/// Distributions of a value by context.
class Table {
  public:
    void add(Context at, std::int32_t value) { rows_[at].add(value); }
    /// nullptr if the context was never seen.
    [[nodiscard]] const Histogram* find(Context at) const;

    /// The histogram of the first context, from the narrowest to the widest, that was seen often enough; else
    /// of the widest that was seen at all. nullptr if none was.
    [[nodiscard]] const Histogram* find(std::span<const Context> contexts) const;
    /// Draws a value for such a context; `otherwise` if none was seen.
    std::int32_t draw(Random& random, std::span<const Context> contexts, std::int32_t otherwise) const;
    std::int32_t draw(Random& random, std::initializer_list<Context> contexts, std::int32_t otherwise) const {
        return draw(random, std::span{contexts.begin(), contexts.size()}, otherwise);
    }

    [[nodiscard]] nlohmann::json to_json() const;
    /// \throws InputError if `json` is not a table or has values outside of [least, most]
    static Table from_json(const nlohmann::json& json, std::int64_t least, std::int64_t most = 0x7fffffff);

  private:
    /// With fewer observations the next wider context is used.
    static constexpr std::uint32_t enough = 4;
    std::map<Context, Histogram> rows_;
};

}  // namespace dse::synth
