"""The text of the classes of Python's library that stand in programs as classes of their own."""

TEXT = """
class iterator:
    def __init__(self, items):
        self._items = items
        self._at = 0

    def __iter__(self):
        return self

    def __next__(self):
        at = self._at
        if at >= _count(self._items):
            self._at = 9223372036854775807  # it stays at its end, even if the items get more
            raise StopIteration
        self._at = at + 1
        return _item(self._items, at)

class deque:
    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self._items = []
        self._changes = 0
        self._maxlen = maxlen
        for item in iterable:
            self.append(item)

    @property
    def maxlen(self):
        return self._maxlen

    def append(self, item):
        self._changes += 1
        self._items.append(item)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            self._items.pop(0)

    def appendleft(self, item):
        self._changes += 1
        self._items.insert(0, item)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            self._items.pop()

    def extend(self, iterable):
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable):
        for item in iterable:
            self.appendleft(item)

    def pop(self):
        self._changes += 1
        if len(self._items) == 0:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        self._changes += 1
        if len(self._items) == 0:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)

    def rotate(self, n=1):
        self._changes += 1
        count = len(self._items)
        if count > 1:
            for _ in range(n % count):
                self._items.insert(0, self._items.pop())

    def clear(self):
        self._changes += 1
        self._items.clear()

    def reverse(self):
        self._items.reverse()

    def count(self, item):
        return self._items.count(item)

    def copy(self):
        return deque(self._items, self._maxlen)

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return _unchanged(self, iter(self._items))

    def __reversed__(self):
        return _unchanged(self, reversed(self._items))

    def __eq__(self, other):
        return isinstance(other, deque) and self._items == other._items

    def __contains__(self, item):
        return item in self._items

    def __getitem__(self, at):
        if at >= len(self._items) or at < -len(self._items):
            raise IndexError("deque index out of range")
        return self._items[at]

    def __setitem__(self, at, value):
        if at >= len(self._items) or at < -len(self._items):
            raise IndexError("deque index out of range")
        self._items[at] = value

    def __iadd__(self, iterable):
        self.extend(iterable)
        return self


class _Mapping:
    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, key):
        return key in self._items

    def __setitem__(self, key, value):
        self._items[key] = value

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()

    def get(self, key, default=None):
        return self._items.get(key, default)

    def setdefault(self, key, default=None):
        return self._items.setdefault(key, default)

    def clear(self):
        self._items.clear()

    def __or__(self, other):
        _unsupported("MK333", "joining these dicts", "fill a new one in a loop")

    def __and__(self, other):
        self | other


class OrderedDict(_Mapping):
    def __init__(self, iterable=(), /, **named):
        self._items = dict(iterable, **named)

    def __getitem__(self, key):
        return self._items[key]

    def __delitem__(self, key):
        del self._items[key]

    def __reversed__(self):
        return reversed(self._items)

    def pop(self, key, *default):
        return self._items.pop(key, *default)

    def popitem(self, last=True):
        if last:
            return self._items.popitem()
        if len(self._items) == 0:
            raise KeyError("dictionary is empty")
        key = list(self._items)[0]
        return key, self._items.pop(key)

    def move_to_end(self, key, last=True):
        if not last:
            _unsupported("MK333", "moving a key to the front", "make a new dict")
        value = self._items.pop(key)
        self._items[key] = value

    def update(self, *other, **named):
        self._items.update(*other, **named)

    def copy(self):
        return OrderedDict(self._items)

    def __eq__(self, other):
        _unsupported("MK333", "`==` of an OrderedDict", "compare the items")


class Counter(_Mapping):
    def __init__(self, iterable=None, /, **counts):
        self._items = {}
        self.update(iterable, **counts)

    def __getitem__(self, key):
        return self._items.get(key, 0)

    def __delitem__(self, key):
        if key in self._items:
            del self._items[key]

    def pop(self, key, *default):
        return self._items.pop(key, *default)

    def update(self, iterable=None, /, **counts):
        self._count(iterable, 1)
        self._count(counts, 1)

    def subtract(self, iterable=None, /, **counts):
        self._count(iterable, -1)
        self._count(counts, -1)

    def _count(self, iterable, sign):
        if iterable is None:
            return
        if isinstance(iterable, dict) or isinstance(iterable, Counter):
            for key, count in iterable.items():
                self[key] = self[key] + sign * count
        else:
            for key in iterable:
                self[key] = self[key] + sign

    def total(self):
        return sum(self._items.values())

    def elements(self):
        for key, count in self._items.items():
            for _ in range(count):
                yield key

    def most_common(self, n=None):
        found = sorted(self._items.items(), key=lambda pair: pair[1], reverse=True)
        return found if n is None else found[: max(n, 0)]

    def copy(self):
        return Counter(self)

    def __add__(self, other):
        _unsupported("MK333", "arithmetic of Counters", "use update and subtract of a copy")

    def __sub__(self, other):
        self + other

    def __eq__(self, other):
        _unsupported("MK333", "`==` of a Counter", "compare the counts")


class SimpleNamespace:
    def __init__(self, **fields):
        _fields(self, fields)

    def __eq__(self, other):
        _unsupported("MK347", "`==` of SimpleNamespace", "compare the attributes")


class set:
    def __init__(self, iterable=()):
        self._items = []
        self._changes = 0
        for item in _in_any_order(iterable):
            self.add(item)

    def add(self, item):
        if not self._has(item):
            self._changes += 1
            self._items.append(item)

    def discard(self, item):
        if self._has(item):
            self.remove(item)

    def remove(self, item):
        if not self._has(item):
            raise KeyError(item)
        self._changes += 1
        self._items.remove(item)

    def update(self, *others):
        for other in others:
            for item in _in_any_order(other):
                self.add(item)

    def clear(self):
        self._changes += 1
        self._items.clear()

    def copy(self):
        return set(self)

    def union(self, *others):
        joined = set(self)
        joined.update(*others)
        return joined

    def intersection(self, other):
        both = set()
        for item in _in_any_order(other):
            if self._has(item):
                both.add(item)
        return both

    def difference(self, other):
        others, rest = set(other), set()
        for item in self._items:
            if not others._has(item):
                rest.add(item)
        return rest

    def issubset(self, other):
        return len(self.intersection(other)) == len(self._items)

    def issuperset(self, other):
        return set(other).issubset(self)

    def isdisjoint(self, other):
        return len(self.intersection(other)) == 0

    def __or__(self, other):
        return self.union(other)

    def __and__(self, other):
        return self.intersection(other)

    def __sub__(self, other):
        return self.difference(other)

    def __le__(self, other):
        return self.issubset(other)

    def __eq__(self, other):
        return len(self) == len(other) and self.issubset(other)

    def __len__(self):
        return len(self._items)

    def __contains__(self, item):
        return self._has(item)

    def _has(self, item):
        return any(one == item for one in self._items)

    def __iter__(self):
        return _unchanged(self, _as_hashed(self._items))
"""
