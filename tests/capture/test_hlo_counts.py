"""Counts in a small module of every construct that JAX's programs have; expected values by hand."""

import hlo_counts
import pytest

LOOP = """HloModule jit_f, num_partitions=8

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}

%body (p: (s32[], bf16[4,64], bf16[5,8,64])) -> (s32[], bf16[4,64], bf16[5,8,64]) {
  %p = (s32[], bf16[4,64]{1,0}, bf16[5,8,64]{2,1,0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = bf16[4,64]{1,0} get-tuple-element(%p), index=1
  %w = bf16[5,8,64]{2,1,0} get-tuple-element(%p), index=2
  %zero = s32[] constant(0)
  %slice = bf16[1,8,64]{2,1,0} dynamic-slice(%w, %i, %zero, %zero), dynamic_slice_sizes={1,8,64}
  %flat = bf16[8,64]{1,0} reshape(%slice)
  %full = bf16[64,64]{1,0} all-gather(%flat), channel_id=1, replica_groups=[1,8]<=[8], dimensions={0}
  %y = bf16[4,64]{1,0} dot(%x, %full), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  ROOT %t = (s32[], bf16[4,64]{1,0}, bf16[5,8,64]{2,1,0}) tuple(%next, %y, %w)
}

%condition (p.1: (s32[], bf16[4,64], bf16[5,8,64])) -> pred[] {
  %p.1 = (s32[], bf16[4,64]{1,0}, bf16[5,8,64]{2,1,0}) parameter(0)
  %i.1 = s32[] get-tuple-element(%p.1), index=0
  %n = s32[] constant(5)
  ROOT %less = pred[] compare(%i.1, %n), direction=LT
}

ENTRY %main (x.1: bf16[4,64], w.1: bf16[5,8,64]) -> f32[] {
  %x.1 = bf16[4,64]{1,0} parameter(0), sharding={devices=[2,1,4]<=[8] last_tile_dim_replicate}
  %w.1 = bf16[5,8,64]{2,1,0} parameter(1)
  %start = s32[] constant(0)
  %init = (s32[], bf16[4,64]{1,0}, bf16[5,8,64]{2,1,0}) tuple(%start, %x.1, %w.1)
  %loop = (s32[], bf16[4,64]{1,0}, bf16[5,8,64]{2,1,0}) while(%init), condition=%condition, body=%body
  %last = bf16[4,64]{1,0} get-tuple-element(%loop), index=1
  %wide = f32[4,64]{1,0} convert(%last)
  %none = f32[] constant(0)
  %part = f32[] reduce(%wide, %none), dimensions={0,1}, to_apply=%add
  ROOT %all = f32[] all-reduce(%part), channel_id=2, replica_groups={{0,4},{1,5},{2,6},{3,7}}, to_apply=%add
}
"""


def test_collectives_count_as_often_as_their_loop_runs():
    # Five gathers of 8 x 64 bf16; one sum of a float in pairs.
    assert hlo_counts.Module(LOOP).collectives() == [
        {"kind": "all-gather", "group": 8, "count": 5, "bytes": 5 * 8 * 64 * 2, "written": 1},
        {"kind": "all-reduce", "group": 2, "count": 1, "bytes": 4, "written": 1},
    ]


def test_dot_flops_count_as_often_as_their_loop_runs():
    assert hlo_counts.Module(LOOP).dot_flops() == 5 * 2 * 4 * 64 * 64


def test_operators_count_as_written():
    counts = hlo_counts.Module(LOOP).operators()
    assert (counts["get-tuple-element"], counts["constant"], counts["dot"], counts["while"]) == (5, 5, 1, 1)


def test_a_stated_trip_count_wins():
    stated = LOOP.replace("body=%body", 'body=%body, backend_config={"known_trip_count":{"n":"7"}}')
    assert hlo_counts.Module(stated).dot_flops() == 7 * 2 * 4 * 64 * 64


def test_a_loop_of_unknown_length_is_refused():
    with pytest.raises(ValueError, match="how often loop 'loop' runs"):
        hlo_counts.Module(LOOP.replace("direction=LT", "direction=NE")).dot_flops()
    with pytest.raises(ValueError, match="does not count from zero"):
        hlo_counts.Module(LOOP.replace("%start = s32[] constant(0)", "%start = s32[] constant(1)")).dot_flops()


@pytest.mark.parametrize("attributes, size", [
    ("replica_groups={{0,1,2},{3,4,5}}, to_apply=%add", 3),
    ("replica_groups=[2,4]<=[8]", 4),
    ("replica_groups=[4,2]<=[2,4]T(1,0), dimensions={0}", 2),
    ("replica_groups=mesh['axis_0'=8,'axis_1'=1] {'axis_0'}, dimensions={0}", 8),
    ("replica_groups=mesh['a'=2,'b'=4], device_ids=([8]T(0)) {'a','b'}", 8),
    ("source_target_pairs={{0,1},{1,2},{2,0}}", 3),
])
def test_group_sizes(attributes, size):
    assert hlo_counts.group_size(attributes) == size


def test_bytes_of_shapes():
    # 6 bf16 and one u32; layouts and a scalar's empty list are no dimensions.
    assert hlo_counts.byte_size("(bf16[2,3]{1,0:T(8,128)}, u32[])") == 16
    assert hlo_counts.elements("(bf16[2,3]{1,0}, u32[])") == [6, 1]


def test_a_convolution_leaves_out_padding_and_holes():
    # Forward, stride 2 over 5 with padding 1: outputs 3, windows (0,1) (1,2,3) (3,4): 7 pairs in each dimension.
    text = """ENTRY %main (x: f32[2,5,5,3], k: f32[3,3,3,8]) -> f32[2,3,3,8] {
  %x = f32[2,5,5,3]{3,2,1,0} parameter(0)
  %k = f32[3,3,3,8]{3,2,1,0} parameter(1)
  ROOT %y = f32[2,3,3,8]{3,2,1,0} convolution(%x, %k), window={size=3x3 stride=2x2 pad=1_1x1_1}, LABELS
}
""".replace("LABELS", "dim_labels=b01f_01io->b01f")
    assert hlo_counts.Module(text).convolution_flops() == 2 * 2 * 3 * 8 * 7 * 7
