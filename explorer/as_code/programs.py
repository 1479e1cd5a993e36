"""Programs with transformers and torch alone, for the questions that are asked most.

Each is the text of one: what stands in «marks» is put in. They say what they do, so that a student
sees what an answer is.
"""

LOADED = """\
import torch
from transformers import «kind», AutoTokenizer

folder = «folder»
tokenizer = AutoTokenizer.from_pretrained(folder)
model = «kind».from_pretrained(folder«numbers»).eval()«moved»
"""

READ = """
# The model's own pieces of the text, with the tokens that it adds itself.
encoded = tokenizer(«text», return_tensors="pt")«moved»
«segments»"""

SEGMENTS = """\
# This tokenizer does not say which text a piece is of: the second is behind the first separator.
separators = encoded["input_ids"] == tokenizer.sep_token_id
encoded["token_type_ids"] = (separators.cumsum(-1) > separators.long()).long()
"""

LANGUAGES = """\
# XLM adds a vector of the text's language to every piece: «language» is number «number».
encoded["langs"] = torch.full_like(encoded["input_ids"], «number»)
"""

HIDE = """
# Hide what is asked for: these positions of the input get the piece that stands for a mask.
masked = «masked»
encoded["input_ids"][0, masked] = tokenizer.mask_token_id
"""

PREDICT = """
# One pass. At every position there is a raw score (a logit) for each piece of the vocabulary, and
# a softmax makes a distribution of them. Masks are predicted side by side: none knows the others.
with torch.inference_mode():
    logits = model(**encoded).logits[0, masked]«plain»
probabilities = logits.softmax(-1)
"""

MASKED_TOKENS = (
    LOADED
    + READ
    + HIDE
    + PREDICT
    + """
for position, row in zip(masked, probabilities):
    best = row.topk(«top_k»)
    entropy = -(row * row.log()).nansum()
    print(f"position {position}, entropy {entropy:.3f} nats")
    for probability, piece in zip(best.values, best.indices):
        print(f"  {probability:.4f}  {tokenizer.convert_ids_to_tokens(int(piece))}")
"""
)

SURPRISAL = (
    LOADED
    + READ
    + """
# Each token of the text, and what is hidden with it while it is predicted: «how».
hidden = «hidden»
ids = encoded["input_ids"][0]«home»
log_probabilities = []
for position, with_it in hidden:
    copy = {name: value.clone() for name, value in encoded.items()}
    copy["input_ids"][0, with_it] = tokenizer.mask_token_id
    with torch.inference_mode():
        logits = model(**copy).logits[0, position]«plain»
    log_probabilities.append(logits.log_softmax(-1)[ids[position]])
log_probabilities = torch.stack(log_probabilities)

# Surprisal is minus the logarithm. The sum is a pseudo-log-likelihood: no probability of the
# sentence, for every token was told the others.
surprisal = -log_probabilities
for (position, _), nats in zip(hidden, surprisal):
    piece = tokenizer.convert_ids_to_tokens(int(ids[position]))
    print(f"{piece:>16}  {nats:.3f} nats  {nats / torch.log(torch.tensor(2.0)):.3f} bits")
print(f"sum {log_probabilities.sum():.3f}, perplexity {surprisal.mean().exp():.3f}")
"""
)

SURPRISAL_FROM_LEFT = (
    LOADED
    + """
# The pieces of the text«begin_said».
ids = torch.tensor([[«begin»*tokenizer(«text»).input_ids]])

# One pass: what stands at a place is predicted from all before it, so its distribution is the one
# behind the token before. The sum is the ordinary log-likelihood of the text.
places = «places»
with torch.inference_mode():
    logits = model(input_ids=ids«to_device»).logits[0]«plain»
before = torch.tensor(places) - 1
log_probabilities = logits[before].log_softmax(-1)[range(len(places)), ids[0, places]]
surprisal = -log_probabilities
for position, nats in zip(places, surprisal):
    piece = tokenizer.convert_ids_to_tokens(int(ids[0, position]))
    print(f"{piece:>16}  {nats:.3f} nats  {nats / torch.log(torch.tensor(2.0)):.3f} bits")
print(f"sum {log_probabilities.sum():.3f}, perplexity {surprisal.mean().exp():.3f}")
"""
)

SOFT_TARGETS = (
    LOADED
    + READ
    + HIDE
    + """
# Both models read the same pieces. Dividing the raw scores by a temperature before the softmax
# evens a distribution out: above 1 it shows which wrong words the teacher holds for less wrong.
temperature = «temperature»
student = «kind».from_pretrained(«student»«numbers»).eval()«moved»
read = AutoTokenizer.from_pretrained(«student»)(«text_of_student», return_tensors="pt")«moved»
read["input_ids"] = encoded["input_ids"]  # the same pieces have the same numbers
with torch.inference_mode():
    raw = model(**encoded).logits[0, masked]«plain»
    raw_of_student = student(**read).logits[0, masked]«plain»
soft_targets = (raw / temperature).softmax(-1)
of_student = (raw_of_student / temperature).softmax(-1)

# What a student is trained to make small: KL(teacher || student), times T squared so that its
# gradients stay as large as those of the hard label (Hinton et al. 2015).
divergence = (soft_targets * (soft_targets.log() - of_student.log())).nansum(-1)
for position, row, other, kl in zip(masked, soft_targets, of_student, divergence):
    print(f"position {position}, KL {kl:.4f} nats, times T² {kl * temperature**2:.4f}")
    for probability, piece in zip(*row.topk(«top_k»)):
        word = tokenizer.convert_ids_to_tokens(int(piece))
        print(f"  teacher {probability:.4f}  student {other[piece]:.4f}  {word}")
"""
)

REPLACED_TOKENS = (
    LOADED
    + """
# The pieces that the discriminator reads: «said».
ids = torch.tensor([«ids»])
«parts»
# ELECTRA's discriminator has one raw score a token: above zero it holds the token for replaced.
with torch.inference_mode():
    logits = model(input_ids=ids«to_device»«more»).logits[0]«plain»
probabilities = logits.sigmoid()
for piece, probability in zip(tokenizer.convert_ids_to_tokens(ids[0]), probabilities):
    print(f"{piece:>16}  {probability:.4f}{'  replaced' if probability > 0.5 else ''}")
"""
)

ATTENTION = (
    LOADED.replace(
        "«kind».from_pretrained(folder«numbers»)",
        '«kind».from_pretrained(folder«numbers», attn_implementation="eager")',
    )
    + READ
    + """«hide»
# Every layer tells, for each of its heads, how much each token (a row) looks at each other one (a
# column): softmax(q·k / sqrt(width of a head)). A row sums to 1.
with torch.inference_mode():
    attentions = model(**encoded, output_attentions=True).attentions
weights = torch.cat(attentions)«plain»  # layers x heads x tokens x tokens
tokens = tokenizer.convert_ids_to_tokens(encoded["input_ids"][0])
layer, head = «layer», «head»
for token, row in zip(tokens, weights[layer, head]):
    most = int(row.argmax())
    print(f"{token:>16}  looks most at {tokens[most]} ({row[most]:.3f})")
"""
)

LOGIT_LENS = (
    LOADED
    + READ
    + """«hide»
# What leaves each layer, from the embeddings on: layers x tokens x width.
with torch.inference_mode():
    states = model(**encoded, output_hidden_states=True).hidden_states

# The lens: give each of them to the model's own head in the place of the last one. What the head
# then predicts is what the text would be completed with if the layers above did nothing.
probabilities = []
for state in states:

    def instead(module, inputs, output, state=state):
        output["last_hidden_state"] = state
        return output

    hook = model.base_model.register_forward_hook(instead)
    with torch.inference_mode():
        logits = model(**encoded).logits[0]«plain»
    hook.remove()
    probabilities.append(logits.softmax(-1))
probabilities = torch.stack(probabilities)  # layers x tokens x vocabulary

places = «places»
for number, layer in enumerate(probabilities):
    likeliest = tokenizer.convert_ids_to_tokens(layer[places].argmax(-1))
    print(f"{'emb.' if number == 0 else number - 1:>4}  {'  '.join(likeliest)}")
"""
)

SENTENCE_PAIR = (
    LOADED
    + READ
    + """
# Two texts in one input, told apart by their segments; the head reads the vector of the first
# token, and has a raw score for each class.
with torch.inference_mode():
    logits = model(**encoded).«logits»[0]«plain»
probabilities = logits.softmax(-1)
for label, probability in zip(«labels», probabilities):
    print(f"{probability:.4f}  {label}")
"""
)

ANSWER_SPAN = (
    LOADED
    + """
question, passage = «question», «passage»
encoded = tokenizer(question, passage, return_tensors="pt")«moved»
«segments»of_passage = [n for n, one in enumerate(encoded.sequence_ids(0)) if one == 1]

# Two raw scores a token: as the first of an answer, and as the last. Those of the first token of
# the input stand for "no answer" (SQuAD 2.0), so it has its share of the probabilities.
with torch.inference_mode():
    scores = model(**encoded)
start_logits = scores.start_logits[0]«plain»
end_logits = scores.end_logits[0]«plain»
places = [0, *of_passage]
starts = start_logits[places].softmax(-1)[1:]
ends = end_logits[places].softmax(-1)[1:]

# A span is as probable as its start times its end, if it does not end before it begins and is no
# longer than «longest» pieces.
spans = (starts[:, None] * ends[None, :]).triu().tril(«longest» - 1)
start, end = divmod(int(spans.argmax()), len(of_passage))
pieces = encoded["input_ids"][0, of_passage[start] : of_passage[end] + 1]
print(f"{spans.max():.4f}  {tokenizer.decode(pieces)}")
no_answer = float(
    start_logits[places].softmax(-1)[0] * end_logits[places].softmax(-1)[0]
)
print(f"{no_answer:.4f}  no answer")
"""
)
