class <lambda>(torch.nn.Module):
    def forward(
        self,
        p: "b8[]",  # PlainAOTInput(idx=0)
        x: "bf16[2, 3, 8, 8]",
        w: "bf16[4, 3, 3, 3]",
    ):
        true_graph_0 = self.true_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, true_graph_0, (x,))
        getitem: "bf16[2, 3, 8, 8]" = cond[0];  cond = None
        af = torch.ops.higher_order.auto_functionalized(torch.ops._C.rms_norm.default, result = x, epsilon = 1e-06)
        convolution: "bf16[2, 4, 6, 6]" = torch.ops.aten.convolution.default(getitem, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        _tensor_constant0 = self._tensor_constant0
        add: "bf16[2, 4, 6, s0]" = torch.ops.aten.add.Tensor(convolution, _tensor_constant0)
        return (
            add,  # PlainAOTOutput(idx=0)
        )

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "bf16[2, 3, 8, 8]"):
            transpose: "bf16[2, 3, 8, 8]" = torch.ops.aten.transpose.int(a, -2, -1)
            return (transpose,)
