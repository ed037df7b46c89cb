#include "app/questions/masked_rows.hpp"

namespace dse::app {

const results::Table& MaskedRows::of(const results::Table& block) {
    const std::span<const space::Status> statuses = filter_.statuses(block);
    if (statuses.data() == block.status.data()) return block;
    rows_ = block;
    rows_.status.assign(statuses.begin(), statuses.end());
    return rows_;
}

}  // namespace dse::app
