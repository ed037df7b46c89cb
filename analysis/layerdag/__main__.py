"""Train the networks of `layerdag` on graphs of operators, for `dse synth fit --model layerdag --nets`.

    dse synth graphs traces/a traces/b … -o graphs.jsonl
    PYTHONPATH=analysis python -m layerdag graphs.jsonl -o nets.json     # to be stopped and called again as often as wanted
    dse synth fit traces/a traces/b … --model layerdag --nets nets.json -o family.model

Needs PyTorch and NumPy, on a CPU, and nothing else of this project. nets.json.state beside the output is where a run goes
on; without it one begins anew. Source: Li et al., arXiv 2411.02322; docs/synthetic.md says what is different.
"""

import argparse
import pathlib

import torch

from . import export, train
from .graphs import read_graphs


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="layerdag", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", type=pathlib.Path, help="graphs of operators, one per line (.jsonl, .jsonl.gz)")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, help="file of networks to write")
    parser.add_argument("--epochs", type=int, default=160)
    parser.add_argument("--batch", type=int, default=32, help="graphs per batch; fewer if there are few graphs")
    parser.add_argument("--width", type=int, default=64, help="width of every hidden layer")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--rate", type=float, default=2e-3, help="initial learning rate")
    parser.add_argument("--decay", type=float, default=1e-2, help="weight decay")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def main(arguments=None):
    options = options_of(arguments)
    torch.set_num_threads(options.threads)
    numbers = {}
    graphs = [graph for path in options.graphs for graph in read_graphs(path, numbers)]
    training = train.Training(graphs, len(numbers), options.seed, options)
    checkpoint = pathlib.Path(f"{options.output}.state")
    if checkpoint.exists():
        training.resume(checkpoint)
        print(f"{checkpoint}: resumes after epoch {training.epoch}", flush=True)
    train.run(training, options.epochs, checkpoint, lambda line: print(line, flush=True))
    training.net.load_state_dict(training.best)
    export.write(options.output, training.net, [str(name) for name in numbers],
                 {"graphs": len(graphs), "epochs": training.epoch, "seconds": round(training.seconds),
                  "held_back_nats": round(training.best_loss, 3)})
    print(f"{options.output}: {sum(value.numel() for value in training.net.parameters())} parameters, learned from "
          f"{len(graphs)} graphs in {training.seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
