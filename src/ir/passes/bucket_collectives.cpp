#include "dse/ir/passes/bucket_collectives.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "program_copy.hpp"

namespace dse::ir {
namespace {

struct Bucket {
    std::vector<std::size_t> members;  ///< operations of one computation, in order
    std::vector<std::size_t> waits;    ///< waits for members that precede the last member
    double bytes{0};
};

bool is_bucketed(Opcode opcode) {
    return opcode == Opcode::all_reduce || opcode == Opcode::all_gather || opcode == Opcode::reduce_scatter;
}

/// The buckets of a computation. At any time at most one is open per kind and groups.
class Buckets {
  public:
    Buckets(const Program& program, ComputationId id, double largest)
        : program_{program}, operations_{program[id].operations}, largest_{largest} {
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            if (!is_wait(i)) close_those_read_by(i);
            if (is_bucketed(operations_[i].opcode) && operations_[i].results.count == 1) add(i);
        }
        while (!open_.empty()) close(0);
    }
    [[nodiscard]] const std::vector<Bucket>& get() const { return closed_; }

  private:
    /// A wait for a member is deferred until its bucket is closed.
    bool is_wait(std::size_t i) {
        if (operations_[i].opcode != Opcode::wait || operations_[i].operands.count != 1) return false;
        const auto found = pending_.find(program_.operands(operations_[i]).front());
        if (found == pending_.end()) return false;
        open_[found->second].waits.push_back(i);
        pending_[Program::result(operations_[i])] = found->second;
        return true;
    }

    void close_those_read_by(std::size_t i) {
        const auto close_if_pending = [this](ValueId value) {
            const auto found = pending_.find(value);
            if (found != pending_.end()) close(found->second);
        };
        for (const ValueId operand : program_.operands(operations_[i])) close_if_pending(operand);
        // A region may read any value.
        if (!program_.called(operations_[i]).empty() &&
            opcode_class(operations_[i].opcode) == OpcodeClass::control) {
            while (!open_.empty()) close(0);
        }
    }

    [[nodiscard]] bool alike(std::size_t a, std::size_t b) const {
        const auto* one = program_.attribute_if<Communication>(operations_[a]);
        const auto* other = program_.attribute_if<Communication>(operations_[b]);
        return operations_[a].opcode == operations_[b].opcode && one != nullptr && other != nullptr &&
               one->groups == other->groups && one->mode == other->mode &&
               one->process_group == other->process_group && one->group_size == other->group_size;
    }

    void add(std::size_t i) {
        double bytes = 0.0;
        for (const ValueId operand : program_.operands(operations_[i]))
            bytes += program_.types.bytes(program_.type_of(operand));
        std::optional<std::size_t> chosen;
        for (std::size_t b = 0; b < open_.size() && !chosen; ++b) {
            if (alike(open_[b].members.front(), i)) chosen = b;
        }
        if (chosen && open_[*chosen].bytes + bytes > largest_) {
            close(*chosen);
            chosen.reset();
        }
        if (!chosen) {
            chosen = open_.size();
            open_.emplace_back();
        }
        open_[*chosen].members.push_back(i);
        open_[*chosen].bytes += bytes;
        pending_[Program::result(operations_[i])] = *chosen;
    }

    void close(std::size_t bucket) {
        Bucket& done = open_[bucket];
        // Waits after the last member stay where they are.
        std::erase_if(done.waits, [&](std::size_t wait) { return wait > done.members.back(); });
        if (done.members.size() > 1) closed_.push_back(done);
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(bucket));
        std::erase_if(pending_, [&](const auto& entry) { return entry.second == bucket; });
        for (auto& [value, number] : pending_) number -= number > bucket ? 1 : 0;
    }

    const Program& program_;
    const std::vector<Operation>& operations_;
    double largest_;
    std::vector<Bucket> open_;
    std::map<ValueId, std::size_t> pending_;  ///< results of members and of their waits: index of the open
                                              ///< bucket
    std::vector<Bucket> closed_;
};

class BucketWriter {
  public:
    BucketWriter(const Program& program, double largest)
        : program_{program}, largest_{largest}, copy_{program} {}

    Program run() {
        return copy_.write_all([this](ComputationId old, ComputationId now) { write(old, now); });
    }

  private:
    void write(ComputationId id, ComputationId now) {
        const std::vector<Operation>& operations = program_[id].operations;
        const Buckets buckets(program_, id, largest_);
        std::map<std::size_t, const Bucket*> last_of;
        std::vector<char> left_out(operations.size(), 0);
        for (const Bucket& bucket : buckets.get()) {
            last_of[bucket.members.back()] = &bucket;
            for (const std::size_t member : bucket.members) left_out[member] = 1;
            for (const std::size_t wait : bucket.waits) left_out[wait] = 1;
        }
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (left_out[i] == 0) copy_.copy(operations[i], now, program_.called(operations[i]));
            const auto found = last_of.find(i);
            if (found != last_of.end()) merge(operations, *found->second, now);
        }
    }

    void merge(const std::vector<Operation>& operations, const Bucket& bucket, ComputationId now) {
        const Operation& first = operations[bucket.members.front()];
        std::vector<ValueId> operands;
        std::vector<TypeId> types;
        for (const std::size_t member : bucket.members) {
            for (const ValueId operand : program_.operands(operations[member]))
                operands.push_back(copy_[operand]);
            types.push_back(program_.type_of(Program::result(operations[member])));
        }
        ProgramBuilder::Draft draft = ProgramBuilder::like(first);
        draft.operands = operands;
        draft.results = types;
        draft.called = program_.called(first);
        const Operation added = copy_.builder().append(now, draft);
        for (std::size_t i = 0; i < bucket.members.size(); ++i)
            copy_.set(Program::result(operations[bucket.members[i]]), Program::result(added, i));
        for (const std::size_t wait : bucket.waits)
            copy_.copy(operations[wait], now, program_.called(operations[wait]));
    }

    const Program& program_;
    double largest_;
    ProgramCopy copy_;
};

}  // namespace

Program bucket_collectives(const Program& program, Bytes largest) {
    return BucketWriter{program, largest.value()}.run();
}

}  // namespace dse::ir
