"""SGLang's scheduler, slow and obvious: what differs from vLLM's.

Written from its documented rules (docs.sglang.ai, "hyperparameter tuning": schedule_conservativeness, retraction) and
the published description of PrefillAdder and retract_decode: whoever may be let in is read first, in steps in which
nobody decodes; somebody is let in where there are tokens for all that it will read and generate beside a share of what
those who decode may generate yet; the share is 0.7 at first and falls evenly to 0.098 in 600 steps that decode;
where pages lack, those who have generated least are turned out until there are enough for the step, and wait behind all others.
Pages are taken for a step's tokens; prefixes are shared as the other engine's.
"""

from fractions import Fraction

from vllm_rules import Engine

FIRST, LEAST = Fraction(7, 10), Fraction(98, 1000)
TOKENS_MORE = 20


class PromptsFirst(Engine):
    def __init__(self, options, step_time):
        super().__init__(options, step_time)
        self.share = FIRST

    def rest(self):
        self.share = FIRST

    def left(self, request):
        return request.output - request.generated

    def may_enter(self, request, hits, tokens):
        idle = sum(len(self.cached[piece]) for piece in hits if self.users[piece] == 0)
        cached = len(hits) * self.options["piece_tokens"]
        more = self.pages_of(cached + tokens) - self.pages_of(cached)
        decoding = [r for r in self.running if not r.reads]
        reading = [r for r in self.running if r.reads]
        kept = int(self.share * sum(self.left(r) for r in decoding))
        kept += sum(r.prompt + r.output - 1 - r.computed - self.chunk_of.get(r, 0) for r in reading)
        need = request.prompt + request.output - 1 - cached
        room = len(self.free) - idle
        return need + kept <= room * self.options["page_tokens"] and more <= room

    def turn_out(self, request):
        self.leave(request)
        request.computed = 0
        request.reads = True
        self.waiting.append(request)

    def schedule(self):
        self.chunk_of = {}
        budget = self.options["token_budget"]
        for request in [r for r in self.running if r.reads]:
            tokens = min(request.length() - request.computed, budget)
            if not self.allocate(request, tokens):
                self.turn_out(request)
                return self.schedule_decodes()
            self.chunk_of[request] = tokens
            budget -= tokens
        self.admit(self.chunk_of, budget)
        if self.chunk_of:
            return self.chunk_of, 0
        return self.schedule_decodes()

    def schedule_decodes(self):
        def lacking():
            return sum(self.pages_of(r.length()) - len(r.pages) for r in self.running if not r.reads) - len(self.free)

        reported = 0
        while lacking() > 0:
            decoding = [r for r in self.running if not r.reads]
            fewest = min(r.generated for r in decoding)
            longest = max(r.prompt for r in decoding if r.generated == fewest)
            self.turn_out([r for r in decoding if r.generated == fewest and r.prompt == longest][-1])
            reported += 1
        decoding = [r for r in self.running if not r.reads]
        if reported and decoding:
            tokens = sum(r.generated + TOKENS_MORE for r in decoding)
            # In whole 1,800,000ths, as the replica has it.
            self.share = Fraction(min(1_800_000, 1_800_000 * tokens // sum(r.output for r in decoding)), 1_800_000)
        for request in decoding:
            assert self.allocate(request, 1)
        if decoding:
            self.decayed = max(LEAST, self.share - (FIRST - LEAST) / 600) if self.share > LEAST else self.share
        return dict.fromkeys(decoding, 1), reported

    def plan(self):
        self.decayed = self.share
        return super().plan()

    def finish(self, duration):
        result = super().finish(duration)
        self.share = self.decayed
        return result
