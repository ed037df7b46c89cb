#pragma once

#include <cstdint>

#include "app/hugging_face/config_file.hpp"

namespace dse::app {

/// The longest sequence that published weights are for [tokens], as engines derive it from a configuration;
/// 0 if it states none.
///
/// It is `max_position_embeddings`, times the factor by which rotary positions are scaled. With YaRN, the
/// factor is of the length before it was extended, `original_max_position_embeddings`. Families whose stated
/// length is the extended one already have no factor here: Llama 3's and LongRoPE's kinds of scaling, and
/// Gemma 3. Source: vLLM 0.6.6, config.py, _get_and_verify_max_len
std::int64_t context_length(ConfigFile& config);

}  // namespace dse::app
