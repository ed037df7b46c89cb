#pragma once

#include <string>

#include "dse/config/library.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::test {

/// Sizes of a small model, for closed forms.
struct ModelSizes {
    std::string name;
    double layers{0};
    double h{0};
    double n{0};
    double k{0};  ///< key-value heads; as many as `n` in gpt
    double d{0};
    double f{0};
    double vocab{0};
    bool gated{true};    ///< llama: RMSNorm, three matrices in the MLP; else gpt: LayerNorm, two
    bool biased{false};  ///< all four products of a layer have biases

    /// Parameters of one layer that are split over tp, and those that are not. docs/theory/work.md 1.1.
    [[nodiscard]] double layer_matrices() const {
        const double biases = biased ? (n + 2 * k) * d + f : 0;  // of the column-parallel products
        return h * (n + 2 * k) * d + n * d * h + (gated ? 3 : 2) * h * f + biases;
    }
    [[nodiscard]] double layer_vectors() const { return (gated ? 2 : 4) * h + (biased ? 2 * h : 0); }
    [[nodiscard]] double head_vectors() const { return (gated ? 1 : 2) * h; }
};

inline const ModelSizes small_llama{"small_llama", 8, 64, 8, 4, 8, 96, 128, true};
inline const ModelSizes small_gpt{"small_gpt", 8, 64, 8, 8, 8, 256, 128, false};
inline const ModelSizes small_biased_gpt{"small_biased_gpt", 8, 64, 8, 8, 8, 256, 128, false, true};
/// Many layers and many key-value heads, so that most degrees divide them.
inline const ModelSizes wide_llama{"wide_llama", 64, 192, 64, 64, 12, 320, 576, true};

/// A frontend over the shipped templates and the small models.
class SmallModels {
  public:
    SmallModels() {
        add("small_llama",
            "template: llama\n"
            "symbols: {layers: 8, h: 64, n: 8, k: 4, d: 8, f: 96, vocab: 128}\n"
            "blocks: [embedding, decoder_layer: layers, head]\n");
        add("small_biased_gpt",
            "template: decoder\n"
            "symbols: {layers: 8, h: 64, n: 8, k: 8, d: 8, f: 256, vocab: 128}\n"
            "blocks: [embedding, gelu_layer: layers, tied_layer_norm_head]\n");
        add("wide_llama",
            "template: llama\n"
            "symbols: {layers: 64, h: 192, n: 64, k: 64, d: 12, f: 320, vocab: 576}\n"
            "blocks: [embedding, decoder_layer: layers, head]\n");
        add("small_moe",
            "template: mixtral\n"
            "symbols: {layers: 8, h: 64, n: 8, k: 4, d: 8, f: 48, experts: 16, top_k: 4, vocab: 128}\n"
            "blocks: [embedding, moe_layer: layers, head]\n");
        add("small_deepseek",
            "template: deepseek_v3\n"
            "symbols: {dense: 3, mixed: 5, h: 64, n: 8, q_rank: 32, kv_rank: 16, nope: 8, rope: 4, value: 8,"
            " f: 96, fe: 16, fs: 32, experts: 16, top_k: 4, vocab: 128}\n"
            "blocks: [embedding, dense_layer: dense, moe_layer: mixed, head_and_next]\n");
        add("small_qwen",
            "template: qwen3_moe\n"
            "symbols: {layers: 8, h: 64, n: 8, k: 4, d: 12, f: 16, experts: 16, top_k: 4, vocab: 128}\n"
            "blocks: [embedding, moe_layer: layers, head]\n");
        add("small_vit",
            "template: vit\n"
            "symbols: {layers: 8, image: 32, patch: 8, h: 64, n: 8, d: 8, f: 256, classes: 16}\n"
            "blocks: [patches, encoder_layer: layers, classifier]\n");
        add("small_mamba",
            "template: mamba2\n"
            "symbols: {layers: 8, h: 64, heads: 8, head_dim: 16, state: 8, groups: 1, vocab: 128}\n"
            "blocks: [embedding, layer: layers, head]\n");
        add("small_gemma4",
            "template: gemma4\n"
            "symbols: {layers: 8, h: 64, n: 8, k: 8, d: 8, gk: 8, gd: 16, f: 96, vocab: 128}\n"
            "blocks: [embedding, window_layer: {count: 6, window: 4}, full_layer: 1, "
            "separate_full_layer: 1, tied_head]\n");
        add("small_kimi_linear",
            "template: kimi_linear\n"
            "symbols: {layers: 8, h: 64, n: 8, kv_rank: 16, nope: 8, rope: 4, value: 8, f: 96, fe: 16, "
            "fs: 16, experts: 16, top_k: 4, vocab: 128}\n"
            "blocks: [embedding, linear_dense_layer: {count: 6, heads: 8, width: 16}, dense_layer: 2, "
            "head]\n");
        add("small_deepseek_v4",
            "template: deepseek_v4\n"
            "symbols: {layers: 8, h: 64, n: 8, d: 16, streams: 2, q_rank: 32, o_rank: 16, groups: 8, "
            "window: 4, ni: 4, di: 8, selected: 2, fe: 16, fs: 16, experts: 16, top_k: 4, vocab: 128}\n"
            "blocks: [embedding, window_layer: 2, sparse_layer: {count: 4, ratio: 4}, "
            "compressed_layer: {count: 2, ratio: 8}, head]\n");
        add("small_bert",
            "template: encoder\n"
            "symbols: {layers: 8, h: 64, n: 8, d: 8, f: 256, vocab: 128}\n"
            "blocks: [embedding: {positions: 64, types: 2}, norm_after_layer: layers, "
            "masked_token_head]\n");
        add("small_modernbert",
            "template: encoder\n"
            "symbols: {layers: 8, h: 64, n: 8, d: 8, f: 96, vocab: 128}\n"
            "blocks: [plain_embedding, first_layer, window_layer: {count: 6, window: 8}, full_layer, "
            "plain_masked_token_head]\n");
        add("small_falcon_h1",
            "template: hybrid\n"
            "symbols: {layers: 8, h: 64, n: 8, k: 8, d: 8, vocab: 128}\n"
            "blocks: [embedding, scan_beside_attention: {count: 8, heads: 8, head_dim: 16, state: 8, "
            "groups: 1}, gated_mlp: {count: 8, f: 96}, tied_head]\n");
        add("small_resnet",
            "template: resnet\nsymbols: {image: 32, classes: 16}\n"
            "blocks:\n  - stem\n  - basic: {count: 2, side: 8, width: 64}\n"
            "  - first_bottleneck: {side: 4, width: 32, from: 64, stride: 2}\n"
            "  - bottleneck: {count: 3, side: 4, width: 32}\n"
            "  - classifier: {side: 4, channels: 128}\n");
        // 1001 rows and 7 lookups divide by no number of devices here.
        add("small_dlrm",
            "template: dlrm\n"
            "symbols: {numbers: 4, bags: 3, lookups: 7, rows: 1001, d: 8, bottom1: 16, bottom2: 12}\n"
            "blocks: [pairs, top_layer: {from: 14, to: 20}, click: {from: 20}]\n");
        add("small_dlrm_tables",
            "template: dlrm\n"
            "symbols: {numbers: 4, bags: 16, lookups: 5, rows: 100, d: 8, bottom1: 16, bottom2: 12}\n"
            "blocks: [pairs_of_equal_tables, top_layer: {from: 144, to: 20}, click: {from: 20}]\n");
        add("small_gpt",
            "template: gpt\n"
            "symbols: {layers: 8, h: 64, n: 8, d: 8, f: 256, vocab: 128}\n"
            "blocks: [embedding, decoder_layer: layers, head]\n");
    }

    [[nodiscard]] frontend::TemplateFrontend frontend() const {
        return frontend::TemplateFrontend{config::Library({folder_.path(), DSE_SOURCE_DIR})};
    }

  private:
    void add(const std::string& name, const std::string& text) {
        folder_.write("workloads/models/" + name + ".yaml", "name: " + name + "\n" + text);
    }

    TemporaryFolder folder_;
};

}  // namespace dse::test
