#pragma once

#include <cstdint>

namespace dse::serving {

/// The share of what those who decode may still generate that SGLang keeps free for them (new_token_ratio),
/// in whole numbers so that many steps are one product. Defaults of sglang/srt/managers: 0.7 at first, 0.14
/// of that at least, which it comes down to in 600 steps; 20 tokens more of each who stays.
inline constexpr std::int64_t whole_share = 1'800'000;
inline constexpr std::int64_t first_share = 1'260'000;
inline constexpr std::int64_t least_share = 176'400;
inline constexpr std::int64_t share_a_step = (first_share - least_share) / 600;
inline constexpr std::int64_t tokens_after_turning_out = 20;

}  // namespace dse::serving
