"""Names that a program may use at a place: numbers, arrays, objects, lists and functions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

LENGTH, ROWS, COLUMNS = 5, 4, 3  # of the vectors, and of the matrices


@dataclass(frozen=True, slots=True)
class Array:
    """An expression for an array, and the length of each axis."""

    name: str
    shape: tuple[int, ...]


@dataclass(slots=True)
class List:
    """A list of floats; all of its names share this record of its length."""

    length: int


@dataclass(slots=True)
class Names:
    """Expressions by what they are; ``places`` are floats that can be assigned to."""

    floats: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=list)
    indices: dict[str, tuple[int, int]] = field(default_factory=dict)  # loop index: least, most
    arrays: list[Array] = field(default_factory=list)
    objects: dict[str, str] = field(default_factory=dict)  # the class of each
    lists: dict[str, List] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)  # of a float, with a float result
    others: dict[str, list[str]] = field(default_factory=dict)  # by a letter for the kind

    def copy(self) -> Names:
        kept = (self.floats, self.places, self.ints, self.arrays, self.functions)
        floats, places, ints, arrays, functions = ([*names] for names in kept)
        return replace(
            self, floats=floats, places=places, ints=ints, arrays=arrays, functions=functions,
            indices={**self.indices}, objects={**self.objects}, lists={**self.lists},
            others={**self.others},
        )  # fmt: skip

    def simple(self) -> set[str]:
        """All that are identifiers, so that an assignment rebinds them."""
        arrays = [array.name for array in self.arrays]
        found = (self.floats, self.ints, self.indices, arrays, self.objects, self.lists)
        return {name for names in (*found, self.functions) for name in names if name.isidentifier()}

    def vectors(self) -> list[str]:
        return [array.name for array in self.arrays if array.shape == (LENGTH,)]

    def of(self, cls: str) -> list[str]:
        """The objects of a class."""
        return [name for name, found in self.objects.items() if found == cls]

    def bind(self, name: str, cls: str) -> None:
        """An object has a name; its fields can be used by it."""
        self.objects[name] = cls
        match cls:
            case "State":
                self.floats.append(f"{name}.t")
                self.places.append(f"{name}.t")
                self.ints.append(f"{name}.n")
                self.arrays += [Array(f"{name}.x", (LENGTH,)), Array(f"{name}.v", (LENGTH,))]
            case "Spring":
                self.floats.append(f"{name}.k")
                self.arrays.append(Array(f"{name}.w", (LENGTH,)))
            case "Pair":
                self.floats.append(f"{name}.first")
                self.arrays.append(Array(f"{name}.second", (LENGTH,)))
            case _:
                self.floats.append(f"{name}.total")
                self.places.append(f"{name}.total")
                self.bind(f"{name}.inner", "State")
                self.bind(f"{name}.spring", "Spring")
