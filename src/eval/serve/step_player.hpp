#pragma once

#include <cstdint>

#include "eval/stages/stages.hpp"

namespace dse::eval {

/// Simulates single steps of a server; all replicas run the same step at once.
class StepPlayer {
  public:
    /// \param scenario  a scenario of mode serving
    /// \param replayed  the machine for steps that only decode
    /// \throws ModelError if the layout cannot be used for serving
    StepPlayer(const study::Scenario& scenario, const Machine& machine, const Machine& replayed,
               WhenFull when_full, Stages& stages);

    /// Duration of a step, and parts of it, in s.
    struct Step {
        double time{0};
        double attention{0};  ///< kernels of attention
        double shared{0};     ///< experts and their exchanges, if attention ranks share them; prompts only
        double launches{0};   ///< of kernels, by the host of a stage; prompts only
    };
    // With ServingEngine::two_batch, both of these are made of two half batches.
    /// A step in which each replica processes a prompt. \param tokens  a multiple of prompt_unit()
    Step prompt(std::int64_t tokens);
    /// A step in which the sequences of each replica decode.
    /// \param sequences  less than parts(), or a multiple of it
    Step decode(std::int64_t sequences, std::int64_t context);

    /// Jobs for these steps; valid until the next job is created.
    Job prompt_job(std::int64_t tokens);
    Job decode_job(std::int64_t sequences, std::int64_t context);

    /// Number of schedulers, not counting batches(): attention ranks of all replicas.
    [[nodiscard]] std::int64_t replicas() const { return replicas_; }
    /// Attention ranks of a replica that share experts, and therefore step together.
    [[nodiscard]] std::int64_t ranks() const { return ranks_; }
    /// Number by which the tokens of a prompt must be divisible.
    [[nodiscard]] std::int64_t prompt_unit() const;
    /// Number of equal parts in which sequences pass through a pipeline, if there are enough sequences.
    [[nodiscard]] std::int64_t parts() const { return workload_.layout.pp; }
    /// Number of batches that a replica works on at a time.
    [[nodiscard]] std::int64_t batches() const {
        return scenario_.workload.engine.concurrent_batches ? parts() : 1;
    }
    /// What low-rank adapters (LoRA) of a layer's products add to a step, on the rank of a stage. Experts and
    /// the head have none.
    struct AdapterCost {
        double memory{0};        ///< bytes of one adapter on the fullest device
        double launches{0};      ///< kernels: two for each product, in all stages
        double weight_bytes{0};  ///< read for each distinct adapter, in all stages
        double token_bytes{0};   ///< read and written for each token, in all stages
    };
    /// Products with two matrices of `lora_rank` in 16 bits beside each one of the model (Hu et al., ICLR
    /// 2022), in kernels that gather the adapter of each token: SGMV (Chen et al., "Punica", MLSys 2024),
    /// BGMV (Sheng et al., "S-LoRA", MLSys 2024). Such products are limited by memory up to ranks of about
    /// 128.
    AdapterCost adapter_cost();
    /// Rows that attention computes for each decoding sequence of a step that also reads prompts; 0: it has a
    /// kernel of its own.
    double mixed_rows();
    /// Number of layers of the model: the sum of the repeat counts of its graph.
    std::int64_t layers();
    [[nodiscard]] Stages& stages() const { return stages_; }
    [[nodiscard]] const study::Scenario& scenario() const { return scenario_; }

  private:
    [[nodiscard]] bool replays_prompt(std::int64_t tokens) const;
    Step play(const Job& job);
    /// Half of a step whose other half runs at the same time.
    struct Half {
        double compute{0};   ///< s, everything but exchanges and experts
        double experts{0};   ///< s, products of experts
        double exchange{0};  ///< s, exposed if nothing else runs
        double attention{0};

        /// Duration of both halves. Each layer has four phases, in each of which one half computes and the
        /// other exchanges: attention beside a dispatch or a combine, experts likewise.
        [[nodiscard]] double both() const;
    };
    /// \param job  makes the half's job
    template <class MakeJob>
    Half half(MakeJob job);
    [[nodiscard]] bool in_halves(std::int64_t tokens) const {
        return scenario_.workload.engine.two_batch && tokens > 1;
    }

    const study::Scenario& scenario_;
    const Machine& machine_;
    const Machine& replayed_;
    WhenFull when_full_;
    Stages& stages_;
    graph::WorkloadSpec workload_;  ///< workload of the step
    std::int64_t replicas_{1};
    std::int64_t ranks_{1};
};

}  // namespace dse::eval
