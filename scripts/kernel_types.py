# SPDX-License-Identifier: GPL-3.0-or-later
"""The types of what is in a kernel, see ``translate_kernels``: of annotations, expressions and variables.

A type is the name of a type of C or of a structure, or a tuple of types.
"""

import ast
from collections.abc import Mapping
from typing import TypeAlias

Type: TypeAlias = "str | tuple[Type, ...]"

FLOAT, INT, BOOL, NOTHING = "double", "Py_ssize_t", "bint", "void"
NUMBERS = {"float": FLOAT, "int": INT, "bool": BOOL}

# Arrays: the types of their elements, and the number of their dimensions.
ARRAYS = {
    f"{name}{n}": (kind, n) for name, kind in (("Floats", FLOAT), ("Ints", INT), ("Bools", BOOL)) for n in (1, 2, 3)
}

# Functions of the C library with the names that Python's `math` has for them, which calls these.
MATHEMATICS = {
    **dict.fromkeys(("sqrt", "copysign", "sin", "cos", "atan2"), FLOAT),
    **dict.fromkeys(("isnan", "isinf", "isfinite"), BOOL),
}

_PYTHON = {kind: name for name, kind in NUMBERS.items()}


class TypeProblem(Exception):
    """A type that does not fit; the message says which, and `node` where."""

    def __init__(self, node: ast.AST, text: str) -> None:
        super().__init__(text)
        self.node = node


def written(kind: Type) -> str:
    """Return the name of a type in C."""
    return kind if isinstance(kind, str) else f"({', '.join(map(written, kind))})"


def named(kind: Type) -> str:
    """Return the name of a type in Python."""
    return _PYTHON.get(kind, kind) if isinstance(kind, str) else f"tuple[{', '.join(map(named, kind))}]"


class Types:
    """The types of the variables of one function.

    Parameters
    ----------
    variables : dict
        The types that are known: of parameters and of arrays that the function makes.
    constants : dict
        Numbers by name.
    functions : dict
        The parameters and the result of the functions that it can call, and of structures, which are made like this.
    structures : dict
        The fields of structures.
    """

    def __init__(
        self,
        variables: dict[str, Type],
        constants: Mapping[str, float],
        functions: Mapping[str, tuple[list[Type], Type]],
        structures: Mapping[Type, Mapping[str, Type]],
    ) -> None:
        self.variables = variables
        self._constants, self._functions, self._structures = constants, functions, structures

    def learn(self, body: list[ast.stmt], result: Type) -> None:
        """Find the types of all variables in the order of the statements.

        Raises
        ------
        TypeProblem
        """
        for node in body:
            match node:
                case ast.Assign():
                    for target in node.targets:
                        self._assign(target, node.value)
                case ast.AugAssign():
                    value = ast.BinOp(node.target, node.op, node.value)
                    self._put(node.target, self.of(ast.copy_location(value, node)))
                case ast.Return():
                    self._check(node, NOTHING if node.value is None else self.of(node.value), result, "what it returns")
                case ast.For():
                    self._put(node.target, INT)
                    self.learn(node.body, result)
                case ast.Expr(value=ast.Call()):
                    self.of(node.value)
                case ast.If() | ast.While():
                    self.condition(node.test)
                    self.learn(node.body, result)
                    self.learn(node.orelse, result)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            kinds = [
                None if self._is_array(each) else self.of(one)
                for each, one in zip(target.elts, value.elts, strict=True)
            ]
            for each, kind in zip(target.elts, kinds, strict=True):
                if kind is not None:
                    self._put(each, kind)
        elif not self._is_array(target):
            self._put(target, self.of(value))

    def _is_array(self, node: ast.expr) -> bool:
        """Whether this is the name of an array that the function makes."""
        return isinstance(node, ast.Name) and self.variables.get(node.id) in ARRAYS

    def _put(self, target: ast.expr, kind: Type) -> None:
        """Note that something of this type is assigned."""
        match target:
            case ast.Name(id="_"):
                return
            case ast.Name(id=name):
                if kind == NOTHING or kind in ARRAYS:
                    raise TypeProblem(target, f"{name} cannot be a variable: it would be {named(kind)}")
                self._check(target, kind, self.variables.setdefault(name, kind), name)
            case ast.Tuple(elts=parts):
                if isinstance(kind, str) or len(kind) != len(parts):
                    raise TypeProblem(target, f"{named(kind)} does not have {len(parts)} parts")
                for part, of in zip(parts, kind, strict=True):
                    self._put(part, of)
            case _:
                self._check(target, kind, self.of(target), ast.unparse(target))

    def _check(self, node: ast.AST, kind: Type, wanted: Type, name: str) -> None:
        """Raise unless a value of one type can be used as one of another: an int as a float only as an argument."""
        if kind != wanted and {kind, wanted} != {INT, BOOL}:
            raise TypeProblem(node, f"{name} is {named(wanted)} and here {named(kind)}")

    def condition(self, node: ast.expr) -> None:
        """Check the parts of a condition."""
        for part in node.values if isinstance(node, ast.BoolOp) else [node]:
            if part is not node:
                self.condition(part)
            else:
                self.of(part)

    def of(self, node: ast.expr) -> Type:
        """Return the type of an expression; raises `TypeProblem`."""
        match node:
            case ast.Constant(value=value):
                return self._number(node, value)
            case ast.Name(id=name) if name in self.variables:
                return self.variables[name]
            case ast.Name(id=name) if name in self._constants:
                return self._number(node, self._constants[name])
            case ast.Compare(left=left, comparators=others):
                for each in (left, *others):
                    self.of(each)
                return BOOL
            case ast.BoolOp(values=values):
                if {*map(self.of, values)} != {BOOL}:
                    raise TypeProblem(node, f"{ast.unparse(node)} is not made of conditions")
                return BOOL
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.condition(operand)
                return BOOL
            case ast.UnaryOp(operand=operand):
                kind = self.of(operand)
                return INT if kind == BOOL else kind
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(node, op, self.of(left), self.of(right))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.condition(test)
                return self._common(node, [self.of(body), self.of(orelse)])
            case ast.Tuple(elts=parts):
                return tuple(map(self.of, parts))
            case ast.Attribute(value=value, attr=name):
                fields = self._structures.get(self.of(value), {})
                if name in fields:
                    return fields[name]
            case ast.Subscript(value=value, slice=index):
                return self._element(node, self.of(value), index)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(node, name, arguments)
            case ast.Call():
                raise TypeProblem(node, f"{ast.unparse(node)}: functions are called by their names")
        raise TypeProblem(node, f"{ast.unparse(node)} is not known here")

    def _number(self, node: ast.AST, value: object) -> Type:
        for name, kind in (("bool", BOOL), ("int", INT), ("float", FLOAT)):
            if type(value).__name__ == name:
                return kind
        raise TypeProblem(node, f"{value!r} is not a number")

    def _operation(self, node: ast.AST, op: ast.operator, left: Type, right: Type) -> Type:
        if not {left, right} <= {FLOAT, INT, BOOL}:
            raise TypeProblem(node, f"{named(left)} and {named(right)} cannot be computed with")
        if isinstance(op, ast.Div):
            return FLOAT
        if FLOAT not in (left, right):
            return INT
        if not isinstance(op, ast.Add | ast.Sub | ast.Mult):
            raise TypeProblem(node, "only int can be computed with like this")
        return FLOAT

    def _common(self, node: ast.AST, kinds: list[Type]) -> Type:
        """The type of a choice among several."""
        found = {*kinds}
        if len(found) == 1:
            return kinds[0]
        if found <= {FLOAT, INT, BOOL}:
            return FLOAT if FLOAT in found else INT
        tuples = [kind for kind in kinds if not isinstance(kind, str)]
        if len(tuples) == len(kinds) and len({*map(len, tuples)}) == 1:
            return tuple(self._common(node, [*parts]) for parts in zip(*tuples, strict=True))
        raise TypeProblem(node, f"this is {' or '.join(sorted(map(named, found)))}")

    def _element(self, node: ast.Subscript, kind: Type, index: ast.expr) -> Type:
        if isinstance(kind, str) and kind in ARRAYS:
            element, dimensions = ARRAYS[kind]
            indices = index.elts if isinstance(index, ast.Tuple) else [index]
            if len(indices) != dimensions or any(isinstance(each, ast.Slice) for each in indices):
                raise TypeProblem(node, f"{ast.unparse(node)}: {kind} needs {dimensions} indices")
            for each in indices:
                if self.of(each) not in {INT, BOOL}:
                    raise TypeProblem(node, f"{ast.unparse(each)} is not an int")
            return element
        match index:
            case ast.Constant(value=int(place)) if not isinstance(kind, str) and place < len(kind):
                return kind[place]
        raise TypeProblem(node, f"{ast.unparse(node)}: the index in a tuple must be a number")

    def _call(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Type:
        kinds = [*map(self.of, arguments)]
        if name in self._functions:
            wanted, result = self._functions[name]
            if len(wanted) != len(kinds):
                raise TypeProblem(node, f"{name} takes {len(wanted)} arguments, and gets {len(kinds)}")
            for argument, kind, of in zip(arguments, kinds, wanted, strict=True):
                if not (of == FLOAT and kind in {INT, BOOL}):
                    self._check(argument, kind, of, f"an argument of {name}")
            return result
        match name, kinds:
            case (("min" | "max"), [_, _, *_]):
                return self._common(node, kinds)
            case (("min" | "max"), _):
                raise TypeProblem(node, f"{ast.unparse(node)}: give the numbers one by one")
            case "abs", [kind]:
                return kind
            case "int", [kind] if kind in {FLOAT, INT, BOOL}:
                return INT
            case "float", [kind] if kind in {FLOAT, INT, BOOL}:
                return FLOAT
            case "len", [kind] if kind in ARRAYS:
                return INT
        raise TypeProblem(node, f"{ast.unparse(node)} cannot be called like this")
