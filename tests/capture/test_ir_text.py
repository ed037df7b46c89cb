"""What is dropped of captured text, and what is counted in it."""

import ir_text

HLO = """HloModule jit_f, is_scheduled=true

FileNames
1 "elsewhere/model.py"

StackFrames
1 {file_location_id=1 parent_frame_id=1}


ENTRY %main (a: f32[]) -> f32[] {
  %a = f32[] parameter(0), metadata={op_name="x[\\"w\\"]"}
  %b = f32[] negate(%a), metadata={op_name="jit(f)/neg" stack_frame_id=1}
  ROOT %c = f32[] negate(%b), metadata={source_file="elsewhere/model.py" source_line=3}
}
"""


def test_places_go_and_names_of_operators_stay():
    text = ir_text.without_places(HLO)
    assert "elsewhere" not in text and "StackFrames" not in text and "stack_frame_id" not in text
    assert 'metadata={op_name="jit(f)/neg"}' in text
    assert "ROOT %c = f32[] negate(%b)\n" in text
    assert text.startswith("HloModule jit_f, is_scheduled=true\n\nENTRY")


def test_operators_of_mlir_are_counted_as_written():
    text = """module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<4xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>) -> tensor<f32>
    %2:2 = "stablehlo.case"(%1) ({
      stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
    }) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %3, %4 = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    return %1 : tensor<f32>
  }
}
"""
    assert ir_text.mlir_operators(text) == {
        "chlo.top_k": 1, "sdy.mesh": 1, "sdy.sharding_constraint": 1, "stablehlo.add": 1, "stablehlo.case": 1,
        "stablehlo.constant": 1, "stablehlo.reduce": 1, "stablehlo.return": 1}


def test_equal_text_is_an_equal_file(tmp_path):
    first = ir_text.write(tmp_path / "a.mlir", "module {}\n", compress=True)
    second = ir_text.write(tmp_path / "b.mlir", "module {}\n", compress=True)
    assert first.name == "a.mlir.gz" and first.read_bytes() == second.read_bytes()
    assert ir_text.read(first) == "module {}\n"
    assert ir_text.read(ir_text.write(tmp_path / "c.mlir", "module {}\n", compress=False)) == "module {}\n"
