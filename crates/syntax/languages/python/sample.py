#!/usr/bin/env python3
"""Finds the longest word."""

import sys
from collections import defaultdict as table


@staticmethod
def decorated(x: int, *rest, key=None, **others) -> float:
    return x ** 2 + 1.5e3


class Words(object):
    limit = 0x10

    def __init__(self, path):
        self.words = table(list)
        with open(path) as lines:
            for line in lines:  # one word a line
                word = line.strip()
                if not word:
                    continue
                elif len(word) > self.limit:
                    break
                self.words[len(word)].append(word)

    def longest(self):
        try:
            return max(self.words)
        except ValueError as error:
            raise KeyError(f"no words: {error!r}") from None


if __name__ == '__main__':
    print([word for word in Words(sys.argv[1]).words if word], end="\n")
    match sys.argv:
        case [_, path]:
            pass
        case _:
            lambda x: x
