#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace dse::trace::msccl::test {

/// The text of an algorithm, block by block.
class AlgorithmText {
  public:
    AlgorithmText(const std::string& collective, int ranks, int chunks, bool in_place = false)
        : head_{
              fmt::format(R"(<algo name="hand" proto="Simple" nchannels="1" nchunksperloop="{}" ngpus="{}" )"
                          R"(coll="{}" inplace="{}">)",
                          chunks, ranks, collective, in_place ? 1 : 0)} {}

    AlgorithmText& gpu(int inputs, int outputs, int scratch = 0) {
        close_gpu();
        text_ += fmt::format(R"(  <gpu id="{}" i_chunks="{}" o_chunks="{}" s_chunks="{}">)", gpus_++, inputs,
                             outputs, scratch) +
                 "\n";
        blocks_ = 0;
        return *this;
    }
    AlgorithmText& block(int send, int receive, int channel = 0) {
        close_block();
        text_ += fmt::format(R"(    <tb id="{}" send="{}" recv="{}" chan="{}">)", blocks_++, send, receive,
                             channel) +
                 "\n";
        in_block_ = true;
        steps_ = 0;
        return *this;
    }
    /// \param source, destination  buffer and first chunk: "i0"
    AlgorithmText& step(const std::string& type, const std::string& source, const std::string& destination,
                        int count = 1, int awaited_block = -1, int awaited_step = -1) {
        text_ +=
            fmt::format(
                R"(      <step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" )"
                R"(depid="{}" deps="{}" hasdep="0"/>)",
                steps_++, type, source.substr(0, 1), source.substr(1), destination.substr(0, 1),
                destination.substr(1), count, awaited_block, awaited_step) +
            "\n";
        return *this;
    }
    std::string text() {
        close_gpu();
        return head_ + "\n" + text_ + "</algo>\n";
    }

  private:
    void close_block() {
        if (in_block_) text_ += "    </tb>\n";
        in_block_ = false;
    }
    void close_gpu() {
        close_block();
        if (gpus_ > closed_) text_ += "  </gpu>\n";
        closed_ = gpus_;
    }

    std::string head_;
    std::string text_;
    int gpus_{0};
    int closed_{0};
    int blocks_{0};
    int steps_{0};
    bool in_block_{false};
};

/// All-reduce of two chunks among two ranks: each reduces one, and sends the sum.
inline std::string pair_all_reduce(bool in_place = true) {
    AlgorithmText text{"allreduce", 2, 2, in_place};
    for (int rank = 0; rank < 2; ++rank) {
        const int peer = 1 - rank;
        const std::string own = "i" + std::to_string(rank);
        const std::string other = "i" + std::to_string(peer);
        text.gpu(2, 2).block(peer, peer);
        text.step("s", other, other).step("rrcs", own, own).step("r", other, other);
    }
    return text.text();
}

}  // namespace dse::trace::msccl::test
