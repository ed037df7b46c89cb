#include "context.hpp"

namespace dse::frontend::kinds {

using graph::ContextAttention;
using graph::MeshAxis;

void cross_context(OperationBuilder& builder) {
    Operation& operation = builder.operation();
    operation.whole = "st";
    switch (builder.stack().cp_attention) {
        case ContextAttention::all_gather:
            operation.context_split = "s";
            break;
        case ContextAttention::ring:
            operation.context_split = "st";
            operation.circulating = 't';
            break;
        case ContextAttention::ulysses:
            for (std::size_t i = 0; i < builder.operand_count(); ++i)
                builder.move_operand(i, MeshAxis::context, 'o');
            break;
    }
}

TensorId cross_back(OperationBuilder& builder) {
    if (builder.stack().cp_attention == ContextAttention::ulysses)
        return builder.move_result(0, MeshAxis::context, 's');
    return builder.operation().results.front().tensor;
}

}  // namespace dse::frontend::kinds
