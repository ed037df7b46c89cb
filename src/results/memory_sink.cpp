#include "dse/results/memory_sink.hpp"

#include <iterator>

namespace dse::results {
namespace {

template <class T>
void move_to_end(std::vector<T>& from, std::vector<T>& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from.clear();
}

}  // namespace

void MemorySink::write(std::span<const space::Record> records) {
    pending_records_.insert(pending_records_.end(), records.begin(), records.end());
}

void MemorySink::cover(const Coverage& coverage) {
    pending_coverage_.push_back(coverage);
}

void MemorySink::flush() {
    move_to_end(pending_records_, records_);
    move_to_end(pending_coverage_, coverage_);
}

}  // namespace dse::results
