#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dse::trace::msccl {

enum class Buffer : std::uint8_t { input, output, scratch };
inline constexpr std::size_t buffer_count = 3;

/// Chunks of a buffer, from an index on.
struct ChunkRef {
    Buffer buffer{Buffer::input};
    std::int64_t first{0};
};

/// One step of a thread block.
struct Step {
    enum class Kind : std::uint8_t {
        nop,                       ///< only waits
        send,                      ///< sends its source
        receive,                   ///< stores what it receives at its destination
        receive_copy_send,         ///< likewise, and sends it on
        receive_reduce_send,       ///< sends the sum of what it receives and of its source
        receive_reduce_copy,       ///< stores this sum
        receive_reduce_copy_send,  ///< stores it and sends it
        copy,                      ///< stores its source at its destination
        reduce,                    ///< adds its source to its destination
    };
    struct Place {
        std::size_t block;  ///< index in its rank
        std::size_t step;
    };

    Kind kind{Kind::nop};
    ChunkRef source;
    ChunkRef destination;
    std::int64_t count{1};        ///< chunks
    std::optional<Place> awaits;  ///< a step of its rank that must have ended
    std::size_t line{0};

    [[nodiscard]] bool sends() const;
    [[nodiscard]] bool receives() const;
    [[nodiscard]] bool reduces() const;
    [[nodiscard]] bool reads_source() const;
    [[nodiscard]] bool stores() const;
};

/// Steps that a rank executes one after the other, over one connection in each direction.
struct ThreadBlock {
    std::int64_t id{0};
    std::int64_t send_peer{-1};     ///< -1: none
    std::int64_t receive_peer{-1};  ///< -1: none
    std::int64_t channel{0};
    std::vector<Step> steps;
};

struct AlgorithmRank {
    std::array<std::int64_t, buffer_count> chunks{};  ///< by Buffer
    std::vector<ThreadBlock> blocks;
};

/// A collective algorithm as MSCCL and RCCL execute it. The whole vector of a collective (of an all-gather
/// the gathered one) consists of chunks_per_loop chunks.
struct Algorithm {
    std::string path;
    std::string name;
    std::string collective;  ///< allreduce, allgather, reducescatter, alltoall, …
    std::int64_t chunks_per_loop{1};
    std::int64_t channels{1};  ///< above all channels of its blocks
    bool in_place{false};      ///< input and output are the same memory
    std::vector<AlgorithmRank> ranks;

    /// "'a.xml': line 7: rank 0, block 1, step 2"
    [[nodiscard]] std::string place(std::size_t rank, std::size_t block, std::size_t step) const;
};

/// Reads an algorithm in MSCCL's XML.
/// \throws InputError with the line, for what is not XML or not an algorithm: unknown elements; ranks, blocks
///         or steps that are missing or given twice; peers and chunks that do not exist; two blocks of a rank
///         that send to or receive from the same peer on the same channel
/// Source: microsoft/msccl, src/misc/msccl, and ROCm/rccl, src/misc/msccl/msccl_parser.cc.
Algorithm read_algorithm(const std::string& path);
/// The same for the text of a file.
Algorithm parse_algorithm(const std::string& text, const std::string& path);

}  // namespace dse::trace::msccl
