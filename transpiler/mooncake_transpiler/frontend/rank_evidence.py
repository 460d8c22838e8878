"""Facts about the ranks of arrays that annotations leave open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mooncake_transpiler.types import DType

Step = int | str  # an item of a tuple, a field of an object or a key of a dict
EACH = "*"  # the step to the items of a list
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A place inside ``param``, or the array there without its first ``dropped`` axes.

    ``is_computed``: an array of that rank that is made of it, whose items may be of another type.
    """

    param: str
    path: Path = ()
    dropped: int = 0
    is_computed: bool = field(default=False, compare=False)

    @property
    def place(self) -> tuple[str, Path]:
        return self.param, self.path

    def inside(self, step: Step) -> Part:
        return Part(self.param, (*self.path, step))

    def fixed(self, axes: int) -> Part:
        """The array with that many axes less."""
        return replace(self, dropped=self.dropped + axes)

    def computed(self) -> Part:
        return replace(self, is_computed=True)


@dataclass(slots=True)
class Evidence:
    """Facts about the number of axes of one array."""

    least: int = 0
    is_long: bool = False  # it has a length, so one axis at least
    exact: set[int] = field(default_factory=set)
    is_integral: bool = False  # it, or an element of it, is an index or a mask
    is_mask: bool = False
    is_index: bool = False  # it, or an element of it, counts or is one index among several
    is_multiplied: bool = False  # by @, as vectors and matrices are
    is_left: bool = False  # what it is multiplied with stands behind it
    is_right: bool = False
    is_transposed: bool = False  # as a matrix is, and a vector may be
    is_design: bool = False  # the X of X and y: a row for each item of y
    usual: set[int] = field(default_factory=set)  # ranks that names tell by convention
    documented: tuple[bool, ...] = ()  # the shape that a docstring tells: True for an axis of 1
    tested: set[int] = field(default_factory=set)  # ranks that the function makes others of

    def join(self, other: Evidence, part: Part) -> None:
        """Add the facts about ``part`` of the array."""
        dropped = part.dropped
        self.exact |= {dropped + rank for rank in other.exact}
        if not part.is_computed:
            self.is_integral |= other.is_integral
            self.is_mask |= other.is_mask
            self.is_index |= other.is_index
        self.is_design |= other.is_design and not dropped
        self.is_multiplied |= other.is_multiplied
        self.is_left |= other.is_left
        self.is_right |= other.is_right
        self.is_transposed |= other.is_transposed
        self.usual |= {dropped + rank for rank in other.usual}
        self.tested |= {dropped + rank for rank in other.tested}
        if other.documented and not self.documented:
            self.documented = (*[False] * dropped, *other.documented)
        self.is_long |= other.is_long and not dropped
        if other.axes:
            self.least = max(self.least, dropped + (other.axes if dropped else other.least))

    def dtype(self, declared: DType | None) -> DType:
        """The element type where an annotation says ``declared``, or nothing: then of floats."""
        if declared is not None or not (self.is_integral or self.is_index):
            return declared or DType.FLOAT64
        return DType.BOOL if self.is_mask and not self.is_index else DType.INT64

    @property
    def axes(self) -> int:
        """The number of axes that it has at least."""
        return max(self.least, int(self.is_long))

    @property
    def _is_open_design(self) -> bool:
        return self.is_design and not (self.exact or self.least or self.tested)

    @property
    def rank(self) -> int | None:
        """The rank; None if nothing tells it, or what tells it is at odds."""
        if not self.exact and len(self.documented) >= self.axes and self.documented:
            return len(self.documented)
        if self._is_open_design:
            return None
        if not self.exact:
            least = max(self.axes, *self.usual) if len(self.usual) == 1 else self.axes
            return None if least in self.tested or not self.axes else least
        return max(self.exact) if len(self.exact) == 1 and max(self.exact) >= self.axes else None

    def dims(self, rank: int) -> tuple[int | None, ...] | None:
        """The sizes of axes, of which text tells that they are 1."""
        is_told = any(self.documented) and len(self.documented) == rank
        return tuple(1 if one else None for one in self.documented) if is_told else None

    @property
    def fewest(self) -> int:
        """The rank that the code asks for at least, be it told by text or convention or not."""
        return max(self.exact) if self.exact else max(self.axes, 1)

    @property
    def tells_nothing(self) -> bool:
        """True where it may well be a vector."""
        is_used = self.exact or self.axes or self.is_multiplied or self.tested
        return not is_used

    @property
    def is_ambiguous(self) -> bool:
        """True where it may as well be a vector as a matrix."""
        nothing = not (self.exact or self.axes)
        return nothing and self.is_multiplied and self.guessed is None

    @property
    def leads(self) -> bool:
        """True for ``a`` of ``a @ b``, of which that is all that is known: rather a matrix."""
        return self.is_left and not self.is_right

    @property
    def guessed(self) -> int | None:
        """The rank; what is usual, or a vector, if nothing tells it."""
        if self.rank is not None:
            return self.rank
        if self._is_open_design:
            return 2
        if len(self.usual) == 1:
            return min(self.usual)
        if self.tells_nothing:
            return 2 if self.is_transposed else 1
        return None
