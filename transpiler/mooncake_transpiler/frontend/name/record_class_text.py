"""The text of the class of dicts that lists hold: each key is a field."""

TEXT = """
class record:
    def __getitem__(self, key):
        return _as_dict(self)[key]

    def __setitem__(self, key, value):
        _set_item(self, key, value)

    def __contains__(self, key):
        return key in _as_dict(self)

    def __len__(self):
        return len(_as_dict(self))

    def __iter__(self):
        return iter(_as_dict(self))

    def __eq__(self, other):
        return _as_dict(self) == (_as_dict(other) if isinstance(other, record) else other)

    def __or__(self, other):
        return _as_dict(self) | (_as_dict(other) if isinstance(other, record) else other)

    def __ror__(self, other):
        return other | _as_dict(self)

    def __ior__(self, other):
        self.update(other)
        return self

    def get(self, key, default=None):
        return _as_dict(self).get(key, default)

    def keys(self):
        return _shown(self, "keys")

    def values(self):
        return _shown(self, "values")

    def items(self):
        return _shown(self, "items")

    def copy(self):
        return _as_dict(self)

    def update(self, other=(), /, **named):
        for key, value in dict(other, **named).items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        _unsupported("MK333", "taking keys out of a dict that is in a list", "make a new dict")

    def pop(self, key, default=None):
        self.clear()

    def popitem(self):
        self.clear()

    def __delitem__(self, key):
        self.clear()
"""
