#!/usr/bin/env python3
"""python_reference.py FOLDER: prints the reference of the Python package whose sources are in FOLDER, as Markdown: what
it exports, with signatures and docstrings. Read from the source, so that nothing has to be built, or imported.
"""
import ast
import pathlib
import re
import sys


def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def exported(module):
    """The names of __all__."""
    return next(
        ast.literal_eval(node.value)
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )


def definitions(folder):
    """{name: node} of what the package's modules define."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        for node in parsed(path).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
    return found


def prose(node):
    """Its docstring, in Markdown."""
    return re.sub(r"``(.+?)``", r"`\1`", ast.get_docstring(node) or "")


def signature(node, name):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, |$)", "", arguments)
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"```python\n{name}({arguments}){answer}\n```\n"


def members(node):
    """What users see of a class: its methods and properties, and its fields or values."""
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_") and ast.get_docstring(member):
            yield member


def fields(node):
    for member, after in zip(node.body, [*node.body[1:], None]):
        target = getattr(member, "target", None) or (getattr(member, "targets", None) or [None])[0]
        if isinstance(target, ast.Name) and not target.id.startswith("_"):
            said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            kind = f": {ast.unparse(member.annotation)}" if isinstance(member, ast.AnnAssign) else ""
            value = f" = {ast.unparse(member.value)}" if member.value is not None else ""
            yield f"`{target.id}{kind}{value}`", " ".join(re.sub(r"``(.+?)``", r"`\1`", str(said)).split())


def write_class(name, node):
    yield f"## {name}\n"
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield f"```python\nclass {name}({bases})\n```\n" if bases else f"```python\nclass {name}\n```\n"
    yield prose(node) + "\n"
    yield "\n".join(f"- {code}" + (f": {said}" if said else "") for code, said in fields(node)) + "\n"
    for member in members(node):
        yield f"### {name}.{member.name}\n"
        decorators = {ast.unparse(decorator) for decorator in member.decorator_list}
        if "property" in decorators:
            kind = f": {ast.unparse(member.returns)}" if member.returns else ""
            yield f"```python\n{name}.{member.name}{kind}\n```\n"
        else:
            yield signature(member, f"{name}.{member.name}")
        yield prose(member) + "\n"


def main():
    (initial,) = pathlib.Path(sys.argv[1]).glob("*/__init__.py")
    package = parsed(initial)
    known = definitions(initial.parent)
    print(f"# The Python package {initial.parent.name}\n\n{prose(package)}\n")
    print("[guide-python.md](../docs/guide-python.md) shows how the calls fit together.\n")
    for name in exported(package):
        node = known.get(name)
        if isinstance(node, ast.ClassDef):
            print("\n".join(write_class(name, node)))
        elif node is not None:
            print(f"## {name}\n\n{signature(node, name)}\n{prose(node)}\n")


if __name__ == "__main__":
    main()
