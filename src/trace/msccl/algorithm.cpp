#include "dse/trace/msccl/algorithm.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/node.hpp"
#include "trace/msccl/xml.hpp"

namespace dse::trace::msccl {
namespace {

using Kind = Step::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 9> kinds{{{"nop", Kind::nop},
                                                                  {"s", Kind::send},
                                                                  {"r", Kind::receive},
                                                                  {"rcs", Kind::receive_copy_send},
                                                                  {"rrs", Kind::receive_reduce_send},
                                                                  {"rrc", Kind::receive_reduce_copy},
                                                                  {"rrcs", Kind::receive_reduce_copy_send},
                                                                  {"cpy", Kind::copy},
                                                                  {"re", Kind::reduce}}};
constexpr std::string_view buffers = "ios";
constexpr std::int64_t most_ranks = 65'536;
constexpr std::int64_t most_channels = 1024;
/// Of all buffers of all ranks, and in all steps: a few lines could state more than memory or time allow.
constexpr std::int64_t most_chunks = 1 << 22;
constexpr std::int64_t most_moved = 1 << 26;

/// Converts the elements of one file.
class Converter {
  public:
    explicit Converter(const std::string& path) : path_{path} {}

    Algorithm convert(const XmlElement& root) {
        require_name(root, "algo");
        Algorithm algorithm;
        algorithm.path = path_;
        algorithm.name = root.attribute("name").value_or("");
        algorithm.collective = root.attribute("coll").value_or("");
        algorithm.chunks_per_loop = number(root, "nchunksperloop", 1, most_chunks);
        algorithm.in_place = root.attribute("inplace") && number(root, "inplace", 0, 1) == 1;
        ranks_ = std::ssize(root.children);
        if (ranks_ < 2 || ranks_ > most_ranks) refuse(root, fmt::format("an algorithm of {} ranks", ranks_));
        if (root.attribute("ngpus") && number(root, "ngpus", 1, most_ranks) != ranks_)
            refuse(root, fmt::format("ngpus is not the number of its ranks, {}", ranks_));
        algorithm.ranks.resize(root.children.size());
        std::set<std::int64_t> seen;
        for (const XmlElement& gpu : root.children) {
            require_name(gpu, "gpu");
            const std::int64_t id = number(gpu, "id", 0, ranks_ - 1);
            if (!seen.insert(id).second) refuse(gpu, fmt::format("there is a rank {} already", id));
            algorithm.ranks[static_cast<std::size_t>(id)] = rank(gpu, id);
        }
        algorithm.channels = channels_;
        return algorithm;
    }

  private:
    [[noreturn]] void refuse(const XmlElement& element, const std::string& why) const {
        throw InputError(fmt::format("'{}': line {}: {}", path_, element.line, why));
    }
    void require_name(const XmlElement& element, std::string_view name) const {
        if (element.name != name)
            refuse(element, fmt::format("<{}>, where MSCCL has <{}>", element.name, name));
    }

    [[nodiscard]] std::string_view text(const XmlElement& element, std::string_view name) const {
        const auto value = element.attribute(name);
        if (!value) refuse(element, fmt::format("<{}> has no {}", element.name, name));
        return *value;
    }
    [[nodiscard]] std::int64_t number(const XmlElement& element, std::string_view name, std::int64_t least,
                                      std::int64_t most) const {
        const std::string_view written = text(element, name);
        std::int64_t value = 0;
        const char* const end = written.data() + written.size();
        const auto [rest, error] = std::from_chars(written.data(), end, value);
        if (error != std::errc{} || rest != end || value < least || value > most) {
            refuse(element, fmt::format("{}=\"{}\": expected a whole number between {} and {}", name, written,
                                        least, most));
        }
        return value;
    }

    AlgorithmRank rank(const XmlElement& gpu, std::int64_t id) {
        AlgorithmRank result;
        constexpr std::array<std::string_view, buffer_count> names{"i_chunks", "o_chunks", "s_chunks"};
        for (std::size_t b = 0; b < buffer_count; ++b)
            result.chunks[b] = number(gpu, names[b], 0, most_chunks);
        for (const std::int64_t chunks : result.chunks) chunks_ += chunks;
        if (chunks_ > most_chunks) refuse(gpu, fmt::format("more than {} chunks in all", most_chunks));
        std::map<std::int64_t, std::size_t> index;
        for (const XmlElement& tb : gpu.children) {
            require_name(tb, "tb");
            const std::int64_t block = number(tb, "id", 0, most_chunks);
            if (!index.emplace(block, index.size()).second)
                refuse(tb, fmt::format("rank {} has a block {} already", id, block));
        }
        std::set<std::pair<std::int64_t, std::int64_t>> senders;
        std::set<std::pair<std::int64_t, std::int64_t>> receivers;
        for (const XmlElement& tb : gpu.children) {
            ThreadBlock block;
            block.id = number(tb, "id", 0, most_chunks);
            block.send_peer = peer(tb, "send", id);
            block.receive_peer = peer(tb, "recv", id);
            block.channel = number(tb, "chan", 0, most_channels - 1);
            channels_ = std::max(channels_, block.channel + 1);
            require_unique(tb, senders, block.send_peer, block.channel, "sends to");
            require_unique(tb, receivers, block.receive_peer, block.channel, "receives from");
            for (const XmlElement& element : tb.children)
                block.steps.push_back(step(element, gpu, result, block, index));
            result.blocks.push_back(std::move(block));
        }
        return result;
    }

    [[nodiscard]] std::int64_t peer(const XmlElement& tb, std::string_view name, std::int64_t own) const {
        const std::int64_t result = number(tb, name, -1, ranks_ - 1);
        if (result == own) refuse(tb, fmt::format("{}: rank {} is its own peer", name, own));
        return result;
    }
    void require_unique(const XmlElement& tb, std::set<std::pair<std::int64_t, std::int64_t>>& seen,
                        std::int64_t peer, std::int64_t channel, const char* what) const {
        if (peer < 0 || seen.insert({peer, channel}).second) return;
        refuse(tb, fmt::format("another block of this rank {} rank {} on channel {}", what, peer, channel));
    }

    Step step(const XmlElement& element, const XmlElement& gpu, const AlgorithmRank& rank,
              const ThreadBlock& block, const std::map<std::int64_t, std::size_t>& index) {
        require_name(element, "step");
        const auto own = static_cast<std::int64_t>(block.steps.size());
        if (number(element, "s", 0, most_chunks) != own)
            refuse(element, fmt::format("step {} of its block has another number", own));
        Step result;
        result.line = element.line;
        const std::string_view type = text(element, "type");
        const auto kind = std::ranges::find(kinds, type, [](const auto& each) { return each.first; });
        if (kind == kinds.end()) {
            refuse(element,
                   fmt::format("type=\"{}\": expected nop, s, r, rcs, rrs, rrc, rrcs, cpy or re", type));
        }
        result.kind = kind->second;
        if (result.sends() && block.send_peer < 0) refuse(element, "its block has no peer to send to");
        if (result.receives() && block.receive_peer < 0)
            refuse(element, "its block has no peer to receive from");
        if (result.kind != Kind::nop) result.count = number(element, "cnt", 1, most_chunks);
        moved_ += result.count;
        if (moved_ > most_moved) refuse(element, fmt::format("more than {} chunks are moved", most_moved));
        if (result.reads_source()) result.source = chunks(element, "src", rank, result.count);
        if (result.stores()) result.destination = chunks(element, "dst", rank, result.count);
        result.awaits = awaited(element, gpu, index);
        return result;
    }

    [[nodiscard]] ChunkRef chunks(const XmlElement& element, const std::string& end,
                                  const AlgorithmRank& rank, std::int64_t count) const {
        const std::string_view written = text(element, end + "buf");
        const std::size_t buffer = written.size() == 1 ? buffers.find(written.front()) : buffers.npos;
        if (buffer == buffers.npos)
            refuse(element, fmt::format("{}buf=\"{}\": expected i, o or s", end, written));
        const std::int64_t first = number(element, end + "off", 0, most_chunks);
        if (first + count > rank.chunks[buffer]) {
            refuse(element, fmt::format("chunks {} to {} of buffer {}, which has {}", first,
                                        first + count - 1, written, rank.chunks[buffer]));
        }
        return {static_cast<Buffer>(buffer), first};
    }

    [[nodiscard]] std::optional<Step::Place> awaited(const XmlElement& element, const XmlElement& gpu,
                                                     const std::map<std::int64_t, std::size_t>& index) const {
        const std::int64_t block = number(element, "depid", -1, most_chunks);
        if (block < 0) return std::nullopt;
        const std::int64_t step = number(element, "deps", -1, most_chunks);
        const auto found = index.find(block);
        if (found == index.end() || step < 0 || step >= std::ssize(gpu.children[found->second].children))
            refuse(element,
                   fmt::format("it waits for step {} of block {}, which does not exist", step, block));
        return Step::Place{found->second, static_cast<std::size_t>(step)};
    }

    const std::string& path_;
    std::int64_t ranks_{0};
    std::int64_t channels_{1};
    std::int64_t chunks_{0};
    std::int64_t moved_{0};
};

}  // namespace

bool Step::sends() const {
    return kind == Kind::send || kind == Kind::receive_copy_send || kind == Kind::receive_reduce_send ||
           kind == Kind::receive_reduce_copy_send;
}
bool Step::receives() const {
    return kind != Kind::nop && kind != Kind::send && kind != Kind::copy && kind != Kind::reduce;
}
bool Step::reduces() const {
    return kind == Kind::receive_reduce_send || kind == Kind::receive_reduce_copy ||
           kind == Kind::receive_reduce_copy_send || kind == Kind::reduce;
}
bool Step::reads_source() const {
    return kind == Kind::send || kind == Kind::copy || reduces();
}
bool Step::stores() const {
    return kind != Kind::nop && kind != Kind::send && kind != Kind::receive_reduce_send;
}

std::string Algorithm::place(std::size_t rank, std::size_t block, std::size_t step) const {
    const ThreadBlock& its = ranks[rank].blocks[block];
    return fmt::format("'{}': line {}: rank {}, block {}, step {}", path, its.steps[step].line, rank, its.id,
                       step);
}

Algorithm parse_algorithm(const std::string& text, const std::string& path) {
    return Converter{path}.convert(read_xml(text, path));
}

Algorithm read_algorithm(const std::string& path) {
    return parse_algorithm(config::read_text(path), path);
}

}  // namespace dse::trace::msccl
