"""The shipped models compute what they claim to: small ones are run, and full sizes are counted."""

import jax
import jax.numpy as jnp
import jax_flops
import jax_lowering
import jax_program
import numpy as np
import pytest
from models import jax_attention, jax_decoder, jax_llama, jax_mixtral, jax_optimizer, jax_pipeline, jax_resnet, jax_training, jax_vit

TINY = jax_llama.SIZES["tiny"]


def batch_of(vocab, batch=4, length=16, seed=0):
    tokens = jax.random.randint(jax.random.key(seed), (batch, length + 1), 0, vocab)
    return tokens[:, :-1], tokens[:, 1:]


def llama(mesh, scan=True, seed=1, **options):
    parameters = jax_program.concrete(jax_llama.leaves(TINY, scan=scan), jax.random.key(seed), jnp.float32)
    return parameters, jax_llama.loss_of(TINY, jax_decoder.rules_of(mesh), dtype=jnp.float32, **options)


def value_and_gradient(loss):
    """Compiled as a whole: operator by operator takes ten times as long."""
    return jax.jit(jax.value_and_grad(loss))


def close(a, b, tolerance=1e-5):
    jax.tree.map(lambda x, y: np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance), a, b)


@pytest.mark.parametrize("size, count", [("8b", 8_030_261_248), ("70b", 70_553_706_496), ("405b", 405_853_388_800)])
def test_llama_has_the_published_number_of_parameters(size, count):
    # 8B: 128,256 x 4,096 x 2 + 4,096 + 32 x (4,096 x (4,096 x 2 + 1,024 x 2) + 3 x 4,096 x 14,336 + 2 x 4,096).
    assert jax_program.parameter_count(jax_llama.leaves(jax_llama.SIZES[size])) == count


def test_other_models_have_the_published_number_of_parameters():
    assert jax_program.parameter_count(jax_mixtral.leaves(jax_mixtral.SIZES["8x7b"])) == 46_702_792_704
    assert jax_program.parameter_count(jax_resnet.leaves()) == 25_557_032
    assert jax_program.parameter_count(jax_vit.leaves(jax_vit.SIZES["l_16"])) == 304_326_632
    assert jax_program.parameter_count(jax_vit.leaves(jax_vit.SIZES["b_16"])) == 86_567_656


def test_a_token_does_not_see_later_ones(mesh_of):
    parameters, _ = llama(mesh_of({"data": 1}))
    rules = jax_decoder.rules_of(mesh_of({"data": 1}))
    tokens, _ = batch_of(TINY.vocab)

    @jax.jit
    def scores(tokens):
        x = jax_llama.embed(parameters, tokens, rules, jnp.float32)
        return jax_llama.logits(parameters, jax_llama.blocks(x, parameters["layers"], TINY, rules, "none"), rules)

    changed = tokens.at[:, 9].set((tokens[:, 9] + 1) % TINY.vocab)
    before, after = scores(tokens), scores(changed)
    close(before[:, :9], after[:, :9])
    assert np.abs(before[:, 9:] - after[:, 9:]).max(axis=(0, 2)).min() > 1e-4


def test_rotary_positions_are_relative():
    x = jax.random.normal(jax.random.key(0), (2, 8, 1, 4))
    q = jax_decoder.rotary(jnp.broadcast_to(x[:1, :1], (1, 8, 1, 4)), 100.0)[0, :, 0]
    k = jax_decoder.rotary(jnp.broadcast_to(x[1:, :1], (1, 8, 1, 4)), 100.0)[0, :, 0]
    products = np.array(q @ k.T)
    for distance in range(-3, 4):
        diagonal = np.diagonal(products, distance)
        np.testing.assert_allclose(diagonal, diagonal[0], rtol=1e-4, atol=1e-5)
    assert abs(products[0, 0] - products[3, 0]) > 1e-3


def test_flash_attention_is_attention():
    shapes = [(2, 10, 6, 4), (2, 10, 3, 4), (2, 10, 3, 4), (2, 10, 6, 4)]
    *inputs, weight = (jax.random.normal(jax.random.key(i), shape) for i, shape in enumerate(shapes))
    found = [value_and_gradient_of_three(core, weight)(*inputs) for core in jax_attention.CORES.values()]
    close(*found)
    # A row whose only key is its own takes that value: the first one of the first head.
    np.testing.assert_allclose(jax.jit(jax_attention.flash)(*inputs)[:, 0, 0], inputs[2][:, 0, 0], rtol=1e-5)


def value_and_gradient_of_three(core, weight):
    return jax.jit(jax.value_and_grad(lambda q, k, v: jnp.sum(core(q, k, v) * weight), argnums=(0, 1, 2)))


def test_scan_unrolled_and_recomputed_are_one_model(mesh_of):
    mesh = mesh_of({"data": 1})
    stacked, loss = llama(mesh)
    unrolled = {**stacked, "layers": [jax.tree.map(lambda x, i=i: x[i], stacked["layers"]) for i in range(TINY.layers)]}
    batch = batch_of(TINY.vocab)
    value, gradient = value_and_gradient(loss)(stacked, *batch)
    close(value, jax.jit(loss)(unrolled, *batch))
    for policy in ("full", "dots"):
        again = value_and_gradient(llama(mesh, remat=policy)[1])(stacked, *batch)
        close((value, gradient), again)


@pytest.mark.parametrize("sizes, sequence_parallel", [
    ({"fsdp": 4}, False), ({"model": 2}, True), ({"data": 2, "fsdp": 2, "model": 2}, False)])
def test_shardings_do_not_change_the_step(mesh_of, sizes, sequence_parallel):
    parameters, plain = llama(mesh_of({"data": 1}))
    rules = jax_decoder.rules_of(mesh_of(sizes), sequence_parallel)
    sharded = jax_llama.loss_of(TINY, rules, dtype=jnp.float32)
    program = jax_training.program_of(sharded, jax_llama.leaves(TINY), (), rules, "sgd", {})
    places = jax_program.shardings(program.arguments[0]["parameters"])
    batch = batch_of(TINY.vocab, batch=8)
    found = value_and_gradient(sharded)(jax.device_put(parameters, places), *batch)
    close(value_and_gradient(plain)(parameters, *batch), found, 1e-4)


def test_pipeline_stages_are_the_whole_model(mesh_of):
    mesh = mesh_of({"data": 1})
    batch, length = 2, 8
    stages = [jax.jit(jax_llama.pipeline_stage(mesh, "tiny", stage, 3, batch, length).function) for stage in range(3)]
    whole = jax_program.concrete(jax_llama.leaves(TINY), jax.random.key(3), jnp.float32)
    parts = [{"layers": jax.tree.map(lambda x, i=i: x[i:i + 1], whole["layers"])} for i in range(3)]
    parts[0]["embedding"] = whole["embedding"]
    parts[2].update(norm=whole["norm"], head=whole["head"])
    tokens, targets = batch_of(TINY.vocab, batch, length)
    zeros = [jax.tree.map(jnp.zeros_like, part) for part in parts]
    nothing = jnp.zeros((batch, length, TINY.embed), jnp.bfloat16)
    first, _, _ = stages[0](parts[0], zeros[0], tokens, nothing)
    second, _, _ = stages[1](parts[1], zeros[1], first, nothing)
    loss, dx, found2 = stages[2](parts[2], zeros[2], second, targets)
    _, dx, found1 = stages[1](parts[1], zeros[1], first, dx)
    _, absent, found0 = stages[0](parts[0], zeros[0], tokens, dx)
    assert absent is None
    expected_loss, expected = value_and_gradient(jax_llama.loss_of(TINY, jax_decoder.rules_of(mesh)))(
        whole, tokens, targets)
    np.testing.assert_allclose(loss, expected_loss, rtol=1e-6)
    stacked = jax.tree.map(lambda *x: jnp.concatenate(x), found0["layers"], found1["layers"], found2["layers"])
    close(expected, {"layers": stacked, "embedding": found0["embedding"], "norm": found2["norm"],
                     "head": found2["head"]}, 2e-3)


@pytest.mark.parametrize("sizes", [{"stage": 3}, {"stage": 3, "fsdp": 2}])
def test_a_pipeline_inside_the_program_is_the_whole_model(mesh_of, sizes):
    parameters, plain = llama(mesh_of({"data": 1}))
    rules = jax_pipeline.rules_of(mesh_of(sizes))
    tokens, targets = batch_of(TINY.vocab, batch=8)
    expected = value_and_gradient(plain)(parameters, tokens, targets)
    shape = (4, 2, tokens.shape[1])
    found = value_and_gradient(jax_pipeline.loss_of(TINY, rules, dtype=jnp.float32))(
        parameters, tokens.reshape(shape), targets.reshape(shape))
    close(expected, found, 1e-4)


def test_adam_takes_a_first_step_of_the_rate():
    # With zero moments both corrections cancel the factors: the step is g / |g| times the rate.
    parameters = {"w": jnp.array([1.0, 2.0, -3.0])}
    gradients = {"w": jnp.array([0.5, -4.0, 1e-3])}
    state = jax_optimizer.state_of("adam", parameters)
    new, state = jax_optimizer.update("adam", parameters, gradients, state, rate=0.1)
    np.testing.assert_allclose(new["w"], [0.9, 2.1, -3.1], rtol=1e-5)
    assert state["step"] == 1
    # The same gradient again: moments are its running means, corrected to itself, so the same step.
    again, _ = jax_optimizer.update("adam", new, gradients, state, rate=0.1)
    np.testing.assert_allclose(again["w"], [0.8, 2.2, -3.2], rtol=1e-4)


def test_sgd_adds_momentum():
    # Momentum 1, then 0.9 x 1 + 1 = 1.9: 0 - 0.1 - 0.19.
    parameters, state = jnp.zeros(()), jax_optimizer.state_of("sgd", jnp.zeros(()))
    for _ in range(2):
        parameters, state = jax_optimizer.update("sgd", parameters, jnp.ones(()), state, rate=0.1)
    np.testing.assert_allclose(parameters, -0.29, rtol=1e-6)


def losses_of_training(loss, parameters, batch, steps):
    """Losses of so many steps on one batch."""
    step = jax.jit(jax_training.step_of(loss, "adam"))
    state = {"parameters": parameters, "optimizer": jax_optimizer.state_of("adam", parameters)}
    values = []
    for _ in range(steps):
        state, value = step(state, *batch)
        values.append(float(value))
    return values


def test_training_learns_a_batch_by_heart(mesh_of):
    parameters, loss = llama(mesh_of({"data": 1}))
    values = losses_of_training(loss, parameters, batch_of(TINY.vocab), 30)
    # Before it has learned anything, a guess among 64 tokens is at best ln 64 = 4.16; scores add some spread.
    assert 4.1 < values[0] < 5.5 and values[-1] < values[0] - 0.2


def test_routing_fills_first_choices_first():
    # Three tokens, two experts, both chosen by each; the second token prefers expert 1.
    scores = jnp.array([[[2.0, 1.0], [0.0, 3.0], [5.0, 4.0]]])
    expert, row, weight = jax_mixtral.route(scores, 2, rows=2)
    np.testing.assert_array_equal(expert, [[[0, 1], [1, 0], [0, 1]]])
    # Expert 0: tokens 0 and 2 first (rows 0, 1), then token 1 as a second choice (row 2, one too many).
    # Expert 1: token 1 first (row 0), then tokens 0 and 2 (rows 1, 2).
    np.testing.assert_array_equal(row, [[[0, 1], [0, 2], [1, 2]]])
    np.testing.assert_allclose(weight[0, 0], [np.e / (1 + np.e), 1 / (1 + np.e)], rtol=1e-6)


def test_both_dispatches_are_the_sum_over_chosen_experts(mesh_of):
    config = jax_mixtral.SIZES["tiny"]
    rules = jax_mixtral.rules_of(mesh_of({"data": 1}))
    weights = jax_program.concrete(jax_mixtral.leaves(config), jax.random.key(0), jnp.float32)["layers"]
    weights = jax.tree.map(lambda w: w[0], weights)
    x = jax.random.normal(jax.random.key(1), (2, 6, config.embed))
    # An expert has room for every token: nothing is dropped.
    found = [jax.jit(lambda x, weights, mixture=mixture: mixture(x, weights, config, rules, 6))(x, weights)
             for mixture in jax_mixtral.MIXTURES.values()]
    scores = x @ weights["router"]
    chosen, expert = jax.lax.top_k(scores, config.top)
    share = jax.nn.softmax(chosen, axis=-1)
    every = jnp.stack([(jax.nn.silu(x @ weights["w_gate"][e]) * (x @ weights["w_up"][e])) @ weights["w_down"][e]
                       for e in range(config.experts)], axis=2)
    expected = jnp.sum(jnp.take_along_axis(every, expert[..., None], axis=2) * share[..., None], axis=2)
    close(found[0], expected)
    close(found[1], expected)


def test_both_dispatches_drop_the_same_tokens(mesh_of):
    config = jax_mixtral.SIZES["tiny"]
    parameters = jax_program.concrete(jax_mixtral.leaves(config), jax.random.key(0), jnp.float32)
    batch = batch_of(config.vocab, batch=8)
    rules = jax_mixtral.rules_of(mesh_of({"data": 1}))
    sharded = jax_mixtral.rules_of(mesh_of({"fsdp": 2, "expert": 4}))
    values = {rows: [float(jax.jit(jax_mixtral.loss_of(config, r, rows, kind, dtype=jnp.float32))(parameters, *batch))
                     for r in (rules, sharded) for kind in jax_mixtral.MIXTURES] for rows in (2, 16)}
    for rows in values:
        np.testing.assert_allclose(values[rows], values[rows][0], rtol=1e-5)
    assert abs(values[2][0] - values[16][0]) > 1e-4


def test_resnet_forward_flops_are_the_published_ones():
    # 4.09 G multiply-adds; by XLA's rule, without padding, 7,892,407,808 FLOPs in convolutions (JAX's own export).
    assert sum(jax_resnet.forward_macs()) == (8_174_272_512 + 4_096_000) // 2
    parameters = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, jnp.float32), jax_resnet.leaves(),
                              is_leaf=lambda node: isinstance(node, jax_program.Leaf))
    image = jax.ShapeDtypeStruct((1, 224, 224, 3), jnp.float32)
    jaxpr = jax.make_jaxpr(jax_resnet.logits)(parameters, image)
    assert jax_flops.convolution_flops(jaxpr) == 7_892_407_808
    assert jax_flops.dot_flops(jaxpr) == 4_096_000


def test_a_small_resnet_learns(mesh_of):
    leaves = jax_resnet.leaves(blocks=(1, 1), widths=(8, 16), classes=4)
    parameters = jax_program.concrete(leaves, jax.random.key(0), jnp.float32)
    images = jax.random.normal(jax.random.key(1), (8, 16, 16, 3))
    labels = jnp.arange(8) % 4
    values = losses_of_training(jax_resnet.loss, parameters, (images, labels), 20)
    assert values[-1] < 0.8 * values[0]


def test_a_vision_transformer_learns_where_a_square_is(mesh_of):
    config = jax_vit.SIZES["tiny"]
    rules = jax_decoder.rules_of(mesh_of({"data": 1}))
    parameters = jax_program.concrete(jax_vit.leaves(config), jax.random.key(0), jnp.float32)
    # Ten images, each white in one of its 4 x 4 patches, row by row: the number of the patch is the label.
    images = jnp.stack([jnp.zeros((32, 32, 3)).at[8 * (i // 4):8 * (i // 4 + 1), 8 * (i % 4):8 * (i % 4 + 1)].set(1.0)
                        for i in range(10)])

    def loss(parameters, images, labels):
        return jax_training.cross_entropy(jax_vit.logits(parameters, images, config, rules), labels)

    values = losses_of_training(loss, parameters, (images, jnp.arange(10)), 60)
    assert values[-1] < 0.5 * values[0]


def test_patches_are_squares_of_the_image(mesh_of):
    # With the projection of one patch's first red pixel alone, images that differ elsewhere are the same.
    config = jax_vit.SIZES["tiny"]
    rules = jax_decoder.rules_of(mesh_of({"data": 1}))
    parameters = jax_program.concrete(jax_vit.leaves(config), jax.random.key(0), jnp.float32)
    weight = parameters["patches"]["w"]
    parameters["patches"]["w"] = jnp.zeros_like(weight).at[0].set(weight[0])
    scores = jax.jit(lambda image: jax_vit.logits(parameters, image, config, rules))
    blank = jnp.zeros((1, 32, 32, 3))
    seen, unseen = blank.at[0, 8, 16, 0].set(9.0), blank.at[0, 9, 16, 0].set(9.0)
    assert np.abs(scores(seen) - scores(blank)).max() > 1e-4
    np.testing.assert_array_equal(scores(unseen), scores(blank))


@pytest.mark.parametrize("make", [
    lambda mesh: jax_llama.training(mesh, "8b", batch=8, sequence=128),
    lambda mesh: jax_llama.training(mesh, "8b", batch=8, sequence=128, scan=False, layers=2),
    lambda mesh: jax_llama.pipeline_stage(mesh, "8b", 0, 4, 8, 128),
    lambda mesh: jax_llama.pipeline_stage(mesh, "8b", 1, 4, 8, 128),
    lambda mesh: jax_llama.pipeline_stage(mesh, "8b", 3, 4, 8, 128),
    lambda mesh: jax_vit.training(mesh, "l_16", batch=8),
])
def test_stated_flops_are_the_programs(mesh_of, make):
    program = make(mesh_of({"fsdp": 8}))
    found = jax_flops.dot_flops(jax_lowering.trace(program).jaxpr)
    assert found == program.facts["model_flops"]


def test_flash_attention_takes_one_product_more(mesh_of):
    # Seven products of sequence x sequence x head_dim for six: the scores of the backward pass.
    config, batch, length = jax_llama.SIZES["8b"], 8, 128
    extra = 2 * config.layers * batch * length * length * config.heads * config.head_dim
    for remat in ("none", "dots"):
        program = jax_llama.training(mesh_of({"fsdp": 8}), "8b", batch, length, attention="flash", remat=remat)
        assert jax_flops.dot_flops(jax_lowering.trace(program).jaxpr) == program.facts["model_flops"] + extra


def test_a_pipeline_works_on_nothing_while_it_fills(mesh_of):
    # Four stages and eight microbatches: eleven ticks of every stage instead of eight, forward and backward.
    config, length = jax_llama.SIZES["8b"], 128
    program = jax_pipeline.training(mesh_of({"stage": 4, "model": 2}), "8b", 8, 2, length)
    head = 6 * 16 * length * config.embed * config.vocab
    expected = (program.facts["model_flops"] - head) // 8 * 11 + head
    assert jax_flops.dot_flops(jax_lowering.trace(program).jaxpr) == expected


def test_recomputation_repeats_the_forward_pass(mesh_of):
    # Forward again of all layers but their last product and the products that only its result needs... measured
    # against the plain step: more, and less than a whole forward pass more.
    plain, full = (jax_flops.dot_flops(jax_lowering.trace(
        jax_llama.training(mesh_of({"fsdp": 8}), "8b", 8, 128, remat=remat)).jaxpr) for remat in ("none", "full"))
    assert plain < full <= plain + plain // 3


def test_experts_cost_what_their_rows_cost(mesh_of):
    # Dispatch by index has no products of its own: rows that are empty or dropped are the only difference.
    config, length, batch = jax_mixtral.SIZES["8x7b"], 128, 8
    program = jax_mixtral.training(mesh_of({"expert": 8}), "8x7b", batch, length, 1.25, "index")
    rows = jax_mixtral.capacity(config, length, 1.25)
    assert rows == 40
    extra = config.layers * batch * (config.experts * rows - config.top * length) * 3 * config.embed * config.ffn
    assert jax_flops.dot_flops(jax_lowering.trace(program).jaxpr) == program.facts["model_flops"] + 6 * extra
