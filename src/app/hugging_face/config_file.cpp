#include "app/hugging_face/config_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

/// Quantized models list the weights that are not quantized.
constexpr std::uintmax_t largest_file = 16U << 20U;

/// Fields that affect neither sizes nor work: tokens, training parameters, storage and scaling of
/// weights, positions (RoPE rotates the same elements for any base).
constexpr auto without_effect = std::to_array<std::string_view>({"_attn_implementation",
                                                                 "_attn_implementation_autoset",
                                                                 "_name_or_path",
                                                                 "_sliding_window_pattern",
                                                                 "architectures",
                                                                 "attention_dropout",
                                                                 "attn_pdrop",
                                                                 "auto_map",
                                                                 "aux_loss_alpha",
                                                                 "bos_token_id",
                                                                 "classifier_dropout",
                                                                 "dropout",
                                                                 "dtype",
                                                                 "embd_pdrop",
                                                                 "embedding_dropout",
                                                                 "eod_token_id",
                                                                 "eos_token_id",
                                                                 "ep_size",
                                                                 "hidden_dropout",
                                                                 "hidden_dropout_prob",
                                                                 "image_token_id",
                                                                 "init_std",
                                                                 "initial_context_length",
                                                                 "initializer_factor",
                                                                 "initializer_range",
                                                                 "input_jitter_noise",
                                                                 "layer_norm_eps",
                                                                 "layer_norm_epsilon",
                                                                 "layerdrop",
                                                                 "layernorm_epsilon",
                                                                 "max_position_embeddings",
                                                                 "mlp_dropout",
                                                                 "model_type",
                                                                 "moe_norm_min",
                                                                 "moe_router_dtype",
                                                                 "mrope_section",
                                                                 "norm_eps",
                                                                 "norm_epsilon",
                                                                 "num_image_tokens",
                                                                 "num_logits_to_keep",
                                                                 "original_max_position_embeddings",
                                                                 "output_gate_type",
                                                                 "output_router_logits",
                                                                 "pad_token_id",
                                                                 "partial_rotary_factor",
                                                                 "pretraining_tp",
                                                                 "query_pre_attn_scalar",
                                                                 "reorder_and_upcast_attn",
                                                                 "resid_pdrop",
                                                                 "residual_dropout",
                                                                 "rms_norm_eps",
                                                                 "rope_interleave",
                                                                 "rope_local_base_freq",
                                                                 "rope_parameters",
                                                                 "rope_scaling",
                                                                 "rope_theta",
                                                                 "rope_type",
                                                                 "rotary_dim",
                                                                 "rotary_emb_base",
                                                                 "rotary_pct",
                                                                 "routed_scaling_factor",
                                                                 "router_aux_loss_coef",
                                                                 "router_jitter_noise",
                                                                 "scale_attn_by_inverse_layer_idx",
                                                                 "scale_attn_weights",
                                                                 "seq_aux",
                                                                 "swiglu_alpha",
                                                                 "swiglu_limit",
                                                                 "torch_dtype",
                                                                 "transformers_version",
                                                                 "use_mrope",
                                                                 "video_token_id",
                                                                 "vision_config",
                                                                 "vision_end_token_id",
                                                                 "vision_start_token_id",
                                                                 "vision_token_id",
                                                                 "xla_device",
                                                                 "z_loss_coefficient"});

/// Fields of tasks, generation and outputs, which transformers writes into every configuration.
constexpr auto of_generation = std::to_array<std::string_view>({"add_cross_attention",
                                                                "bad_words_ids",
                                                                "begin_suppress_tokens",
                                                                "cache_implementation",
                                                                "chunk_size_feed_forward",
                                                                "cross_attention_hidden_size",
                                                                "decoder_start_token_id",
                                                                "diversity_penalty",
                                                                "do_sample",
                                                                "early_stopping",
                                                                "encoder_no_repeat_ngram_size",
                                                                "exponential_decay_length_penalty",
                                                                "finetuning_task",
                                                                "forced_bos_token_id",
                                                                "forced_eos_token_id",
                                                                "id2label",
                                                                "is_decoder",
                                                                "is_encoder_decoder",
                                                                "label2id",
                                                                "length_penalty",
                                                                "max_length",
                                                                "min_length",
                                                                "no_repeat_ngram_size",
                                                                "num_beam_groups",
                                                                "num_beams",
                                                                "num_return_sequences",
                                                                "output_attentions",
                                                                "output_hidden_states",
                                                                "output_scores",
                                                                "prefix",
                                                                "problem_type",
                                                                "pruned_heads",
                                                                "remove_invalid_values",
                                                                "repetition_penalty",
                                                                "return_dict",
                                                                "return_dict_in_generate",
                                                                "sep_token_id",
                                                                "summary_activation",
                                                                "summary_first_dropout",
                                                                "summary_proj_to_labels",
                                                                "summary_type",
                                                                "summary_use_proj",
                                                                "suppress_tokens",
                                                                "task_specific_params",
                                                                "temperature",
                                                                "tf_legacy_loss",
                                                                "tie_encoder_decoder",
                                                                "tokenizer_class",
                                                                "top_p",
                                                                "torchscript",
                                                                "typical_p",
                                                                "use_bfloat16",
                                                                "use_cache"});

std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, std::istreambuf_iterator<char>{}};
}

/// Python writes numbers that JSON does not have: `"time_step_limit": [0.0, Infinity]` is in every
/// configuration of Mamba-2. They become null here, as if the field were not stated.
std::string strict_json(const std::string& text) {
    std::string strict;
    strict.reserve(text.size());
    bool quoted = false;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') quoted = !quoted;
        if (quoted && text[at] == '\\') {
            strict += text.substr(at, 2);
            at += 2;
            continue;
        }
        std::size_t skipped = 0;
        if (!quoted) {
            for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
                if (text.compare(at, word.size(), word) != 0) continue;
                skipped = word.size();
                break;
            }
        }
        strict += skipped > 0 ? "null" : text.substr(at, 1);
        at += std::max<std::size_t>(skipped, 1);
    }
    return strict;
}

Json read_json(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(path, ignored);
    if (ignored) throw InputError(fmt::format("{}: cannot be read ({})", path.string(), ignored.message()));
    if (bytes > largest_file)
        throw InputError(fmt::format("{}: too large for a model's configuration", path.string()));
    try {
        return Json::parse(strict_json(text_of(path)));
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: no JSON ({})", path.string(), error.what()));
    }
}

/// The field that contains the text model of several parts; nullptr if the model is one part. Names by
/// transformers, DeepSeek-VL, InternVL, and Qwen's models of speech.
const char* text_part(const Json& json) {
    for (const char* name : {"text_config", "language_config", "llm_config", "thinker_config"}) {
        if (const auto part = json.find(name); part != json.end() && part->is_object()) return name;
    }
    return nullptr;
}

/// Sizes of the classes of transformers (5.24): LlamaConfig() is Llama 7B, Gemma3TextConfig() has the heads
/// of Gemma 3 4B.
struct ClassSizes {
    std::string_view type;
    std::int64_t hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads,
        head_dim, vocab_size;
};
constexpr auto class_sizes = std::to_array<ClassSizes>({
    {"llama", 4096, 11008, 32, 32, 0, 0, 32000},
    {"mistral", 4096, 14336, 32, 32, 8, 0, 32000},
    {"gemma", 3072, 24576, 28, 16, 16, 256, 256000},
    {"gemma2", 2304, 9216, 26, 8, 4, 256, 256000},
    {"gemma3_text", 2304, 9216, 26, 8, 4, 256, 262208},
    {"qwen2", 4096, 22016, 32, 32, 32, 0, 151936},
    {"qwen3", 4096, 22016, 32, 32, 32, 128, 151936},
});

}  // namespace

void ConfigFile::add_defaults() {
    const auto sizes = std::ranges::find(class_sizes, std::string_view{model_type_}, &ClassSizes::type);
    if (sizes == class_sizes.end()) return;
    // Heads follow from each other: a file that states some of them does not mean the others of the class.
    const bool states_heads = json_.contains("num_attention_heads");
    for (const auto& [field, value] : std::initializer_list<std::pair<const char*, std::int64_t>>{
             {"hidden_size", sizes->hidden_size},
             {"intermediate_size", sizes->intermediate_size},
             {"num_hidden_layers", sizes->num_hidden_layers},
             {"num_attention_heads", sizes->num_attention_heads},
             {"num_key_value_heads", states_heads && sizes->num_key_value_heads == sizes->num_attention_heads
                                         ? 0
                                         : sizes->num_key_value_heads},
             {"head_dim", sizes->head_dim},
             {"vocab_size", sizes->vocab_size}}) {
        if (value == 0 || json_.contains(field)) continue;
        json_[field] = value;
        defaults_.emplace_back(field, value);
    }
}

ConfigFile::ConfigFile(const std::filesystem::path& path) : path_{path}, json_(read_json(path)) {
    if (!json_.is_object())
        throw InputError(
            fmt::format("{}: not a JSON object, so it is not a model's configuration", path.string()));
    bool is_part = false;
    while (const char* const part = text_part(json_)) {
        is_part = true;
        for (const auto& [key, value] : json_.items()) {
            if (key.ends_with("_config") && key != part && key != "quantization_config" && value.is_object())
                outside_.push_back(key);
        }
        Json inner = json_[part];
        for (const char* shared :
             {"architectures", "model_type", "tie_word_embeddings", "torch_dtype", "quantization_config"}) {
            if (json_.contains(shared) && !inner.contains(shared)) inner[shared] = json_[shared];
        }
        json_ = std::move(inner);
    }
    const Json* type = find("model_type");
    if (type == nullptr || !type->is_string())
        throw InputError(
            fmt::format("{}: has no model_type, so it is not a model's configuration", path.string()));
    model_type_ = type->get<std::string>();
    if (is_part) add_defaults();
}

std::string ConfigFile::architecture() const {
    const auto list = json_.find("architectures");
    if (list == json_.end() || !list->is_array() || list->empty() || !list->front().is_string()) return {};
    return list->front().get<std::string>();
}

const Json* ConfigFile::find(const std::string& field) {
    asked_.insert(field);
    const auto found = json_.find(field);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::vector<bool>> ConfigFile::layers_of_type(std::int64_t layers, std::string_view type) {
    const Json* types = find("layer_types");
    if (types == nullptr) return std::nullopt;
    const bool are_names =
        types->is_array() &&
        std::all_of(types->begin(), types->end(), [](const Json& name) { return name.is_string(); });
    if (!are_names || static_cast<std::int64_t>(types->size()) != layers)
        throw InputError(
            are_names ? fmt::format("{}: layer_types names {} layers, num_hidden_layers says {}",
                                    path_.string(), types->size(), layers)
                      : fmt::format("{}: layer_types is not a list of names, one per layer", path_.string()));
    std::vector<bool> are;
    are.reserve(types->size());
    for (const Json& name : *types) are.push_back(name == type);
    return are;
}

std::int64_t ConfigFile::size(const std::string& field) {
    const Json* value = find(field);
    if (value == nullptr) throw InputError(fmt::format("{}: {} is missing", path_.string(), field));
    const bool whole = value->is_number_integer();
    const std::int64_t number = whole ? value->get<std::int64_t>() : 0;
    if (!whole || number < 1 || number > (std::int64_t{1} << 40U))
        throw InputError(fmt::format("{}: {} is {}, not a size", path_.string(), field, value->dump()));
    return number;
}

std::int64_t ConfigFile::size(const std::string& field, std::int64_t otherwise) {
    const Json* value = find(field);
    if (value == nullptr || (value->is_number_integer() && *value == 0)) return otherwise;
    return size(field);
}

bool ConfigFile::flag(const std::string& field, bool otherwise) {
    const Json* value = find(field);
    if (value == nullptr) return otherwise;
    if (!value->is_boolean())
        throw InputError(
            fmt::format("{}: {} is {}, neither true nor false", path_.string(), field, value->dump()));
    return value->get<bool>();
}

std::vector<std::string> ConfigFile::unknown() const {
    std::vector<std::string> names;
    for (const auto& [key, value] : json_.items()) {
        const auto lists = [&name = key](const auto& fields) {
            return std::ranges::count(fields, std::string_view{name}) > 0;
        };
        const bool known = asked_.contains(key) || lists(without_effect) || lists(of_generation);
        if (!known) names.push_back(key);
    }
    std::sort(names.begin(), names.end());
    names.insert(names.end(), outside_.begin(), outside_.end());
    return names;
}

bool is_model_config(const std::filesystem::path& path) {
    std::error_code ignored;
    if (path.extension() != ".json" || !std::filesystem::is_regular_file(path, ignored) ||
        std::filesystem::file_size(path, ignored) > largest_file)
        return false;
    const Json json = Json::parse(strict_json(text_of(path)), nullptr, false);
    return json.is_object() && (json.contains("model_type") || json.contains("architectures"));
}

}  // namespace dse::app
