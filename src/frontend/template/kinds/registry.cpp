#include "kinds.hpp"

namespace dse::frontend {

const FactoryTable<OperatorKind>& operator_kinds() {
    static const FactoryTable<OperatorKind> table(
        "operator",
        {
            {"einsum", "product of two tensors: y = einsum(\"bsh,ho->bso\", x, w)", kinds::einsum},
            {"convolution", "of an image: y = convolution(x, w, stride=1, padding=0, groups=1)",
             kinds::convolution},
            {"max_pool", "the largest of each window: y = max_pool(x, window=3, stride=2, padding=1)",
             kinds::max_pool},
            {"mean_pool", "of all positions of an image: y = mean_pool(x)", kinds::mean_pool},
            {"add", "sum of two tensors: y = add(x, z)", kinds::add},
            {"bias", "x + w along its last dimensions: y = bias(x, w)", kinds::bias},
            {"dropout", "y = dropout(x); keeps a mask of one byte an element", kinds::dropout},
            {"dropout_add", "y = dropout_add(z, x): dropout(z) + x in one kernel", kinds::dropout_add},
            {"gelu", "y = gelu(x)", kinds::gelu},
            {"relu", "y = relu(x)", kinds::relu},
            {"swiglu", "silu(a) * b: y = swiglu(a, b), or of the halves of x: y = swiglu(x, width=f)",
             kinds::swiglu},
            {"rotary", "rotary position embedding: y = rotary(x)", kinds::rotary},
            {"redistribute",
             "the tensor with a mesh axis on another dimension: y = redistribute(\"tp->1\", x)",
             kinds::redistribute},
            {"rms_norm", "y = rms_norm(x, weight)", kinds::rms_norm},
            {"layer_norm", "y = layer_norm(x, weight, bias)", kinds::layer_norm},
            {"batch_norm", "statistics of a device's own samples: y = batch_norm(x, weight, bias)",
             kinds::batch_norm},
            {"softmax", "over the last dimension: y = softmax(x)", kinds::softmax},
            {"attention", "fused: y = attention(qkv, heads=n, kv_heads=k, head_dim=d, causal=true)",
             kinds::attention},
            {"attention_scores", "Q K^T of a fused projection: a = attention_scores(qkv, heads=…)",
             kinds::attention_scores},
            {"attention_values", "probabilities times V: y = attention_values(p, qkv, heads=…)",
             kinds::attention_values},
            {"prepend", "a learned token before all others: y = prepend(x, w)", kinds::prepend},
            {"first_token", "of a sequence: y = first_token(x)", kinds::first_token},
            {"embedding", "rows of a table: y = embedding(tokens, table)", kinds::embedding},
            {"row_statistic", "one fp32 number a row of logits: m = row_statistic(logits)",
             kinds::row_statistic},
            {"cross_entropy", "loss a row of logits: l = cross_entropy(logits, statistics…)",
             kinds::cross_entropy},
            {"head_norm", "norm of query and key heads: y = head_norm(qkv, w_q, w_k, heads=…)",
             kinds::head_norm},
            {"joined_norm", "two tensors normalised side by side: y = joined_norm(a, b, w_a, w_b)",
             kinds::joined_norm},
            {"latent_keys", "keys of latent attention: k = latent_keys(kv, k_rope, heads=…)",
             kinds::latent_keys},
            {"latent_attention", "fused: y = latent_attention(q, k, kv, heads=n, nope=…)",
             kinds::latent_attention},
            {"top_k", "choices of a router: w = top_k(scores, top=k)", kinds::top_k},
            {"dispatch", "tokens to the experts chosen: r = dispatch(x, w, experts=e)", kinds::dispatch},
            {"dispatch_weights", "a weight a row: p = dispatch_weights(w, experts=e)",
             kinds::dispatch_weights},
            {"combine", "rows of experts summed a token: y = combine(r, w)", kinds::combine},
            {"weighted_swiglu", "swiglu, times a weight a row: y = weighted_swiglu(r, p, width=f)",
             kinds::weighted_swiglu},
        });
    return table;
}

}  // namespace dse::frontend
