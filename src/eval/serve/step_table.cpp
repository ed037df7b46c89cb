#include "eval/serve/step_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "eval/serve/grid.hpp"

namespace dse::eval {
namespace {

/// \throws ModelError for a step whose sums with others would not fit into ticks
serving::Ticks step_ticks(double seconds) {
    constexpr double longest_step = 86400.0;
    if (seconds > longest_step)
        throw ModelError(fmt::format(
            "a step takes {:.3g} s, more than a day: what a run of requests takes is not known", seconds));
    return serving::to_ticks(seconds);
}

using serving::Batch;
using serving::Chunk;
using serving::DecodeLine;
using serving::Decodes;
using serving::Ticks;

/// Decoding sequences, in units of the parts of a pipeline: all numbers up to 64, then 32 knots per octave.
constexpr Grid sequence_grid{5};
/// Mean context of these sequences, in units of context_unit: two knots per octave.
constexpr Grid context_grid{1};
constexpr std::int64_t context_unit = 64;
/// Prompt tokens, in units that the layout can divide: 16 knots per octave.
constexpr Grid prompt_grid{4};

double between(double low, double high, double share) {
    return low + share * (high - low);
}

double share_of(std::int64_t value, std::int64_t low, std::int64_t high) {
    return static_cast<double>(value - low) / static_cast<double>(high - low);
}

template <class T>
T& element(std::vector<T>& values, std::size_t index) {
    if (index >= values.size()) values.resize(std::max(index + 1, 2 * values.size()));
    return values[index];
}

/// A decoding sequence attends to at least one token: its own.
std::int64_t context_knot(std::size_t knot) {
    return std::max<std::int64_t>(1, context_unit * context_grid.knot(knot));
}

}  // namespace

double accepted_length(const graph::ServingEngine& engine) {
    if (engine.speculative == graph::Speculation::none) return 1.0;
    double length = 1.0;
    double all_right = 1.0;
    double right = engine.acceptance;
    for (std::int64_t i = 0; i < engine.speculative_tokens; ++i) {
        all_right *= right;
        length += all_right;
        right *= engine.acceptance_decay;
    }
    return length;
}

void StepTable::serve(StepPlayer& player, const std::string& key) {
    player_ = &player;
    set_adapters(player);
    if (key == key_) return;
    forget();
    key_ = key;
    batches_ = player.batches();
    mixed_rows_ = player.mixed_rows();
    set_speculation(player.scenario().workload.engine);
}

void StepTable::set_adapters(StepPlayer& player) {
    adapters_ = {};
    if (player.scenario().workload.traffic.adapters == 0) return;
    const hardware::ClusterSpec& cluster = player.scenario().system.cluster;
    const StepPlayer::AdapterCost cost = player.adapter_cost();
    const double bandwidth = cluster.device.memory.sustained().value();
    const bool replays =
        player.scenario().workload.stack.cuda_graphs && cluster.device.graph_kernel_latency > Seconds{};
    const Seconds launch = cluster.device.kernel_latency;
    adapters_.launches = cost.launches * launch.value();
    adapters_.replayed = cost.launches * (replays ? cluster.device.graph_kernel_latency : launch).value();
    adapters_.adapter = cost.weight_bytes / bandwidth;
    adapters_.token = cost.token_bytes / bandwidth;
    if (cluster.host.bandwidth.value() <= 0.0)
        throw ModelError(
            "traffic.adapters: they are loaded from the host, and the cluster states no host.bandwidth");
    adapters_.load = cost.memory / cluster.host.bandwidth.value();
}

void StepTable::set_speculation(const graph::ServingEngine& engine) {
    using graph::Speculation;
    tokens_a_step_ = accepted_length(engine);
    draft_tokens_ = engine.speculative == Speculation::none ? 0 : engine.speculative_tokens;
    draft_share_ = engine.speculative == Speculation::mtp ? 1.0 / static_cast<double>(player_->layers())
                                                          : engine.draft_share;
}

void StepTable::forget() {
    key_.clear();
    decode_.clear();
    lines_.clear();
    prompt_.clear();
    without_attention_.clear();
    played_ = 0;
}

const StepTable::Step& StepTable::decode_step(std::int64_t sequences, std::size_t knot) {
    if (Step& step = element(element(decode_, static_cast<std::size_t>(sequences)), knot); step.time > 0.0)
        return step;
    // In a pipeline, the number of sequences must be divisible by the number of parts.
    const std::int64_t parts = std::min(player_->parts(), sequences);
    const std::size_t below = sequence_grid.below(sequences / parts);
    const std::int64_t low = parts * sequence_grid.knot(below);
    const std::int64_t high = low == sequences ? low : parts * sequence_grid.knot(below + 1);
    Step result;
    if (low == high) {
        result = player_->decode(sequences, context_knot(knot));
        ++played_;
    } else {
        const Step less = decode_step(low, knot);
        const Step more = decode_step(high, knot);
        const double share = share_of(sequences, low, high);
        result = {between(less.time, more.time, share), between(less.attention, more.attention, share)};
    }
    return decode_[static_cast<std::size_t>(sequences)][knot] = result;
}

/// Attention reads the cache once for all draft tokens of a sequence. Everything else takes as long as with
/// correspondingly more sequences, recurrent layers too: they keep a state after each draft token, since
/// that after the last accepted one goes on.
StepTable::Step StepTable::token_step(std::int64_t sequences, std::size_t knot) {
    const Step own = decode_step(sequences, knot);
    if (draft_tokens_ == 0) return own;
    const std::int64_t checked = sequences * (draft_tokens_ + 1);
    const Step all = decode_step(checked, knot);
    const double read_again = cache_reading(checked, knot) - cache_reading(sequences, knot);
    const double time = all.time - read_again + drafting(own);
    return {time / tokens_a_step_, (all.attention - read_again) / tokens_a_step_};
}

/// The part of attention that grows with the context.
double StepTable::cache_reading(std::int64_t sequences, std::size_t knot) {
    const double attention = decode_step(sequences, knot).attention;
    return std::max(0.0, attention - decode_step(sequences, 0).attention);
}

const StepTable::Line& StepTable::line(const Decodes& decodes) {
    const std::int64_t mean = decodes.context / decodes.sequences;
    const std::size_t knot = context_grid.below(mean / context_unit);
    Line& line = element(element(lines_, static_cast<std::size_t>(decodes.sequences)), knot);
    if (line.known) return line;
    const Step low = token_step(batches_ * decodes.sequences, knot);
    const Step high = token_step(batches_ * decodes.sequences, knot + 1);
    const std::int64_t from = context_knot(knot) * decodes.sequences;
    const std::int64_t to = context_knot(knot + 1) * decodes.sequences;
    const auto length = static_cast<double>(to - from);
    Line found;
    // More context never reduces the time, but measured tables have noise.
    found.time.per_token = std::max<Ticks>(0, step_ticks((high.time - low.time) / length));
    found.time.base = step_ticks(low.time) - found.time.per_token * from;
    found.time.last_context = to - 1;
    found.attention_per_token = (high.attention - low.attention) / length;
    found.attention = low.attention - found.attention_per_token * static_cast<double>(from);
    found.drafting = drafting(decode_step(batches_ * decodes.sequences, knot));
    found.known = true;
    return line = found;
}

/// Size of the captured graph for this number of sequences: 1, 2, 4, a multiple of graph_batch, or, beyond
/// graph_double_from, this times a power of two. TensorRT-LLM and SGLang capture none beyond the largest
/// batch, which has a graph of its own; vLLM captures sizes up to twice that (`_set_cudagraph_sizes` of
/// vllm/config).
std::int64_t StepTable::padded(std::int64_t sequences) const {
    const graph::ServingEngine& engine = player_->scenario().workload.engine;
    const std::int64_t multiple = engine.graph_batch;
    if (multiple == 0) return sequences;
    const bool captures_more = engine.scheduler == graph::Scheduler::vllm && engine.graph_double_from == 0;
    const std::int64_t most = engine.max_sequences / batches_ * (captures_more ? 2 : 1);
    const auto captured = [&](std::int64_t size) { return std::max(sequences, std::min(size, most)); };
    for (const std::int64_t few : {1, 2, 4}) {
        if (sequences <= few && few < multiple) return captured(few);
    }
    std::int64_t size = (sequences + multiple - 1) / multiple * multiple;
    if (engine.graph_double_from > 0 && size > engine.graph_double_from) {
        size = engine.graph_double_from;
        while (size < sequences) size *= 2;
    }
    return captured(size);
}

/// Padding sequences attend to one token each.
DecodeLine StepTable::decode(const Decodes& decodes) {
    const std::int64_t padding = padded(decodes.sequences) - decodes.sequences;
    DecodeLine time = line({decodes.sequences + padding, decodes.context + padding}).time;
    time.base += time.per_token * padding;
    time.last_context -= padding;
    return time;
}

std::int64_t StepTable::prompt_knot(std::size_t knot) const {
    return player_->prompt_unit() * prompt_grid.knot(knot);
}

/// \param knot  >= 1
const StepTable::Step& StepTable::prompt_step(std::size_t knot) {
    if (const Step& step = element(prompt_, knot); step.time > 0.0) return step;
    const Step step = player_->prompt(prompt_knot(knot));
    ++played_;
    return prompt_[knot] = step;
}

template <class Quantity>
double StepTable::interpolated(std::int64_t tokens, Quantity quantity) {
    const std::size_t knot = std::max<std::size_t>(1, prompt_grid.below(tokens / player_->prompt_unit()));
    const std::int64_t low = prompt_knot(knot);
    if (tokens <= low) return quantity(knot);
    return between(quantity(knot), quantity(knot + 1), share_of(tokens, low, prompt_knot(knot + 1)));
}

double StepTable::without_attention(std::int64_t tokens) {
    const double known = element(without_attention_, static_cast<std::size_t>(tokens));
    if (known > 0.0) return known;
    const double time = interpolated(tokens, [&](std::size_t knot) {
        const Step& step = prompt_step(knot);
        return step.time - step.attention;
    });
    return without_attention_[static_cast<std::size_t>(tokens)] = time;
}

double StepTable::shared(std::int64_t tokens) {
    return interpolated(tokens, [&](std::size_t knot) { return prompt_step(knot).shared; });
}

/// Attention time of the first tokens of a prompt. The time per token is interpolated linearly between knots;
/// if it is proportional to the number of preceding tokens, the result is exact.
double StepTable::attention_until(std::int64_t tokens) {
    if (tokens == 0) return 0.0;
    const double each = interpolated(tokens, [&](std::size_t knot) {
        return prompt_step(knot).attention / static_cast<double>(prompt_knot(knot));
    });
    return each * static_cast<double>(tokens);
}

double StepTable::attention_of(std::span<const Chunk> chunks) {
    double time = 0.0;
    for (const Chunk& chunk : chunks) {
        // Measured tables have noise.
        time += std::max(0.0, attention_until(chunk.before + chunk.tokens) - attention_until(chunk.before));
    }
    return time;
}

/// A tile of few rows attends to the whole context, as the last rows of a prompt do.
double StepTable::attention_of(const Decodes& decodes) {
    const Line& own = line(decodes);
    const double time =
        tokens_a_step_ * (own.attention + own.attention_per_token * static_cast<double>(decodes.context));
    if (mixed_rows_ == 0.0) return time;
    const std::int64_t context = decodes.context / decodes.sequences;
    const auto rows = static_cast<std::int64_t>(mixed_rows_);
    const double tile = attention_until(context + rows) - attention_until(context);
    return std::max(time, static_cast<double>(decodes.sequences) * tile);
}

std::int64_t StepTable::tokens_of(const Batch& batch) const {
    std::int64_t tokens = batch.decodes.sequences * (draft_tokens_ + 1);
    for (const Chunk& chunk : batch.chunks) tokens += chunk.tokens;
    return tokens;
}

StepTable::Besides StepTable::besides(const Batch& batch) {
    const Decodes& decodes = batch.decodes;
    Besides parts{attention_of(batch.chunks), 0.0};
    if (decodes.sequences == 0) return parts;
    const Line& own = line(decodes);
    parts.attention += attention_of(decodes);
    // The prompts delay one step, while the decode times are per token, which is a fraction of a step.
    const double token = serving::to_seconds(own.time.at(decodes.context));
    if (draft_tokens_ > 0) parts.others = own.drafting - (tokens_a_step_ - 1.0) * token;
    return parts;
}

/// Graphs replay steps that only decode. A step in which any rank reads a prompt is launched on all of them.
Ticks StepTable::launches(std::span<const Batch> ranks) {
    double longest = 0.0;
    for (const Batch& batch : ranks) {
        if (batch.chunks.empty()) continue;
        longest = std::max(longest, interpolated(tokens_of(batch), [&](std::size_t knot) {
                               return prompt_step(knot).launches;
                           }));
    }
    return step_ticks(longest);
}

Ticks StepTable::adapters(const Batch& batch) {
    const bool reads = !batch.chunks.empty();
    const double kernels = (reads ? adapters_.launches : adapters_.replayed) +
                           adapters_.adapter * static_cast<double>(batch.adapters) +
                           adapters_.token * static_cast<double>(tokens_of(batch));
    const double loads = adapters_.load * static_cast<double>(batch.loads);
    // Times of steps that only decode are per generated token.
    return step_ticks((reads ? kernels : kernels / tokens_a_step_) + loads);
}

Ticks StepTable::mixed(std::span<const Chunk> chunks, const Decodes& decodes) {
    const Batch batch{chunks, decodes};
    const Besides parts = besides(batch);
    return step_ticks(without_attention(tokens_of(batch)) + parts.attention + parts.others);
}

Ticks StepTable::together(std::span<const Batch> ranks) {
    const auto reads = [](const Batch& batch) { return !batch.chunks.empty(); };
    if (std::ranges::none_of(ranks, reads)) return StepTime::together(ranks);
    if (ranks.size() == 1) return alone(ranks.front());
    double longest = 0.0;
    std::int64_t all = 0;
    for (const Batch& batch : ranks) {
        if (batch.empty()) continue;
        const std::int64_t tokens = tokens_of(batch);
        all += tokens;
        const Besides parts = besides(batch);
        longest =
            std::max(longest, without_attention(tokens) - shared(tokens) + parts.attention + parts.others);
    }
    const std::int64_t number = std::ssize(ranks);
    return step_ticks(longest + shared((all + number - 1) / number));
}

}  // namespace dse::eval
