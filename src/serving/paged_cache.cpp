#include "dse/serving/paged_cache.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::serving {

PagedCache::PagedCache(std::int64_t pages, std::int64_t page_tokens)
    : pages_{pages}, page_tokens_{page_tokens}, free_{pages} {
    DSE_EXPECT(pages >= 0 && page_tokens >= 1);
    crossing_.assign(static_cast<std::size_t>(page_tokens), 0);
}

void PagedCache::take(std::int64_t pages) {
    DSE_EXPECT(pages <= free_);
    free_ -= pages;
}

void PagedCache::give(std::int64_t pages) {
    free_ += pages;
    DSE_ENSURE(free_ <= pages_);
}

std::size_t PagedCache::phase(std::int64_t step) const {
    const std::int64_t rest = step % page_tokens_;
    return static_cast<std::size_t>(rest < 0 ? rest + page_tokens_ : rest);
}

void PagedCache::join(std::int64_t offset) {
    ++crossing_[phase(-offset)];
    ++decoding_;
}

void PagedCache::leave(std::int64_t offset) {
    --crossing_[phase(-offset)];
    --decoding_;
}

std::int64_t PagedCache::needed(std::int64_t step) const {
    return crossing_[phase(step)];
}

std::int64_t PagedCache::steps_that_fit(std::int64_t step, std::int64_t most) const {
    if (decoding_ == 0 || decoding_ * (most / page_tokens_ + 1) <= free_) return most;
    // Each sequence needs one page in every `page_tokens_` steps.
    const std::int64_t rounds = free_ / decoding_;
    std::int64_t left = free_ - rounds * decoding_;
    std::int64_t steps = rounds * page_tokens_;
    for (std::size_t at = phase(step); steps < most && crossing_[at] <= left; at = after(at)) {
        left -= crossing_[at];
        ++steps;
    }
    return std::min(steps, most);
}

std::int64_t PagedCache::advance(std::int64_t step, std::int64_t steps) {
    std::int64_t pages = steps / page_tokens_ * decoding_;
    std::size_t at = phase(step);
    for (std::int64_t left = steps % page_tokens_; left > 0; --left) {
        pages += crossing_[at];
        at = after(at);
    }
    take(pages);
    return pages;
}

}  // namespace dse::serving
