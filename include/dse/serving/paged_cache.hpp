#pragma once

#include <cstdint>
#include <vector>

namespace dse::serving {

/// Pages of a cache of keys and values: how many are free, and when sequences that decode in step with each
/// other need more of them. A sequence that has c tokens cached before a step needs a page more in that step
/// where c is a multiple of the tokens of a page.
class PagedCache {
  public:
    PagedCache(std::int64_t pages, std::int64_t page_tokens);

    [[nodiscard]] std::int64_t pages() const { return pages_; }
    [[nodiscard]] std::int64_t free() const { return free_; }
    [[nodiscard]] std::int64_t used() const { return pages_ - free_; }
    [[nodiscard]] std::int64_t pages_of(std::int64_t tokens) const {
        return (tokens + page_tokens_ - 1) / page_tokens_;
    }

    /// \param pages  at most free()
    void take(std::int64_t pages);
    void give(std::int64_t pages);

    /// A sequence decodes from now on. \param offset  its cached tokens less the number of the step
    void join(std::int64_t offset);
    void leave(std::int64_t offset);

    /// Pages that those which decode need in this step.
    [[nodiscard]] std::int64_t needed(std::int64_t step) const;
    /// Of `most` steps from this one on, how many find the pages that they need.
    [[nodiscard]] std::int64_t steps_that_fit(std::int64_t step, std::int64_t most) const;
    /// Takes the pages that so many steps need, which have to be free. \returns how many
    std::int64_t advance(std::int64_t step, std::int64_t steps);

  private:
    /// The steps, modulo the tokens of a page, at which a sequence needs a page.
    [[nodiscard]] std::size_t phase(std::int64_t step) const;

    std::int64_t pages_;
    std::int64_t page_tokens_;
    std::int64_t free_;
    std::int64_t decoding_{0};
    std::vector<std::int64_t> crossing_;  ///< sequences by phase
};

}  // namespace dse::serving
