#include "dse/trace/msccl/run_algorithm.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::trace::msccl {
namespace {

/// The input chunks whose sum a chunk holds, ascending; one that was added twice stands there twice. Null:
/// never written.
using Sum = std::shared_ptr<const std::vector<std::uint64_t>>;

Sum sum_of(const Sum& a, const Sum& b) {
    if (!a || !b) return nullptr;
    std::vector<std::uint64_t> all;
    std::ranges::merge(*a, *b, std::back_inserter(all));
    return std::make_shared<const std::vector<std::uint64_t>>(std::move(all));
}

std::uint64_t input_chunk(std::size_t rank, std::int64_t chunk) {
    return (std::uint64_t{rank} << 32U) | static_cast<std::uint64_t>(chunk);
}
std::string text_of(const Sum& sum) {
    if (!sum) return "nothing that was stored";
    std::string text;
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(sum->size(), most); ++i) {
        text += fmt::format("{}{}.{}", i == 0 ? "" : " + ", (*sum)[i] >> 32U, (*sum)[i] & 0xffffffffU);
    }
    return text + (sum->size() > most ? " + …" : "");
}

/// Sender, receiver, channel.
using Connection = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
using Message = std::vector<Sum>;

class Run {
  public:
    explicit Run(const Algorithm& algorithm) : algorithm_{algorithm} {
        for (std::size_t r = 0; r < algorithm.ranks.size(); ++r) prepare(r);
    }

    AlgorithmRun run() {
        bool goes_on = true;
        while (goes_on) {
            goes_on = false;
            for (std::size_t r = 0; r < algorithm_.ranks.size(); ++r) {
                for (std::size_t b = 0; b < algorithm_.ranks[r].blocks.size(); ++b)
                    while (advance(r, b)) goes_on = true;
            }
        }
        require_end();
        compare();
        return std::move(result_);
    }

  private:
    struct Memory {
        std::array<std::vector<Sum>, buffer_count> buffers;
        std::vector<std::size_t> done;  ///< by block: steps that have ended
    };

    /// Where the chunks of a buffer are: input and output may be the same memory.
    struct Slot {
        std::size_t buffer;
        std::int64_t first;
    };
    [[nodiscard]] Slot slot(std::size_t rank, const ChunkRef& chunks) const {
        const AlgorithmRank& own = algorithm_.ranks[rank];
        const auto inputs = own.chunks[0];
        const auto outputs = own.chunks[1];
        if (!algorithm_.in_place || chunks.buffer == Buffer::scratch)
            return {static_cast<std::size_t>(chunks.buffer), chunks.first};
        const auto shift = static_cast<std::int64_t>(rank);
        // The smaller of both is a rank's part of the larger.
        if (inputs < outputs)
            return {1, chunks.first + (chunks.buffer == Buffer::input ? shift * inputs : 0)};
        return {0,
                chunks.first + (chunks.buffer == Buffer::output && outputs < inputs ? shift * outputs : 0)};
    }
    Sum& chunk(std::size_t rank, ChunkRef chunks, std::int64_t number) {
        const Slot where = slot(rank, chunks);
        std::vector<Sum>& buffer = memories_[rank].buffers[where.buffer];
        const auto index = static_cast<std::size_t>(where.first + number);
        // In place, a part may lie beyond what the file says of the larger buffer.
        if (index >= buffer.size()) buffer.resize(index + 1);
        return buffer[index];
    }

    void prepare(std::size_t rank) {
        const AlgorithmRank& own = algorithm_.ranks[rank];
        Memory& memory = memories_.emplace_back();
        for (std::size_t b = 0; b < buffer_count; ++b)
            memory.buffers[b].resize(static_cast<std::size_t>(own.chunks[b]));
        memory.done.assign(own.blocks.size(), 0);
        for (std::int64_t c = 0; c < own.chunks[0]; ++c) {
            chunk(rank, {Buffer::input, 0}, c) =
                std::make_shared<const std::vector<std::uint64_t>>(1, input_chunk(rank, c));
        }
    }

    [[nodiscard]] Connection incoming(std::size_t rank, const ThreadBlock& block) const {
        return {block.receive_peer, static_cast<std::int64_t>(rank), block.channel};
    }

    /// Executes the next step of a block. \return whether it could
    bool advance(std::size_t rank, std::size_t number) {
        const ThreadBlock& block = algorithm_.ranks[rank].blocks[number];
        const std::size_t at = memories_[rank].done[number];
        if (at == block.steps.size()) return false;
        const Step& step = block.steps[at];
        if (step.awaits && memories_[rank].done[step.awaits->block] <= step.awaits->step) return false;
        Message received;
        if (step.receives()) {
            std::deque<Message>& queue = messages_[incoming(rank, block)];
            if (queue.empty()) return false;
            received = std::move(queue.front());
            queue.pop_front();
            if (std::ssize(received) != step.count) {
                throw InputError(fmt::format("{}: it receives {} chunks where {} are sent",
                                             algorithm_.place(rank, number, at), step.count,
                                             received.size()));
            }
        }
        execute(rank, block, step, received);
        result_.order.push_back({rank, number, at});
        ++memories_[rank].done[number];
        return true;
    }

    void execute(std::size_t rank, const ThreadBlock& block, const Step& step, const Message& received) {
        Message sent;
        for (std::int64_t c = 0; c < step.count && step.kind != Step::Kind::nop; ++c) {
            Sum value = step.receives() ? received[static_cast<std::size_t>(c)] : chunk(rank, step.source, c);
            if (step.reduces())
                value = sum_of(value, chunk(rank, step.receives() ? step.source : step.destination, c));
            if (step.stores()) chunk(rank, step.destination, c) = value;
            if (step.sends()) sent.push_back(std::move(value));
        }
        if (step.sends())
            messages_[{static_cast<std::int64_t>(rank), block.send_peer, block.channel}].push_back(
                std::move(sent));
    }

    void require_end() const {
        std::string stuck;
        std::size_t count = 0;
        for (std::size_t r = 0; r < algorithm_.ranks.size(); ++r) {
            for (std::size_t b = 0; b < algorithm_.ranks[r].blocks.size(); ++b) {
                const std::size_t at = memories_[r].done[b];
                constexpr std::size_t most = 8;
                if (at == algorithm_.ranks[r].blocks[b].steps.size() || ++count > most) continue;
                stuck += "\n  " + algorithm_.place(r, b, at) + waits_for(r, b, at);
            }
        }
        if (count > 0) throw InputError(fmt::format("{} blocks wait for ever:{}", count, stuck));
        for (const auto& [connection, queue] : messages_) {
            const auto& [from, to, channel] = connection;
            if (queue.empty()) continue;
            throw InputError(
                fmt::format("'{}': rank {} does not receive {} messages of rank {} on channel {}",
                            algorithm_.path, to, queue.size(), from, channel));
        }
    }

    [[nodiscard]] std::string waits_for(std::size_t rank, std::size_t number, std::size_t at) const {
        const ThreadBlock& block = algorithm_.ranks[rank].blocks[number];
        const auto& awaits = block.steps[at].awaits;
        if (awaits && memories_[rank].done[awaits->block] <= awaits->step) {
            return fmt::format(" waits for step {} of block {}", awaits->step,
                               algorithm_.ranks[rank].blocks[awaits->block].id);
        }
        return fmt::format(" waits for a message of rank {} on channel {}", block.receive_peer,
                           block.channel);
    }

    /// The input chunks whose sum the collective leaves in an output chunk; nothing if that is not known.
    [[nodiscard]] std::optional<std::vector<std::uint64_t>> expected(std::size_t rank,
                                                                     std::int64_t chunk) const {
        const auto ranks = std::ssize(algorithm_.ranks);
        const AlgorithmRank& own = algorithm_.ranks[rank];
        const auto of_all = [&](std::int64_t index) {
            std::vector<std::uint64_t> all;
            for (std::size_t r = 0; r < algorithm_.ranks.size(); ++r) all.push_back(input_chunk(r, index));
            return all;
        };
        const auto from = [](std::int64_t other, std::int64_t index) {
            return std::vector{input_chunk(static_cast<std::size_t>(other), index)};
        };
        const std::int64_t whole = algorithm_.chunks_per_loop;
        if (algorithm_.collective == "allreduce") return of_all(chunk);
        if (whole % ranks != 0) return std::nullopt;
        const std::int64_t part = whole / ranks;
        const auto self = static_cast<std::int64_t>(rank);
        if (algorithm_.collective == "allgather") return from(chunk / part, chunk % part);
        if (algorithm_.collective == "reducescatter") return of_all(self * part + chunk);
        if (algorithm_.collective == "alltoall" && own.chunks[0] >= whole)
            return from(chunk / part, self * part + chunk % part);
        return std::nullopt;
    }

    [[nodiscard]] std::int64_t outputs() const {
        const std::int64_t whole = algorithm_.chunks_per_loop;
        return algorithm_.collective == "reducescatter" ? whole / std::ssize(algorithm_.ranks) : whole;
    }

    void compare() {
        for (std::size_t r = 0; r < algorithm_.ranks.size(); ++r) {
            for (std::int64_t c = 0; c < outputs(); ++c) {
                const auto right = expected(r, c);
                if (!right) return;
                result_.is_checked = true;
                const Sum& is = chunk(r, {Buffer::output, 0}, c);
                if (is && *is == *right) continue;
                if (result_.wrong++ > 0) continue;
                result_.example =
                    fmt::format("chunk {} of rank {} is {}, not {}", c, r, text_of(is),
                                text_of(std::make_shared<const std::vector<std::uint64_t>>(*right)));
            }
        }
    }

    const Algorithm& algorithm_;
    std::vector<Memory> memories_;
    std::map<Connection, std::deque<Message>> messages_;
    AlgorithmRun result_;
};

}  // namespace

AlgorithmRun run_algorithm(const Algorithm& algorithm) {
    return Run{algorithm}.run();
}

}  // namespace dse::trace::msccl
