// Also tests: chakra/finding.cpp, chakra/program_check.cpp, chakra/meeting_check.cpp
// Also tests: chakra/deadlock_check.cpp
#include "dse/trace/chakra/trace_check.hpp"

#include <gtest/gtest.h>

#include "written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;

/// Traces of some ranks, and what is found in them.
class Job {
  public:
    explicit Job(std::size_t ranks) : ranks_(ranks) {}
    WrittenTrace& operator[](std::size_t rank) { return ranks_[rank]; }

    void group(const std::string& name, std::vector<std::int64_t> members) {
        groups_.emplace_back(name, std::move(members));
    }

    [[nodiscard]] Findings check(Coverage coverage = Coverage::all_ranks) const {
        const dse::test::TemporaryFolder folder;
        for (std::size_t r = 0; r < ranks_.size(); ++r)
            ranks_[r].write(folder, "t." + std::to_string(r) + ".et");
        std::vector<RankFaults> faults;
        const TraceSet set = read_traces(trace_files(folder.path("t")), faults);
        Groups groups{static_cast<std::int64_t>(ranks_.size())};
        for (const auto& [name, members] : groups_) groups.add(name, members);
        return check_traces(set, faults, groups, coverage);
    }

  private:
    std::vector<WrittenTrace> ranks_;
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> groups_;
};

wire::Node& add_kernel(WrittenTrace& trace, std::uint64_t id, std::vector<std::uint64_t> data = {}) {
    wire::Node& node = trace.add(id, "kernel", wire::COMP_NODE, std::move(data));
    attribute(node, "num_ops").set_int64_val(10);
    attribute(node, "tensor_size").set_uint64_val(10);
    attribute(node, "stream").set_int64_val(7);
    return node;
}

wire::Node& add_collective(WrittenTrace& trace, std::uint64_t id, const std::string& group,
                           std::int64_t size) {
    wire::Node& node = trace.add(id, "collective", wire::COMM_COLL_NODE);
    attribute(node, "comm_type").set_int64_val(0);
    attribute(node, "comm_size").set_int64_val(size);
    attribute(node, "pg_name").set_string_val(group);
    attribute(node, "stream").set_int64_val(20 + static_cast<std::int64_t>(id));
    return node;
}

wire::Node& add_message(WrittenTrace& trace, std::uint64_t id, wire::NodeType type, int peer, int tag,
                        std::int64_t size) {
    wire::Node& node = trace.add(id, "message", type);
    attribute(node, type == wire::COMM_SEND_NODE ? "comm_dst" : "comm_src").set_int32_val(peer);
    attribute(node, "comm_tag").set_int32_val(tag);
    attribute(node, "comm_size").set_int64_val(size);
    attribute(node, "stream").set_int64_val(40 + static_cast<std::int64_t>(id));
    return node;
}

std::vector<std::pair<FindingKind, std::uint64_t>> kinds(const Findings& findings) {
    std::vector<std::pair<FindingKind, std::uint64_t>> result;
    for (const Finding& finding : findings.all()) result.emplace_back(finding.kind, finding.count);
    return result;
}
using Kinds = std::vector<std::pair<FindingKind, std::uint64_t>>;

std::string example(const Findings& findings, FindingKind kind) {
    const Finding* finding = findings.find(kind);
    return finding == nullptr ? "nothing of this kind" : finding->examples.front();
}

TEST(TraceCheck, FindsNothingInASoundJob) {
    Job job{2};
    job.group("1", {0, 1});
    for (std::size_t rank = 0; rank < 2; ++rank) {
        add_kernel(job[rank], 1);
        add_kernel(job[rank], 2, {1});
        add_collective(job[rank], 3, "1", 64);
        add_collective(job[rank], 4, "0", 64);
    }
    add_message(job[0], 5, wire::COMM_SEND_NODE, 1, 9, 100);
    add_message(job[1], 5, wire::COMM_RECV_NODE, 0, 9, 100);
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), Kinds{});
    EXPECT_TRUE(findings.ok());
}

TEST(TraceCheck, FindsMembersThatDisagree) {
    Job job{3};
    job.group("1", {0, 1, 2});
    add_collective(job[0], 1, "1", 64);
    add_collective(job[1], 1, "1", 65);
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), (Kinds{{FindingKind::members_disagree, 2}}));
    EXPECT_EQ(findings.find(FindingKind::members_disagree)->examples,
              (std::vector<std::string>{"group '1': rank 0 has 1 all_reduce of 64 bytes, rank 1 has 0",
                                        "group '1': rank 2 has none of the 1 collectives of rank 0"}));
    EXPECT_FALSE(findings.ok());
    EXPECT_TRUE(job.check(Coverage::some_ranks).ok());
}

TEST(TraceCheck, NotesAnotherOrder) {
    Job job{2};
    job.group("1", {0, 1});
    add_collective(job[0], 1, "1", 64);
    add_collective(job[0], 2, "1", 128);
    add_collective(job[1], 1, "1", 128);
    add_collective(job[1], 2, "1", 64);
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), (Kinds{{FindingKind::other_order, 1}}));
    EXPECT_TRUE(findings.ok());
}

TEST(TraceCheck, FindsStrangersAndUnknownGroups) {
    Job job{2};
    job.group("1", {0});
    add_collective(job[0], 1, "1", 64);
    add_collective(job[1], 1, "1", 64);
    add_collective(job[1], 2, "17", 64);
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), (Kinds{{FindingKind::unknown_group, 1}, {FindingKind::not_a_member, 1}}));
    EXPECT_NE(example(findings, FindingKind::not_a_member).find("rank 1 is not in group '1'"),
              std::string::npos);
}

TEST(TraceCheck, FindsMessagesWithoutAnEnd) {
    Job job{2};
    add_message(job[0], 1, wire::COMM_SEND_NODE, 1, 9, 100);
    add_message(job[1], 1, wire::COMM_RECV_NODE, 0, 9, 101);
    add_message(job[0], 2, wire::COMM_SEND_NODE, 7, 9, 100);
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), (Kinds{{FindingKind::bad_peer, 1},
                                      {FindingKind::unmatched_send, 1},
                                      {FindingKind::unmatched_receive, 1}}));
    EXPECT_NE(example(findings, FindingKind::unmatched_send)
                  .find("1 of 100 bytes from rank 0 to rank 1 with tag 9"),
              std::string::npos);
}

TEST(TraceCheck, FindsWhatNodesLack) {
    Job job{1};
    job[0].add(1, "collective", wire::COMM_COLL_NODE);
    job[0].add(2, "send", wire::COMM_SEND_NODE);
    job[0].add(3, "load", wire::MEM_LOAD_NODE);
    job[0].add(4, "nothing", wire::INVALID_NODE);
    job[0].add(5, "kernel", wire::COMP_NODE);
    add_collective(job[0], 6, "", 0);
    // comm_type and comm_size; comm_dst, comm_tag and comm_size; tensor_size
    EXPECT_EQ(kinds(job.check(Coverage::some_ranks)), (Kinds{{FindingKind::invalid_node, 1},
                                                             {FindingKind::missing_attribute, 6},
                                                             {FindingKind::zero_bytes, 1},
                                                             {FindingKind::no_time, 1}}));
}

TEST(TraceCheck, FindsWhatStreamsLost) {
    Job job{1};
    add_kernel(job[0], 1);
    add_kernel(job[0], 2);
    add_kernel(job[0], 3, {2});
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), (Kinds{{FindingKind::unordered_lane, 1}, {FindingKind::nothing_waits, 1}}));
    EXPECT_NE(example(findings, FindingKind::unordered_lane)
                  .find("record 3 (node 2 'kernel'): it does not wait for "
                        "record 2 (node 1 'kernel')"),
              std::string::npos);
}

TEST(TraceCheck, TellsCyclesApart) {
    Job job{1};
    add_kernel(job[0], 1, {2});
    add_kernel(job[0], 2).add_control_dependencies(1);
    const std::string parents = example(job.check(), FindingKind::cycle);
    EXPECT_NE(parents.find(
                  "node 1 'kernel'), which waits for record 3 (node 2 'kernel'), which waits for the first"),
              std::string::npos);
    EXPECT_NE(parents.find("by data alone there is no cycle"), std::string::npos);
    Job worse{1};
    add_kernel(worse[0], 1, {1});
    EXPECT_EQ(example(worse.check(), FindingKind::cycle).find("by data alone"), std::string::npos);
}

TEST(TraceCheck, CountsForEveryRankOfAProgram) {
    Job job{4};
    for (std::size_t rank = 0; rank < 4; ++rank) {
        job[rank].add(1, "a", wire::COMP_NODE, {5}).set_duration_micros(3);
        job[rank].add(2, "b", wire::COMP_NODE, {1});
    }
    // Equal files are read once, so the bad record is told once.
    EXPECT_EQ(kinds(job.check()),
              (Kinds{{FindingKind::bad_record, 1}, {FindingKind::untimed, 4}, {FindingKind::no_streams, 4}}));
}

TEST(Findings, HaveNamesAndSeverities) {
    EXPECT_EQ(name(FindingKind::unmatched_send), "send without receive");
    EXPECT_EQ(severity(FindingKind::unmatched_receive), Severity::error);
    EXPECT_EQ(severity(FindingKind::counted_in_elements), Severity::warning);
    EXPECT_EQ(severity(FindingKind::no_streams), Severity::note);
    EXPECT_EQ(name(FindingKind::no_streams), "no streams");
    EXPECT_NE(meaning(FindingKind::cycle).find("ever start"), std::string::npos);
    Findings findings;
    for (int n = 0; n < 20; ++n) findings.add(FindingKind::zero_bytes, std::to_string(n));
    findings.add(FindingKind::cycle, "c");
    EXPECT_EQ(findings.all().front().kind, FindingKind::cycle);
    EXPECT_EQ(findings.find(FindingKind::zero_bytes)->count, 20U);
    EXPECT_EQ(findings.find(FindingKind::zero_bytes)->examples.size(), Finding::most_examples);
}

enum class Order { by_data, none };

wire::Node& add_on_stream(WrittenTrace& trace, std::uint64_t id, const std::string& group,
                          std::int64_t stream) {
    wire::Node& node = trace.add(id, "collective", wire::COMM_COLL_NODE);
    attribute(node, "comm_type").set_int64_val(0);
    attribute(node, "comm_size").set_int64_val(8);
    attribute(node, "pg_name").set_string_val(group);
    attribute(node, "stream").set_int64_val(stream);
    return node;
}

/// Collective 1 in one group, and collective 2 in another.
void add_two(WrittenTrace& trace, const std::string& first, const std::string& second, Order order,
             std::int64_t streams) {
    for (const std::uint64_t id : {1U, 2U}) {
        wire::Node& node = add_on_stream(trace, id, id == 1 ? first : second,
                                         7 + (streams > 1 ? static_cast<std::int64_t>(id) : 0));
        if (id == 2 && order == Order::by_data) node.add_data_dependencies(1);
    }
}

Job two_groups() {
    Job job(2);
    job.group("a", {0, 1});
    job.group("b", {0, 1});
    return job;
}

TEST(TraceCheck, FindsRanksThatEnterTwoGroupsInOppositeOrders) {
    Job job = two_groups();
    add_two(job[0], "a", "b", Order::by_data, 2);
    add_two(job[1], "b", "a", Order::by_data, 2);
    const Findings findings = job.check();
    EXPECT_EQ(kinds(findings), (Kinds{{FindingKind::deadlock, 1}}));
    EXPECT_FALSE(findings.ok());
    EXPECT_NE(example(findings, FindingKind::deadlock).find("rank 0 waits in"), std::string::npos);
    EXPECT_NE(example(findings, FindingKind::deadlock).find("for rank 1, rank 1 waits in"),
              std::string::npos);
}

/// On streams of their own, without dependencies, they run side by side; on one stream, one by one.
TEST(TraceCheck, OppositeOrdersAreADeadlockOnOneStreamOnly) {
    for (const std::int64_t streams : {1, 2}) {
        Job job = two_groups();
        add_two(job[0], "a", "b", Order::none, streams);
        add_two(job[1], "b", "a", Order::none, streams);
        EXPECT_EQ(job.check().find(FindingKind::deadlock) != nullptr, streams == 1);
    }
}

/// Rank 0 sends after the collective that rank 1 enters after it has received.
TEST(TraceCheck, FindsADeadlockOfAMessageAndACollective) {
    Job job(2);
    add_collective(job[0], 1, "", 8);
    add_message(job[0], 2, wire::COMM_SEND_NODE, 1, 3, 8).add_data_dependencies(1);
    add_message(job[1], 1, wire::COMM_RECV_NODE, 0, 3, 8);
    add_collective(job[1], 2, "", 8).add_data_dependencies(1);
    EXPECT_NE(job.check().find(FindingKind::deadlock), nullptr);
}

TEST(TraceCheck, EqualOrdersAndAPipelineAreNoDeadlock) {
    Job job = two_groups();
    for (const std::size_t rank : {0U, 1U}) {
        add_two(job[rank], "a", "b", Order::by_data, 1);
        add_message(job[rank], 3, rank == 0 ? wire::COMM_SEND_NODE : wire::COMM_RECV_NODE,
                    static_cast<int>(1 - rank), 1, 8)
            .add_data_dependencies(2);
        add_message(job[rank], 4, rank == 1 ? wire::COMM_SEND_NODE : wire::COMM_RECV_NODE,
                    static_cast<int>(1 - rank), 1, 8)
            .add_data_dependencies(3);
    }
    EXPECT_EQ(job.check().find(FindingKind::deadlock), nullptr);
}

/// By its ids, the collective that waits for the other comes first on their stream.
TEST(TraceCheck, StreamsThatContradictDependenciesAreNoDeadlock) {
    Job job = two_groups();
    for (const std::size_t rank : {0U, 1U}) {
        add_on_stream(job[rank], 1, "a", 7).add_data_dependencies(2);
        add_on_stream(job[rank], 2, "b", 7);
    }
    EXPECT_EQ(job.check().find(FindingKind::deadlock), nullptr);
}

/// Rank 0 answers the first of two equal messages, and rank 1 sends the second after the answer. What begins
/// first is up to the reader, and must not matter: both receives have begun before anything is sent.
TEST(TraceCheck, MessagesAreForReceivesInTheirOrder) {
    Job job(2);
    add_message(job[0], 1, wire::COMM_RECV_NODE, 1, 3, 8);
    add_message(job[0], 2, wire::COMM_RECV_NODE, 1, 3, 8);
    add_message(job[0], 3, wire::COMM_SEND_NODE, 1, 4, 8).add_data_dependencies(1);
    add_message(job[1], 1, wire::COMM_SEND_NODE, 0, 3, 8);
    add_message(job[1], 2, wire::COMM_RECV_NODE, 0, 4, 8).add_data_dependencies(1);
    add_message(job[1], 3, wire::COMM_SEND_NODE, 0, 3, 8).add_data_dependencies(2);
    EXPECT_EQ(job.check().find(FindingKind::deadlock), nullptr);
}

/// `dse et json` and `repair` refuse them.
TEST(TraceCheck, FindsTextsThatAreNotUtf8) {
    Job job(1);
    add_kernel(job[0], 1);
    add_kernel(job[0], 2, {1}).set_name("\xff");
    testing::internal::CaptureStderr();  // protobuf warns of what it writes
    const Findings findings = job.check();
    (void)testing::internal::GetCapturedStderr();
    const std::string text = example(findings, FindingKind::bad_record);
    EXPECT_NE(text.find("a text in it is not UTF-8"), std::string::npos) << text;
    EXPECT_NE(text.find("2"), std::string::npos) << text;
    EXPECT_FALSE(findings.ok());
}

}  // namespace
}  // namespace dse::trace::chakra
