# SPDX-License-Identifier: GPL-3.0-or-later
"""Translate the kernels of ``core/kernels`` to one file for Cython, which makes one extension module of it.

In one file, the C compiler sees all functions, and puts small ones in place of their calls, also across the files of
``core/kernels``. In modules of their own, each call would go through a pointer.

Each function becomes a C function. A function with the decorator ``kernel`` gets a second one, which Python calls: it
asks the arrays for their memory and lets other threads run meanwhile. Compiled kernels never call a function with the
decorator ``interpreted``: only its parameters and its result are translated. An array becomes a pointer and its
lengths, a class that derives from ``NamedTuple`` a structure, and a constant its value. A function gets the address of
a structure that contains arrays: these are too large to be copied for each call. The C functions can use no object of
Python. So what they contain is limited:

* Types: ``float``, ``int``, ``bool``, tuples of them, arrays, and classes that derive from ``NamedTuple``. All
  parameters and results have annotations. A variable has one type. What is to be a float begins as ``0.0``.
* Elements of arrays with all indices, and of tuples with an index that is a number. No slices, no negative indices, no
  second name for an array. A structure of arrays gets a name before it is an argument. New arrays only by ``floats1``
  and the like of ``arrays``, with constant lengths.
* ``if``, ``while``, and ``for`` over ``range``. ``min``, ``max``, ``abs``, ``int``, ``len`` of an array, and what
  ``kernel_types.MATHEMATICS`` lists. No ``**``: write a product. No division by zero and no root of a negative
  number: these are errors of Python, but not of C.
* Imports from ``arrays``, ``loading``, ``math``, other kernels, and constants of ``numerics/tolerances.py``.
"""

import ast
import copy
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.kernel_types import ARRAYS, BOOL, FLOAT, INT, MATHEMATICS, NUMBERS, Type, TypeProblem, Types, written

_CONSTANTS = {"inf": math.inf, "nan": math.nan, "pi": math.pi}
_LENGTHS = ("rows", "columns", "layers")
_SCRATCH = {name.lower(): name for name in ("Floats1", "Floats2", "Ints1", "Ints2")}
_VECTOR = ast.parse("tuple[float, float, float]", mode="eval").body
# The elements of arrays in memory.
_ELEMENTS = {FLOAT: "double", INT: "int64_t", BOOL: "unsigned char"}
# Bytes of an array on the stack.
_MOST_SCRATCH = 1 << 18


class KernelError(Exception):
    """A kernel contains what cannot be translated; the message says what, and where."""


@dataclass
class _Function:
    """A function: its parameters and result as types in C, and which parameters it writes to."""

    name: str
    node: ast.FunctionDef
    file: "_File"
    parameters: dict[str, Type]
    result: Type
    exported: bool
    interpreted: bool
    written: set[str] = field(default_factory=set)


@dataclass
class _File:
    """A file with kernels. `names`: the names in C of its functions and structures and of those it imports."""

    path: Path
    constants: dict[str, float | int | bool] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, ast.expr] = field(default_factory=lambda: {"Vector": _VECTOR})
    functions: list[_Function] = field(default_factory=list)

    def error(self, node: ast.AST, text: str) -> KernelError:
        return KernelError(f"{self.path}:{getattr(node, 'lineno', 0)}: {text}")


class Translation:
    """All kernels, file by file.

    Parameters
    ----------
    files : list of Path
    constant_file : Path
        Its constants can be imported.
    digest : str
        Becomes the constant ``DIGEST`` of the module.
    """

    def __init__(self, files: list[Path], constant_file: Path, digest: str) -> None:
        self._digest = digest
        self._files: dict[str, _File] = {}
        self.structures: dict[Type, dict[str, Type]] = {}
        self.functions: dict[str, _Function] = {}
        # Fields of structures that are arrays and are written to.
        self.written_fields: set[tuple[Type, str]] = set()
        self._tolerances = _constants(constant_file)
        trees = {path.stem: (path, ast.parse(path.read_text(encoding="utf-8"), str(path))) for path in files}
        while trees:
            free = [name for name, (_, tree) in trees.items() if not trees.keys() & {*_imported(tree)}]
            if not free:
                raise KernelError(f"these files import each other: {', '.join(trees)}")
            for name in free:
                path, tree = trees.pop(name)
                self._read(path, tree)
        self._find_written()

    def text(self) -> str:
        """Return the source for Cython."""
        functions = [function for file in self._files.values() for function in file.functions]
        lines = [_HEADER, *_array_structures()]
        # Cython defines types in the order in which it meets them, and structures before what their fields are.
        tuples = dict.fromkeys(kind for fields in self.structures.values() for kind in fields.values())
        for number, kind in enumerate(kind for kind in tuples if not isinstance(kind, str)):
            lines.append(f"ctypedef {written(kind)} tuple_{number}")
        for name, fields in self.structures.items():
            lines += [f"cdef struct {name}:", *(f"    {written(kind)} {key}" for key, kind in fields.items()), ""]
        lines += ["", f"DIGEST = {self._digest!r}", ""]
        for function in functions:
            lines.append(self._inner(function))
        for function in functions:
            if function.exported:
                lines.append(self._entry(function))
        return "\n".join(lines)

    def _read(self, path: Path, tree: ast.Module) -> None:
        file = self._files[path.stem] = _File(path)
        for node in tree.body:
            match node:
                case ast.Expr(value=ast.Constant(value=str())):
                    continue
                case ast.ImportFrom():
                    self._import(file, node)
                case ast.AnnAssign(
                    target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"), value=ast.expr() as value
                ):
                    file.aliases[name] = value
                case ast.Assign():
                    try:
                        file.constants.update(_assigned(node, file.constants))
                    except ValueError as error:
                        raise file.error(node, f"{error}") from None
                case ast.ClassDef(bases=[ast.Name(id="NamedTuple")]):
                    self._structure(file, node)
                case ast.FunctionDef():
                    self._function(file, node)
                case _:
                    raise file.error(node, "only constants, functions and named tuples can be in a file of kernels")

    def _import(self, file: _File, node: ast.ImportFrom) -> None:
        for alias in node.names:
            name, known = alias.name, alias.asname or alias.name
            if node.level == 0 and node.module == "math":
                if name in _CONSTANTS:
                    file.constants[known] = _CONSTANTS[name]
                elif name in MATHEMATICS:
                    file.names[known] = name
                else:
                    raise file.error(node, f"kernels cannot use math.{name}")
            elif (node.level, node.module) in {(0, "typing"), (1, "arrays"), (1, "loading")}:
                continue
            elif node.level == 1 and node.module in self._files:
                other = self._files[node.module]
                found = False
                for here, there in (
                    (file.names, other.names), (file.constants, other.constants), (file.aliases, other.aliases)
                ):  # fmt: skip
                    if name in there:
                        here[known] = there[name]  # type: ignore[index]
                        found = True
                if not found:
                    raise file.error(node, f"{node.module} has no {name}")
            elif node.level == 2 and node.module == "numerics.tolerances" and name in self._tolerances:
                file.constants[known] = self._tolerances[name]
            else:
                raise file.error(node, f"kernels cannot import {name} of {node.module}")

    def _structure(self, file: _File, node: ast.ClassDef) -> None:
        name = file.names[node.name] = f"{file.path.stem}_{node.name}"
        fields = {}
        for line in node.body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                fields[line.target.id] = self._type(file, line.annotation)
            elif not isinstance(line, ast.Expr):
                raise file.error(line, f"{node.name} can have fields only")
        self.structures[name] = fields

    def _function(self, file: _File, node: ast.FunctionDef) -> None:
        decorators = [ast.unparse(each) for each in node.decorator_list]
        given = node.args
        if [*given.posonlyargs, *given.kwonlyargs, *given.defaults] or given.vararg or given.kwarg:
            raise file.error(node, f"{node.name}: parameters can have no defaults, and are given by position")
        if decorators not in ([], ["kernel"], ["interpreted"]):
            raise file.error(node, f"{node.name}: {decorators[0]} is not a decorator of kernels")
        # Two underscores, so that the name that Python calls, with one, is another.
        name = f"{file.path.stem}__{node.name.lstrip('_')}"
        if name in self.functions:
            raise file.error(node, f"{node.name}: another function has the same name, apart from the underscore")
        parameters = {each.arg: self._type(file, each.annotation, node) for each in given.args}
        result = self._type(file, node.returns, node)
        exported, interpreted = (decorators == [each] for each in ("kernel", "interpreted"))
        function = _Function(name, node, file, parameters, result, exported, interpreted)
        file.names[node.name] = name
        file.functions.append(function)
        self.functions[name] = function

    def _type(self, file: _File, node: ast.expr | None, where: ast.AST | None = None) -> Type:
        match node:
            case ast.Constant(value=None):
                return "void"
            case ast.Name(id=name) if name in NUMBERS:
                return NUMBERS[name]
            case ast.Name(id=name) if name in ARRAYS:
                return name
            case ast.Name(id=name) if name in file.aliases:
                return self._type(file, file.aliases[name])
            case ast.Name(id=name) if file.names.get(name) in self.structures:
                return file.names[name]
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
                return tuple(self._type(file, each) for each in items)
        text = "nothing" if node is None else ast.unparse(node)
        raise file.error(node or where or ast.Pass(), f"{text} is not a type of kernels")

    def callable(self, file: _File) -> dict[str, tuple[list[Type], Type]]:
        """The parameters and the results of what a file can call."""
        result: dict[str, tuple[list[Type], Type]] = {}
        for name, known in file.names.items():
            if known in self.functions:
                function = self.functions[known]
                result[name] = [*function.parameters.values()], function.result
            elif known in self.structures:
                result[name] = [*self.structures[known].values()], known
            else:
                result[name] = [FLOAT] * (2 if known in {"copysign", "atan2"} else 1), MATHEMATICS[known]
        return result

    def is_large(self, kind: Type) -> bool:
        """Whether this is a structure that contains arrays."""
        inner = self.structures.get(kind, {}).values()
        return any(each in ARRAYS or self.is_large(each) for each in inner)

    def _find_written(self) -> None:
        """Find the parameters that functions write to, also through the functions that they call."""
        bodies = [_Body(self, function) for function in self.functions.values() if not function.interpreted]
        known = -1
        while known != (known := sum(len(each.written) for each in self.functions.values()) + len(self.written_fields)):
            for body in bodies:
                for name in body.written():
                    body.function.written.add(name)

    def _inner(self, function: _Function) -> str:
        # What only the interpreter calls has no result here.
        body = f"    return {_zero(function.result)}" if function.interpreted else _Body(self, function).translated()
        given = ", ".join(
            f"{written(kind)}{'*' if self.is_large(kind) else ''} {name}" for name, kind in function.parameters.items()
        )
        where = f"# {function.file.path.name}, line {function.node.lineno}"
        inline = "" if function.exported else "inline "
        return f"{where}\ncdef {inline}{written(function.result)} {function.name}({given}) noexcept nogil:\n{body}\n"

    def _entry(self, function: _Function) -> str:
        declared, taken, given, views = [], [], [], 0

        def take(target: str, kind: Type, value: str, writable: bool) -> None:
            nonlocal views
            if kind in ARRAYS:
                taken.append(f"{target} = take_{kind}({value}, &views__[{views}], {int(writable)})")
                taken.append("count__ += 1")
                views += 1
            elif kind in self.structures:
                for place, (key, inner) in enumerate(self.structures[kind].items()):
                    take(f"{target}.{key}", inner, f"{value}[{place}]", (kind, key) in self.written_fields)
            else:
                taken.append(f"{target} = {value}")

        for name, kind in function.parameters.items():
            declared.append(f"cdef {written(kind)} c_{name}")
            take(f"c_{name}", kind, name, name in function.written)
            given.append(f"&c_{name}" if self.is_large(kind) else f"c_{name}")
        call = f"{function.name}({', '.join(given)})"
        if function.result != "void":
            declared.append(f"cdef {written(function.result)} result__")
            call = f"result__ = {call}"
        names = ", ".join(function.parameters)
        lines = [
            *declared,
            f"cdef Py_buffer views__[{max(views, 1)}]",
            "cdef int count__ = 0",
            "try:",
            *(f"    {line}" for line in taken),
            "except:",
            "    release(views__, count__)",
            "    raise",
            "with nogil:",
            f"    {call}",
            "release(views__, count__)",
            *(["return result__"] if function.result != "void" else []),
        ]
        text = "\n".join(f"    {line}" for line in lines)
        return f"def {function.name.replace('__', '_', 1)}({names}):\n{text}\n"


class _Body(ast.NodeTransformer):
    """The body of one function."""

    def __init__(self, whole: Translation, function: _Function) -> None:
        self.whole, self.function, self.file = whole, function, function.file
        self._body = copy.deepcopy(function.node.body)
        # Arrays of the function's own: type and lengths.
        self._made: dict[str, tuple[str, tuple[int, ...]]] = {}
        unused = 0
        for node, line in _nodes(self._body, 0):
            if not isinstance(node, _ALLOWED):
                raise self.file.error(ast.Pass(lineno=line), f"{type(node).__name__} is not for kernels")
            if isinstance(node, ast.Name) and node.id == "_":
                unused += 1
                node.id = f"unused_{unused}"
            elif isinstance(node, ast.Assign):
                for name, value in _pairs(node):
                    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _SCRATCH:
                        self._make(name, value, value.func.id)
        known = {**function.parameters, **{name: kind for name, (kind, _) in self._made.items()}}
        self._types = Types(known, self.file.constants, whole.callable(self.file), whole.structures)

    def _make(self, name: ast.expr, call: ast.Call, maker: str) -> None:
        kind = _SCRATCH[maker]
        try:
            lengths = tuple(int(_value(each, self.file.constants)) for each in call.args)
        except ValueError as error:
            raise self.file.error(call, f"{error}") from None
        if not isinstance(name, ast.Name) or len(lengths) != ARRAYS[kind][1]:
            raise self.file.error(call, f"{maker} takes {ARRAYS[kind][1]} lengths, and makes one array")
        if math.prod(lengths) * 8 > _MOST_SCRATCH:
            raise self.file.error(call, f"the array {name.id} is larger than {_MOST_SCRATCH} bytes")
        self._made[name.id] = kind, lengths

    def written(self) -> Iterator[str]:
        """The names of the arrays that are written to; fields of structures are noted."""
        for node, _ in _nodes(self._body, 0):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                yield from self._note(node.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                called = self.whole.functions.get(self.file.names.get(node.func.id, ""))
                for name, value in zip(called.parameters if called else (), node.args, strict=False):
                    if called and name in called.written:
                        yield from self._note(value)

    def _note(self, node: ast.expr) -> Iterator[str]:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            self.whole.written_fields.add((self._types.of(node.value), node.attr))

    def translated(self) -> str:
        """The body as text, with its declarations."""
        try:
            self._types.learn(self._body, self.function.result)
        except TypeProblem as problem:
            raise self.file.error(problem.node, f"{problem}") from None
        lines = []
        for name, (kind, lengths) in self._made.items():
            lines.append(f"cdef {_ELEMENTS[ARRAYS[kind][0]]}[{math.prod(lengths)}] {name}_memory")
            lines.append(f"cdef {kind} {name}")
            lines.append(f"{name}.data = {name}_memory")
            lines += [f"{name}.{key} = {length}" for key, length in zip(_LENGTHS, lengths, strict=False)]
        for name, variable in self._types.variables.items():
            if name not in self._made and name not in self.function.parameters:
                lines.append(f"cdef {written(variable)} {name}")
        for statement in self._body:
            changed = self.visit(statement)
            for each in changed if isinstance(changed, list) else [changed]:
                lines += ast.unparse(ast.fix_missing_locations(each)).split("\n")
        return "\n".join(f"    {line}" for line in lines)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """Docstrings are left out."""
        return ast.Pass() if isinstance(node.value, ast.Constant) else self.generic_visit(node)  # type: ignore[return-value]

    def _is_address(self, node: ast.expr) -> bool:
        """Whether this is a parameter of which the function has the address."""
        if not isinstance(node, ast.Name) or node.id not in self.function.parameters:
            return False
        return self.whole.is_large(self.function.parameters[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return node if self._is_address(node.value) else self.generic_visit(node)

    def _address(self, node: ast.expr) -> ast.expr:
        """The address of a structure that has a name."""
        if self._is_address(node):
            return node
        if not isinstance(node, ast.Name | ast.Attribute):
            raise self.file.error(node, f"{ast.unparse(node)}: give a name to a structure of arrays before it is used")
        return ast.Name(f"&{ast.unparse(self.visit(node))}", ast.Load())

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if self._is_address(node):
            if isinstance(node.ctx, ast.Store):
                raise self.file.error(node, f"{node.id}: a parameter with arrays cannot be assigned")
            return ast.Subscript(node, ast.Constant(0), ast.Load())
        if node.id in self._types.variables or isinstance(node.ctx, ast.Store):
            return node
        if node.id in self.file.constants:
            return _literal(self.file.constants[node.id])
        return ast.Name(self.file.names.get(node.id, node.id), ast.Load())

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        """Arrays of the function's own are filled with zeros; everything else is assigned."""
        pairs = _pairs(node)
        made = [name.id for name, _ in pairs if isinstance(name, ast.Name) and name.id in self._made]
        if made and len(made) < len(pairs) * len(node.targets):
            raise self.file.error(node, "new arrays are assigned by themselves")
        if made:
            return [ast.parse(f"memset({name}_memory, 0, sizeof({name}_memory))").body[0] for name in made]
        return self._with_choices(node, lambda value: ast.Assign(node.targets, value, lineno=node.lineno))

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        return self._with_choices(node, ast.Return)

    def _with_choices(self, node: ast.Assign | ast.Return, make: Callable[[ast.expr], ast.stmt]) -> ast.stmt:
        """A statement whose value is one of two tuples becomes two: Cython would make objects of Python of them."""
        value = node.value
        if isinstance(value, ast.IfExp) and not isinstance(self._types.of(value), str):
            one, other = (self.visit(ast.copy_location(make(each), node)) for each in (value.body, value.orelse))
            return ast.If(self.visit(value.test), [one], [other])
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_For(self, node: ast.For) -> ast.AST:
        match node.iter:
            case ast.Call(func=ast.Name(id="range")) if isinstance(node.target, ast.Name) and not node.orelse:
                return self.generic_visit(node)
        raise self.file.error(node, "loops are over ranges")

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        kind = self._types.of(node.value)
        if kind not in ARRAYS:
            return self.generic_visit(node)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        base = self.visit(node.value)
        place = self.visit(indices[0])
        for length, index in zip(_LENGTHS[1:], indices[1:], strict=False):
            long = self._length(node.value, base, length)
            place = ast.BinOp(ast.BinOp(place, ast.Mult(), long), ast.Add(), self.visit(index))
        return ast.Subscript(ast.Attribute(base, "data", ast.Load()), place, node.ctx)

    def _length(self, array: ast.expr, base: ast.expr, which: str) -> ast.expr:
        """A length of an array: a number if it is an array of the function's own."""
        if isinstance(array, ast.Name) and array.id in self._made:
            return ast.Constant(self._made[array.id][1][_LENGTHS.index(which)])
        return ast.Attribute(base, which, ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self.file.error(node, f"{ast.unparse(node)}: functions are called by their names, with positions")
        match node.func.id, node.args:
            case "len", [array]:
                return self._length(array, self.visit(array), "rows")
            case "int" | "float", [value]:
                return ast.Call(ast.Name(f"to_{node.func.id}", ast.Load()), [self.visit(value)], [])
        called = self.whole.functions.get(self.file.names.get(node.func.id, ""))
        if called is None:
            return self.generic_visit(node)
        given = [
            self._address(value) if self.whole.is_large(kind) else self.visit(value)
            for value, kind in zip(node.args, called.parameters.values(), strict=True)
        ]
        return ast.Call(self.visit(node.func), given, [])


# What bodies may be made of.
_ALLOWED = (
    ast.Assign, ast.AugAssign, ast.Return, ast.For, ast.While, ast.If, ast.Break, ast.Continue, ast.Pass, ast.Expr,
    ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Call, ast.Constant, ast.Attribute, ast.Subscript,
    ast.Name, ast.Tuple, ast.expr_context, ast.boolop, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.FloorDiv,
    ast.LShift, ast.RShift, ast.BitOr, ast.BitAnd, ast.BitXor, ast.unaryop, ast.cmpop,
)  # fmt: skip


def _nodes(nodes: Iterable[ast.AST], line: int) -> Iterator[tuple[ast.AST, int]]:
    """All nodes, from outside in, with their lines: operators have that of what they are in."""
    for node in nodes:
        here = getattr(node, "lineno", line)
        yield node, here
        yield from _nodes(ast.iter_child_nodes(node), here)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The files of kernels that a file imports from."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            yield node.module


def _pairs(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """The names and the values of an assignment, one by one where both are tuples."""
    (target,) = node.targets[-1:]
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        return [*zip(target.elts, node.value.elts, strict=False)]
    return [(target, node.value)]


def _zero(kind: Type) -> str:
    """Zero, or a tuple of zeros."""
    return ("0.0" if kind == FLOAT else "0") if isinstance(kind, str) else f"({', '.join(map(_zero, kind))})"


def _literal(value: float | int | bool) -> ast.expr:
    if isinstance(value, float) and math.isinf(value):
        infinity = ast.Name("INFINITY", ast.Load())
        return infinity if value > 0 else ast.UnaryOp(ast.USub(), infinity)
    if isinstance(value, float) and math.isnan(value):
        return ast.Name("NAN", ast.Load())
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _value(node: ast.expr, known: Mapping[str, object]) -> float | int | bool:
    """The value of an expression of constants."""
    try:
        found = eval(compile(ast.Expression(node), "constant", "eval"), {"__builtins__": {}, "sys": sys}, dict(known))
    except Exception as error:
        raise ValueError(f"{ast.unparse(node)} is not a constant: {error}") from None
    if isinstance(found, bool | int | float):
        return found
    raise ValueError(f"{ast.unparse(node)} is not a number")


def _assigned(node: ast.Assign, known: Mapping[str, object]) -> dict[str, float | int | bool]:
    """The constants of an assignment."""
    result: dict[str, float | int | bool] = {}
    (target,) = node.targets
    values = node.value
    if isinstance(target, ast.Tuple) and isinstance(values, ast.Call) and ast.unparse(values.func) == "range":
        (count,) = values.args
        for name, value in zip(target.elts, range(int(_value(count, known))), strict=True):
            result[ast.unparse(name)] = value
        return result
    for one, expression in _pairs(node):
        result[ast.unparse(one)] = _value(expression, {**known, **result})
    return result


def _constants(path: Path) -> dict[str, float | int | bool]:
    """The numbers that a file assigns to names; what is not a number is left out."""
    result: dict[str, float | int | bool] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            try:
                result.update(_assigned(node, result))
            except ValueError:
                continue
    return result


_HEADER = """\
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=False, binding=False
# Written by scripts/translate_kernels.py.
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from libc.math cimport INFINITY, NAN, atan2, copysign, cos, isfinite, isinf, isnan, sin, sqrt
from libc.stdint cimport int64_t
from libc.string cimport memset


cdef inline Py_ssize_t to_int(double x) noexcept nogil:
    return <Py_ssize_t> x


cdef inline double to_float(double x) noexcept nogil:
    return x


cdef int take(object array, Py_buffer* view, bint writable, str kind, int dimensions, const char* formats) except -1:
    PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (PyBUF_WRITABLE if writable else 0))
    if view.ndim != dimensions or view.format == NULL or view.format[1] != 0 or view.format[0] not in (
        formats[0], formats[1]
    ) or view.itemsize != formats[2]:
        found = f"{view.ndim} dimensions of {view.itemsize} bytes"
        PyBuffer_Release(view)
        raise TypeError(f"an array {kind} is needed, not one with {found}")
    return 0


cdef void release(Py_buffer* views, int count):
    while count:
        count -= 1
        PyBuffer_Release(&views[count])
"""


def _array_structures() -> Iterator[str]:
    """The structure of each type of array, and the function that makes it of an object of Python."""
    for kind, (of, dimensions) in ARRAYS.items():
        element, lengths = _ELEMENTS[of], _LENGTHS[:dimensions]
        # Format and size. Of two types with the same size, numpy calls one by the letter of the other.
        formats = {FLOAT: "dd\\x08", INT: "ql\\x08", BOOL: "??\\x01"}[of]
        yield f"\ncdef struct {kind}:\n    {element}* data"
        yield from (f"    Py_ssize_t {length}" for length in lengths)
        yield f"\ncdef {kind} take_{kind}(object array, Py_buffer* view, bint writable) except *:"
        yield f"    cdef {kind} result"
        yield f'    take(array, view, writable, "{kind}", {dimensions}, b"{formats}")'
        yield f"    result.data = <{element}*> view.buf"
        yield from (f"    result.{length} = view.shape[{place}]" for place, length in enumerate(lengths))
        yield "    return result\n"
