// Also tests: chakra/printed_tensors.cpp
#include "trace/chakra/size_evidence.hpp"

#include <gtest/gtest.h>

#include "trace/chakra/printed_tensors.hpp"
#include "written_trace.hpp"

namespace dse::trace::chakra {
namespace {

using test::attribute;
using test::WrittenTrace;

std::string evidence(const WrittenTrace& written) {
    const dse::test::TemporaryFolder folder;
    std::vector<std::uint64_t> refused;
    return evidence_of_elements(written.write(folder, "t.et"), refused);
}

WrittenTrace kernels(std::uint64_t tensor_size, const char* first_result, const char* second_result) {
    WrittenTrace written;
    for (std::uint64_t id = 1; id <= 10; ++id) {
        wire::Node& node = written.add(id, "k", wire::COMP_NODE);
        attribute(node, "tensor_size").set_uint64_val(tensor_size);
        wire::StringList& results = *attribute(node, "outputs").mutable_string_list();
        for (const char* text : {"y[b,s]", first_result, "z[b]", second_result}) results.add_values(text);
    }
    return written;
}

TEST(SizeEvidence, KernelsThatCountTheirResults) {
    EXPECT_EQ(evidence(kernels(130, "100.0", "30")),
              "tensor_size of 10 of 10 kernels is what their results alone count");
    EXPECT_EQ(evidence(kernels(65, "100.0", "30")),
              "tensor_size of 10 of 10 kernels is half of their results' bytes");
    EXPECT_EQ(evidence(kernels(500, "100.0", "30")), "");
    EXPECT_EQ(evidence(kernels(130, "many", "30")), "");
}

WrittenTrace collectives(std::int64_t size) {
    WrittenTrace written;
    for (std::uint64_t id = 1; id <= 9; ++id) {
        wire::Node& node = written.add(id, "c", wire::COMM_COLL_NODE);
        attribute(node, "comm_size").set_int64_val(size);
        node.mutable_inputs()->set_values("[[[434, 435, 0, 53120, 4, 'cuda:1']], 33, ['0', 'default_pg']]");
    }
    return written;
}

TEST(SizeEvidence, CommunicationThatCountsElements) {
    EXPECT_EQ(evidence(collectives(53120)),
              "comm_size of 9 of 9 nodes is the number of their tensors' elements");
    EXPECT_EQ(evidence(collectives(4 * 53120)), "");
    EXPECT_EQ(evidence(collectives(53121)), "comm_size of 9 of 9 nodes is odd");
}

TEST(PrintedTensors, AreFoundAtAnyDepth) {
    const PrintedTensors tensors = printed_tensors(
        R"([[[1, 2, 0, 10, 4, "cuda:0"], [3, 4, 0, 5, 8, 'cpu']], [1, 2, 3], 7, [5, 6, 0, 1, 2, 'cuda:0']])");
    EXPECT_EQ(tensors.elements, 16U);
    EXPECT_EQ(tensors.bytes, 40U + 40U + 2U);
    for (const char* text : {"", "[", "[1, 2, 3, 4, 5]", "[1, 2, 3, 4, 500, 'x']", "[1, 2, 0, -1, 4, 'x']",
                             "[1, 2, 0, 18446744073709551615, 4, 'x']"})
        EXPECT_EQ(printed_tensors(text).elements, 0U) << text;
}

}  // namespace
}  // namespace dse::trace::chakra
