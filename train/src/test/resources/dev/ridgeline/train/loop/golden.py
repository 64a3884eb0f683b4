"""Makes golden.json: the losses of 100 steps of a small GPT-2 and a small Llama in PyTorch.

    python3 golden.py > golden.json

Weights, tokens and schedule follow from formulas that the tests of this module have, too: nothing
else has to be kept beside the losses. The models are written out here, operation by operation, so
that nothing hides in a library: GPT-2 as in "Language Models are Unsupervised Multitask Learners"
(layer norm before each part, gelu by tanh, tied embeddings), Llama as in "Llama 2" (RMS norm,
neighbouring pairs turned by position, keys shared by heads, SwiGLU).
"""

import json
import math
import platform
import sys

import numpy as np
import torch
import torch.nn.functional as F

STEPS, BATCH, LENGTH, VOCABULARY = 100, 8, 32, 61
DIM, LAYERS, HEADS, KEY_HEADS, HIDDEN = 48, 2, 4, 2, 112
RATE, LEAST_RATE, WARM_UP = 3e-3, 3e-4, 10
BETA1, BETA2, EPSILON, DECAY, CLIP = 0.9, 0.95, 1e-8, 0.1, 1.0
NORM_EPSILON = 1e-5
MASK = (1 << 64) - 1


def mixed(n):
    """SplitMix64's n-th number (Steele, Lea and Flood 2014)."""
    z = (n * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def weights(index, shape, scale):
    """Numbers of tensor `index`, even over -scale .. scale, in steps of 2^-23 of it."""
    count = math.prod(shape)
    numbers = [((mixed((index << 32) + i + 1) >> 40) / (1 << 23) - 1) * scale for i in range(count)]
    return np.array(numbers, dtype=np.float32).reshape(shape)


def token(t):
    """A text with something to learn: a walk whose stride changes now and then."""
    return (t * (3 + (t // 37) % 5) + (mixed(t + 1) >> 60) // 6) % VOCABULARY


def batch(step):
    """Inputs and, one on, targets."""
    start = step * BATCH * LENGTH
    ids = [token(start + i) for i in range(BATCH * LENGTH + 1)]
    inputs = torch.tensor(ids[:-1]).reshape(BATCH, LENGTH)
    return inputs, torch.tensor(ids[1:]).reshape(BATCH, LENGTH)


def rate(step):
    """Of step 0, 1, ...: rises in a line, then falls by a cosine."""
    if step < WARM_UP:
        return RATE * (step + 1) / WARM_UP
    part = (step - WARM_UP) / (STEPS - WARM_UP)
    return LEAST_RATE + (RATE - LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * part))


class Parameters:
    """Tensors in the order in which they are made; matrices decay, vectors do not."""

    def __init__(self, dtype):
        self.dtype, self.all = dtype, []

    def matrix(self, rows, columns, scale):
        return self.keep(weights(len(self.all), (rows, columns), scale), True)

    def vector(self, size, value):
        return self.keep(np.full(size, value, dtype=np.float32), False)

    def keep(self, values, decays):
        tensor = torch.tensor(values, dtype=self.dtype, requires_grad=True)
        self.all.append((tensor, decays))
        return tensor


def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
    return F.softmax(scores.masked_fill(hidden, -math.inf), dim=-1) @ v


def heads(x, count):
    return x.reshape(BATCH, LENGTH, count, -1).transpose(1, 2)


def joined(x):
    return x.transpose(1, 2).reshape(BATCH, LENGTH, -1)


def gpt2(p):
    inner = 0.12 / math.sqrt(2 * LAYERS)
    table, places = p.matrix(VOCABULARY, DIM, 0.12), p.matrix(LENGTH, DIM, 0.06)
    layers = []
    for _ in range(LAYERS):
        layers.append(
            dict(
                norm1=(p.vector(DIM, 1), p.vector(DIM, 0)),
                qkv=(p.matrix(3 * DIM, DIM, 0.12), p.vector(3 * DIM, 0)),
                out=(p.matrix(DIM, DIM, inner), p.vector(DIM, 0)),
                norm2=(p.vector(DIM, 1), p.vector(DIM, 0)),
                up=(p.matrix(4 * DIM, DIM, 0.12), p.vector(4 * DIM, 0)),
                down=(p.matrix(DIM, 4 * DIM, inner), p.vector(DIM, 0)),
            )
        )
    last = (p.vector(DIM, 1), p.vector(DIM, 0))

    def forward(ids):
        x = table[ids] + places
        for layer in layers:
            y = F.layer_norm(x, (DIM,), *layer["norm1"], NORM_EPSILON)
            q, k, v = F.linear(y, *layer["qkv"]).split(DIM, dim=-1)
            y = joined(attention(heads(q, HEADS), heads(k, HEADS), heads(v, HEADS)))
            x = x + F.linear(y, *layer["out"])
            y = F.layer_norm(x, (DIM,), *layer["norm2"], NORM_EPSILON)
            x = x + F.linear(F.gelu(F.linear(y, *layer["up"]), approximate="tanh"), *layer["down"])
        return F.linear(F.layer_norm(x, (DIM,), *last, NORM_EPSILON), table)

    return forward


def turned(x):
    """Neighbouring pairs, turned by position (rotary embedding, base 10,000)."""
    half = x.shape[-1] // 2
    speed = 10000.0 ** (-2.0 * torch.arange(half, dtype=torch.float64) / x.shape[-1])
    angle = torch.arange(LENGTH, dtype=torch.float64)[:, None] * speed
    cos, sin = torch.cos(angle).to(x.dtype), torch.sin(angle).to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rms_norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + NORM_EPSILON) * weight


def llama(p):
    width = DIM // HEADS
    inner = 0.12 / math.sqrt(2 * LAYERS)
    table = p.matrix(VOCABULARY, DIM, 0.12)
    layers = []
    for _ in range(LAYERS):
        layers.append(
            dict(
                norm1=p.vector(DIM, 1),
                qkv=p.matrix(DIM + 2 * KEY_HEADS * width, DIM, 0.12),
                out=p.matrix(DIM, DIM, inner),
                norm2=p.vector(DIM, 1),
                gate_up=p.matrix(2 * HIDDEN, DIM, 0.12),
                down=p.matrix(DIM, HIDDEN, inner),
            )
        )
    last, head = p.vector(DIM, 1), p.matrix(VOCABULARY, DIM, 0.12)
    shared = HEADS // KEY_HEADS

    def forward(ids):
        x = table[ids]
        for layer in layers:
            qkv = F.linear(rms_norm(x, layer["norm1"]), layer["qkv"])
            q, k, v = qkv.split((DIM, KEY_HEADS * width, KEY_HEADS * width), dim=-1)
            k = turned(heads(k, KEY_HEADS)).repeat_interleave(shared, dim=1)
            v = heads(v, KEY_HEADS).repeat_interleave(shared, dim=1)
            x = x + F.linear(joined(attention(turned(heads(q, HEADS)), k, v)), layer["out"])
            gate, up = F.linear(rms_norm(x, layer["norm2"]), layer["gate_up"]).split(HIDDEN, dim=-1)
            x = x + F.linear(F.silu(gate) * up, layer["down"])
        return F.linear(rms_norm(x, last), head)

    return forward


def curve(make, dtype):
    """Losses before each step, and norms of gradients before they are clipped."""
    parameters = Parameters(dtype)
    forward = make(parameters)
    tensors = [tensor for tensor, _ in parameters.all]
    optimizer = torch.optim.AdamW(
        [
            dict(params=[t for t, decays in parameters.all if decays], weight_decay=DECAY),
            dict(params=[t for t, decays in parameters.all if not decays], weight_decay=0.0),
        ],
        betas=(BETA1, BETA2),
        eps=EPSILON,
    )
    losses, norms = [], []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        inputs, targets = batch(step)
        loss = F.cross_entropy(forward(inputs).reshape(-1, VOCABULARY), targets.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        norms.append(float(torch.nn.utils.clip_grad_norm_(tensors, CLIP)))
        optimizer.step()
        losses.append(float(loss.detach()))
    return dict(losses=losses, norms=norms, parameters=sum(t.numel() for t in tensors))


if __name__ == "__main__":
    torch.manual_seed(0)
    result = dict(
        maker="golden.py",
        python=platform.python_version(),
        torch=torch.__version__,
        machine=sys.argv[1] if len(sys.argv) > 1 else platform.machine(),
        gpt2=dict(f32=curve(gpt2, torch.float32), f64=curve(gpt2, torch.float64)),
        llama=dict(f32=curve(llama, torch.float32), f64=curve(llama, torch.float64)),
    )
    json.dump(result, sys.stdout, indent=1)
    print()
