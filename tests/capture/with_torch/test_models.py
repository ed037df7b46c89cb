"""The shipped models compute what they claim to: small ones are run, and full sizes are counted."""

import pytest
import torch
from models import torch_llama, torch_mixtral, torch_resnet, torch_vit

SMALL = {"layers": 2, "hidden": 32, "heads": 4, "kv_heads": 2, "ffn": 64, "vocab": 50}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def filled(module):
    """Return a module whose parameters are small random numbers, in fp64."""
    for parameter in module.double().parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return module


@pytest.mark.parametrize("build, parameters", [
    (torch_llama.llama3_8b, 8_030_261_248), (torch_llama.llama3_70b, 70_553_706_496),
    (torch_llama.llama3_405b, 405_853_388_800), (torch_mixtral.mixtral_8x7b, 46_702_792_704),
    (torch_resnet.resnet50, 25_557_032), (torch_vit.vit_l_16, 304_326_632), (torch_vit.vit_h_14, 632_045_800)])
def test_parameters_are_the_published_ones(build, parameters):
    with torch.device("meta"):
        assert sum(parameter.numel() for parameter in build().parameters()) == parameters


def test_rotary_positions_are_turns_of_the_complex_plane():
    x = torch.randn(1, 6, 2, 8, dtype=torch.float64).float()
    cosine, sine = table = torch_llama.rotary_table(6, 8, 10000.0)
    turned = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) * torch.complex(cosine, sine)[None, :, None, :]
    torch.testing.assert_close(torch_llama.rotate(x, table), torch.view_as_real(turned).flatten(-2))


def test_a_decoder_does_not_see_what_comes_later():
    model = filled(torch_llama.Llama(torch_llama.Sizes(**SMALL)))
    tokens = torch.randint(50, (2, 10))
    later = tokens.clone()
    later[:, 7:] = (later[:, 7:] + 1) % 50
    before, after = model(tokens), model(later)
    torch.testing.assert_close(before[:, :7], after[:, :7])
    assert not torch.allclose(before[:, 7:], after[:, 7:])


def test_shared_keys_are_repeated_for_their_heads():
    x = torch.arange(12.0).reshape(1, 2, 2, 3)
    repeated = torch_llama.repeat_heads(x, 2)
    torch.testing.assert_close(repeated, torch.repeat_interleave(x, 2, dim=2))


def test_experts_that_all_tokens_visit_are_a_weighted_sum():
    # Where a token visits all experts, every expert gets as many rows as there are tokens: the case in which equal shares
    # are what the router chose.
    sizes = torch_mixtral.MixtureSizes(**SMALL | {"layers": 1}, experts=3, top=3)
    mixture = filled(torch_mixtral.Mixture(sizes))
    x = torch.randn(2, 5, 32, dtype=torch.float64)
    weights = torch.softmax(mixture.gate(x), dim=-1, dtype=torch.float32).double()
    expected = sum(
        weights[..., e : e + 1]
        * ((torch.nn.functional.silu(x @ mixture.w1[e]) * (x @ mixture.w3[e])) @ mixture.w2[e])
        for e in range(3))
    torch.testing.assert_close(mixture(x), expected, rtol=1e-5, atol=1e-6)


def test_images_become_one_row_of_logits():
    assert torch_resnet.ResNet((1, 1, 1, 1), classes=7)(torch.randn(2, 3, 64, 64)).shape == (2, 7)
    small = filled(torch_vit.VisionTransformer(layers=1, hidden=32, heads=4, mlp=64, patch=8, side=32, classes=7))
    assert small(torch.randn(2, 3, 32, 32, dtype=torch.float64)).shape == (2, 7)
