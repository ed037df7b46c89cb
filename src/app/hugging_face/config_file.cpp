#include "app/hugging_face/config_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

constexpr std::uintmax_t largest_file = 1U << 20U;

/// Fields that affect neither sizes nor work: tokens, training parameters, storage and scaling of weights,
/// positions (RoPE rotates the same elements for any base).
constexpr auto without_effect = std::to_array<std::string_view>({"_name_or_path",
                                                                 "_attn_implementation",
                                                                 "_attn_implementation_autoset",
                                                                 "architectures",
                                                                 "attention_dropout",
                                                                 "attn_pdrop",
                                                                 "auto_map",
                                                                 "aux_loss_alpha",
                                                                 "bad_words_ids",
                                                                 "begin_suppress_tokens",
                                                                 "bos_token_id",
                                                                 "cache_implementation",
                                                                 "chunk_size_feed_forward",
                                                                 "classifier_dropout",
                                                                 "decoder_start_token_id",
                                                                 "dropout",
                                                                 "embd_pdrop",
                                                                 "embedding_dropout",
                                                                 "eos_token_id",
                                                                 "ep_size",
                                                                 "hidden_dropout",
                                                                 "hidden_dropout_prob",
                                                                 "id2label",
                                                                 "initial_context_length",
                                                                 "initializer_factor",
                                                                 "initializer_range",
                                                                 "label2id",
                                                                 "layer_norm_eps",
                                                                 "layer_norm_epsilon",
                                                                 "layerdrop",
                                                                 "mlp_dropout",
                                                                 "model_type",
                                                                 "norm_epsilon",
                                                                 "output_attentions",
                                                                 "output_hidden_states",
                                                                 "output_router_logits",
                                                                 "pad_token_id",
                                                                 "partial_rotary_factor",
                                                                 "pretraining_tp",
                                                                 "prefix",
                                                                 "problem_type",
                                                                 "query_pre_attn_scalar",
                                                                 "reorder_and_upcast_attn",
                                                                 "residual_dropout",
                                                                 "resid_pdrop",
                                                                 "return_dict",
                                                                 "rms_norm_eps",
                                                                 "rope_interleave",
                                                                 "rope_local_base_freq",
                                                                 "rope_parameters",
                                                                 "rope_scaling",
                                                                 "rope_theta",
                                                                 "rotary_emb_base",
                                                                 "rotary_pct",
                                                                 "router_aux_loss_coef",
                                                                 "router_jitter_noise",
                                                                 "routed_scaling_factor",
                                                                 "scale_attn_by_inverse_layer_idx",
                                                                 "scale_attn_weights",
                                                                 "seq_aux",
                                                                 "summary_activation",
                                                                 "summary_first_dropout",
                                                                 "summary_proj_to_labels",
                                                                 "summary_type",
                                                                 "summary_use_proj",
                                                                 "swiglu_limit",
                                                                 "task_specific_params",
                                                                 "tokenizer_class",
                                                                 "torch_dtype",
                                                                 "dtype",
                                                                 "transformers_version",
                                                                 "use_cache",
                                                                 "use_mrope",
                                                                 "vision_config",
                                                                 "xla_device",
                                                                 "original_max_position_embeddings",
                                                                 "max_position_embeddings"});

Json read_json(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(path, ignored);
    if (ignored) throw InputError(fmt::format("{}: cannot be read ({})", path.string(), ignored.message()));
    if (bytes > largest_file)
        throw InputError(fmt::format("{}: too large for a model's configuration", path.string()));
    std::ifstream stream{path};
    try {
        return Json::parse(stream);
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: no JSON ({})", path.string(), error.what()));
    }
}

}  // namespace

ConfigFile::ConfigFile(const std::filesystem::path& path) : path_{path}, json_(read_json(path)) {
    if (!json_.is_object())
        throw InputError(
            fmt::format("{}: not a JSON object, so it is not a model's configuration", path.string()));
    if (const auto text = json_.find("text_config"); text != json_.end() && text->is_object()) {
        for (const auto& [key, value] : json_.items()) {
            if (key.ends_with("_config") && key != "text_config" && value.is_object())
                outside_.push_back(key);
        }
        Json inner = *text;
        for (const char* shared : {"architectures", "tie_word_embeddings", "torch_dtype"}) {
            if (json_.contains(shared) && !inner.contains(shared)) inner[shared] = json_[shared];
        }
        json_ = std::move(inner);
    }
    const Json* type = find("model_type");
    if (type == nullptr || !type->is_string())
        throw InputError(
            fmt::format("{}: has no model_type, so it is not a model's configuration", path.string()));
    model_type_ = type->get<std::string>();
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

std::optional<std::int64_t> ConfigFile::layers_of_type(std::int64_t layers, std::string_view type) {
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
    return std::count(types->begin(), types->end(), type);
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
        const bool known = asked_.contains(key) || std::find(without_effect.begin(), without_effect.end(),
                                                             key) != without_effect.end();
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
    std::ifstream stream{path};
    const Json json = Json::parse(stream, nullptr, false);
    return json.is_object() && (json.contains("model_type") || json.contains("architectures"));
}

}  // namespace dse::app
