"""Random choices that are the same with every version of Python."""


class Draw:
    """A stream of choices that a seed decides (SplitMix64)."""

    def __init__(self, seed):
        self._state = seed

    def bits(self):
        self._state = (self._state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        value = self._state
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB & (2**64 - 1)
        return value ^ (value >> 31)

    def below(self, limit):
        return self.bits() % limit

    def between(self, least, most):
        return least + self.below(most - least + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def weighted(self, choices):
        """One of pairs (weight, choice)."""
        at = self.below(sum(weight for weight, _ in choices))
        for weight, choice in choices:
            if at < weight:
                return choice
            at -= weight
        raise AssertionError

    def some(self, choices, least, most):
        """Between least and most of the choices, without repetition, in their order."""
        left = min(self.between(least, most), len(choices))
        taken = set()
        while len(taken) < left:
            taken.add(self.below(len(choices)))
        return [choice for index, choice in enumerate(choices) if index in taken]
