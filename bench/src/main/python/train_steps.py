"""Steps of training a GPT-2 by PyTorch on the CPU, in f32: what dev.ridgeline.bench.train runs beside its own.

Arguments: threads, seconds, width, layers, heads, vocabulary, texts, length.
Prints the tokens a second of the later half of the steps.
"""

import statistics
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

threads, seconds = int(sys.argv[1]), float(sys.argv[2])
width, layers, heads, vocabulary, texts, length = map(int, sys.argv[3:9])
torch.set_num_threads(threads)
torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.before_attention, self.before_ffn = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        parts = self.qkv(self.before_attention(x)).split(width, -1)
        q, k, v = (part.reshape(texts, length, heads, -1).transpose(1, 2) for part in parts)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.output(mixed.transpose(1, 2).reshape(texts, length, width))
        return x + self.down(F.gelu(self.up(self.before_ffn(x)), approximate="tanh"))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions.weight
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.tokens.weight)


net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
inputs = torch.randint(vocabulary, (texts, length))
targets = torch.randint(vocabulary, (texts * length,))


def step():
    loss = F.cross_entropy(net(inputs).reshape(-1, vocabulary), targets)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()


times = []
begun = before = time.perf_counter()
while len(times) < 2 or before - begun < seconds:
    step()
    now = time.perf_counter()
    times.append(now - before)
    before = now
print(texts * length / statistics.median(times[len(times) // 2 :]))
