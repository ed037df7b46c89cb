#pragma once

#include <cstdint>
#include <vector>

namespace dse::serving {

/// Pages that hold these tokens.
inline std::int64_t pages_for(std::int64_t tokens, std::int64_t page_tokens) {
    return (tokens + page_tokens - 1) / page_tokens;
}

/// Pages of a KV cache: how many are free, and when sequences that decode in lockstep need more of them. A
/// sequence with c tokens cached before a step needs another page in that step if c is a multiple of the page
/// size in tokens.
class PagedCache {
  public:
    PagedCache(std::int64_t pages, std::int64_t page_tokens);

    [[nodiscard]] std::int64_t pages() const { return pages_; }
    [[nodiscard]] std::int64_t free() const { return free_; }
    [[nodiscard]] std::int64_t used() const { return pages_ - free_; }
    [[nodiscard]] std::int64_t pages_of(std::int64_t tokens) const { return pages_for(tokens, page_tokens_); }

    /// \param pages  at most free()
    void take(std::int64_t pages);
    void give(std::int64_t pages);

    /// A sequence starts decoding. \param offset  its cached tokens minus the step number
    void join(std::int64_t offset);
    void leave(std::int64_t offset);

    /// Pages that the decoding sequences need in this step.
    [[nodiscard]] std::int64_t needed(std::int64_t step) const;
    /// Number of steps, at most `most`, starting with this one, for which there are enough free pages.
    [[nodiscard]] std::int64_t steps_that_fit(std::int64_t step, std::int64_t most) const;
    /// Takes the pages that the next `steps` steps need; they must be free. \returns the number of pages
    std::int64_t advance(std::int64_t step, std::int64_t steps);

  private:
    /// The step number, modulo the page size in tokens, at which a sequence needs a page.
    [[nodiscard]] std::size_t phase(std::int64_t step) const;
    /// The phase of the step after one of this phase.
    [[nodiscard]] std::size_t after(std::size_t phase) const {
        return phase + 1 == crossing_.size() ? 0 : phase + 1;
    }

    std::int64_t pages_;
    std::int64_t page_tokens_;
    std::int64_t free_;
    std::int64_t decoding_{0};
    std::vector<std::int64_t> crossing_;  ///< sequences by phase
};

}  // namespace dse::serving
