#pragma once

#include "conformance/stage/layout.hpp"

namespace dse::conformance::stage {

/// What a rank should have done in the place of what STAGE wrote, by closed forms: the model's sizes, tokens,
/// degrees. The forms of communication are those of docs/theory/communication.md.
class RightFigures {
  public:
    RightFigures(const Layout& layout, std::int64_t rank, Ledger written)
        : layout_{layout},
          place_{layout, rank},
          gated_{layout.model != "stage_gpt"},
          experts_{layout.model == "stage_moe"},
          sequences_{layout.sequences / (layout.dp * layout.ep * layout.microbatches)},
          layers_{layers / layout.pp * layout.microbatches},
          correction_{std::move(written)} {
        attention();
        kernels();
        optimizer();
        if (first()) embedding();
        if (last()) head();
        if (experts_) {
            mixture();
            return;
        }
        if (layout_.dp * layout_.cp > 1) layer_states();
        if (layout_.tp > 1 && layout_.sequence_parallel) {
            add(Reason::missing_operators, {"all_reduce", place_.tp(), norms()}, layers / layout_.pp);
        }
        if (layout_.cp > 1) keys_and_values();
    }

    [[nodiscard]] const Correction& correction() const { return correction_; }

  private:
    static constexpr std::int64_t layers = 4;
    static constexpr std::int64_t h = 1024;
    static constexpr std::int64_t f = 4096;
    static constexpr std::int64_t vocabulary = 32000;
    static constexpr std::int64_t s = 512;
    static constexpr std::int64_t experts = 8;
    static constexpr std::int64_t top_k = 2;
    static constexpr std::int64_t passes = 3;  ///< a product, and its two gradients

    [[nodiscard]] bool first() const { return place_.stage() == 0; }
    [[nodiscard]] bool last() const { return place_.stage() + 1 == layout_.pp; }
    /// Of a microbatch, on the ranks of tp together.
    [[nodiscard]] std::int64_t tokens() const { return sequences_ * s / layout_.cp; }
    /// As STAGE has them, who repeats on every rank of ep what is no expert's.
    [[nodiscard]] std::int64_t written_tokens() const { return tokens() * layout_.ep; }
    /// Width of keys and values together.
    [[nodiscard]] std::int64_t kv() const { return gated_ ? 2 * h / 4 : 2 * h; }
    /// LayerNorm has two vectors, RMSNorm one.
    [[nodiscard]] std::int64_t norm() const { return gated_ ? h : 2 * h; }
    [[nodiscard]] std::int64_t norms() const { return 2 * norm(); }
    /// Matrices of a layer on a rank.
    [[nodiscard]] std::int64_t matrices() const {
        return (h * (h + kv()) + h * h + (gated_ ? 3 : 2) * h * f) / layout_.tp;
    }
    void remove(Reason reason, const Entry& entry, std::int64_t count = 1) {
        correction_.remove(reason, entry, count);
    }
    void add(Reason reason, const Entry& entry, std::int64_t count = 1) {
        correction_.add(reason, entry, count);
    }

    // 3 and 3 · 6 operations an element of the output, in place of q·kᵀ and p·v over all keys, half of them
    // where a token sees only those before it. The backward kernel has five products for the forward's two.
    void attention() {
        const std::int64_t elements = written_tokens() * h / layout_.tp;
        remove(Reason::linear_attention, {"attention", {}, 3 * elements}, layers_);
        remove(Reason::linear_attention, {"attention", {}, 6 * elements}, 3 * layers_);
        const std::int64_t macs = 2 * tokens() * s * h / layout_.tp / (gated_ ? 2 : 1);
        add(Reason::linear_attention, {"attention", {}, macs}, layers_);
        add(Reason::linear_attention, {"attention", {}, macs / 2 * 5}, layers_);
    }

    void kernels() {
        if (last()) {
            add(Reason::missing_operators, {"normalization", {}, 0}, 2 * layout_.microbatches);
            // Maximum, sum, target and loss, and its gradient, where STAGE scales its input twice.
            add(Reason::missing_operators, {"loss", {}, 0}, 3 * layout_.microbatches);
        }
        if (experts_) return;
        if (!gated_) {
            add(Reason::missing_operators, {"elementwise", {}, 0}, 2 * layers_);  // GELU
            return;
        }
        add(Reason::missing_operators, {"elementwise", {}, 0}, 2 * layers_);  // rotary embedding
        // One kernel for both gradients of a gate, one product for both projections.
        remove(Reason::same_in_another_form, {"elementwise", {}, 0}, 2 * layers_);
        const std::int64_t macs = tokens() * h * f / layout_.tp;
        remove(Reason::same_in_another_form, {"gemm", {}, macs}, 2 * passes * layers_);
        add(Reason::same_in_another_form, {"gemm", {}, 2 * macs}, passes * layers_);
    }

    void optimizer() {
        remove(Reason::missing_optimizer, {"optimizer", {}, 0},
               layers / layout_.pp + (first() ? 1 : 0) + (last() ? 1 : 0));
        add(Reason::missing_optimizer, {"optimizer", {}, 0}, 2);
        // The sum of the gradients' squares, in four bytes, over all ranks.
        add(Reason::missing_optimizer, {"all_reduce", place_.all(), 2});
    }

    void embedding() {
        remove(Reason::dense_embedding, {"gemm", {}, written_tokens() * vocabulary * h / layout_.tp},
               passes * layout_.microbatches);
        if (!experts_) add(Reason::dense_embedding, {"embedding", {}, 0}, 2 * layout_.microbatches);
        const std::int64_t table = vocabulary * h;
        if (layout_.tp > 1 && layout_.sequence_parallel) {
            // The whole table on every rank, its gradient reduced; split, the result is what is reduced.
            remove(Reason::whole_vocabulary, {"all_reduce", place_.tp(), table});
            add(Reason::whole_vocabulary, {"reduce_scatter", place_.tp(), tokens() * h},
                layout_.microbatches);
            add(Reason::whole_vocabulary, {"all_gather", place_.tp(), tokens() * h / layout_.tp},
                layout_.microbatches);
        }
        reduce_end(table, 0);
    }

    void head() {
        if (layout_.tp > 1) {
            const std::int64_t activation = tokens() * h;
            if (layout_.sequence_parallel) {
                remove(Reason::whole_vocabulary, {"all_reduce", place_.tp(), vocabulary * h});
                add(Reason::whole_vocabulary, {"all_gather", place_.tp(), activation / layout_.tp},
                    2 * layout_.microbatches);
                add(Reason::whole_vocabulary, {"reduce_scatter", place_.tp(), activation},
                    layout_.microbatches);
                add(Reason::missing_operators, {"all_reduce", place_.tp(), norm()});
            } else {
                // Logits that are sums over tp, reduced whole.
                remove(Reason::whole_vocabulary, {"all_reduce", place_.tp(), tokens() * vocabulary});
                remove(Reason::whole_vocabulary, {"all_gather", place_.tp(), activation / layout_.tp});
                add(Reason::whole_vocabulary, {"all_reduce", place_.tp(), activation});
            }
            // Maximum, sum and target of each token, in four bytes.
            add(Reason::whole_vocabulary, {"all_reduce", place_.tp(), 2 * tokens()},
                3 * layout_.microbatches);
        }
        reduce_end(vocabulary * h, norm());
    }

    /// Gradients of the embedding or the head.
    /// \param vectors  that STAGE's model has not
    void reduce_end(std::int64_t table, std::int64_t vectors) {
        const Ranks group = place_.replicas();
        if (experts_) {
            remove(Reason::replicated_over_ep, {"all_reduce", group, table});
            add(Reason::replicated_over_ep, {"all_reduce", place_.all(), table + vectors});
        } else if (layout_.zero == 3) {
            remove(Reason::unsharded_ends, {"all_reduce", group, table});
            add(Reason::unsharded_ends, {"all_gather", group, (table + vectors) / layout_.dp}, 2);
            add(Reason::unsharded_ends, {"reduce_scatter", group, table + vectors});
        } else if (group.size() > 1) {
            const Reason reason = layout_.tp > 1 ? Reason::whole_vocabulary : Reason::missing_operators;
            const std::int64_t right = table / layout_.tp + vectors;
            if (right == table) return;
            remove(reason, {"all_reduce", group, table});
            add(reason, {"all_reduce", group, right});
        }
    }

    /// Gradients of the layers, and with ZeRO-3 their parameters.
    void layer_states() {
        const Ranks group = place_.replicas();
        const std::int64_t written = matrices();
        const std::int64_t right = written + norms();
        if (layout_.zero == 3) {
            remove(Reason::missing_operators, {"all_gather", group, written / layout_.dp}, 2 * layers);
            add(Reason::missing_operators, {"all_gather", group, right / layout_.dp}, 2 * layers);
            remove(Reason::missing_operators, {"reduce_scatter", group, written}, layers);
            add(Reason::missing_operators, {"reduce_scatter", group, right}, layers);
            return;
        }
        const bool repeated = layout_.microbatches > 1;
        const Reason reason = repeated ? Reason::reduced_each_microbatch : Reason::missing_operators;
        remove(reason, {"all_reduce", group, written}, layers_);
        add(reason, {"all_reduce", group, right}, layers / layout_.pp);
    }

    // Keys and values lie in one tensor: gathered at once, their gradients scattered at once.
    void keys_and_values() {
        const Ranks group = place_.replicas();
        const std::int64_t keys = tokens() * h;
        remove(Reason::same_in_another_form, {"all_gather", group, keys}, 2 * layers_);
        add(Reason::same_in_another_form, {"all_gather", group, 2 * keys}, layers_);
        add(Reason::gathered_again, {"all_gather", group, 2 * keys}, layers_);
        remove(Reason::same_in_another_form, {"reduce_scatter", group, layout_.cp * keys}, 2 * layers_);
        add(Reason::same_in_another_form, {"reduce_scatter", group, layout_.cp * 2 * keys}, layers_);
    }

    void mixture() {
        const std::int64_t ep = layout_.ep;
        const std::int64_t local = experts / ep;
        // What is no expert's runs on the tokens of a rank, not on those of all ranks of ep.
        for (const std::int64_t weights : {h * (h + kv()), h * h}) {
            remove(Reason::replicated_over_ep, {"gemm", {}, written_tokens() * weights}, passes * layers_);
            add(Reason::replicated_over_ep, {"gemm", {}, tokens() * weights}, passes * layers_);
        }
        remove(Reason::replicated_over_ep, {"gemm", {}, written_tokens() * vocabulary * h}, passes);
        add(Reason::replicated_over_ep, {"gemm", {}, tokens() * vocabulary * h}, passes);
        // The router is as wide as a token's choices, its gradients again divided by ep.
        const std::int64_t router = written_tokens() * h * top_k;
        remove(Reason::expert_share, {"gemm", {}, router}, layers_);
        remove(Reason::expert_share, {"gemm", {}, router / ep}, 2 * layers_);
        add(Reason::expert_share, {"gemm", {}, tokens() * h * experts}, passes * layers_);
        // Every expert apart, on rows divided by ep once too often; right are all rows of a rank's experts at
        // once. Two matrices, where the model has a gate as well.
        const std::int64_t rows = tokens() * top_k;  // as many come as go
        remove(Reason::expert_share, {"gemm", {}, written_tokens() * top_k / experts / ep * h * f},
               2 * passes * local * layers_);
        add(Reason::expert_share, {"gemm", {}, rows * h * f}, passes * layers_);
        add(Reason::two_matrices, {"gemm", {}, rows * h * 2 * f}, passes * layers_);
        // Activations that were replicated over ep are gathered, and the router's weights.
        const Ranks group = place_.ep();
        remove(Reason::replicated_over_ep, {"all_gather", group, written_tokens() * h / ep}, 2 * layers_);
        remove(Reason::replicated_over_ep, {"all_gather", group, h * top_k / ep}, layers_);
        // The weight of each row travels with it, and its gradient back: one number of four bytes.
        add(Reason::same_in_another_form, {"all_to_all", group, 2 * rows}, 2 * layers_);
        // One reduction for all of a layer; right is one over the ranks with the same experts, and one over
        // all.
        const std::int64_t attention = h * (h + kv()) + h * h;
        remove(Reason::replicated_over_ep,
               {"all_reduce", place_.dp(), attention + local * 2 * h * f + h * top_k / ep}, layers_);
        add(Reason::two_matrices, {"all_reduce", place_.dp(), local * 3 * h * f}, layers_);
        add(Reason::replicated_over_ep, {"all_reduce", place_.all(), attention + norms() + h * experts},
            layers_);
    }

    const Layout& layout_;
    Place place_;
    bool gated_;
    bool experts_;
    std::int64_t sequences_;  ///< of a microbatch on a rank
    std::int64_t layers_;     ///< of a rank, times microbatches
    Correction correction_;
};

}  // namespace dse::conformance::stage
