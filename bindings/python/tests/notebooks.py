"""Runs the cells of a notebook in this process, and compares what they show with what stands in the file. With `BLESS=1` the file is
written instead. It knows what a notebook shows of a value (`_repr_html_`, `_repr_svg_`, else `repr`), and needs no kernel.
"""

import ast
import contextlib
import io
import json
import os
import pathlib


def shown(value):
    """What a notebook holds of a value: texts by their kinds."""
    data = {"text/plain": repr(value)}
    for kind, name in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
        if hasattr(value, name):
            data[kind] = getattr(value, name)()
    return data


def outputs(source, names, count):
    """Runs a cell and returns its outputs in the form of the file."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    found, printed = [], io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        value = eval(compile(last, "<cell>", "eval"), names) if last else None
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {kind: text.splitlines(keepends=True) for kind, text in shown(value).items()}
        found.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return found


def plain(found):
    """The part of outputs that no version of a library changes: what is printed, pictures, and texts where there is no table."""
    return [
        one.get("text") or {kind: text for kind, text in one["data"].items() if "text/html" not in one["data"] or kind == "image/svg+xml"}
        for one in found
    ]


def check(path):
    """Runs a notebook in its own folder."""
    path = pathlib.Path(path).resolve()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names, count, before = {"__name__": "__main__"}, 0, os.getcwd()
    os.chdir(path.parent)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            count += 1
            found = outputs("".join(cell["source"]), names, count)
            if os.environ.get("BLESS"):
                cell["outputs"], cell["execution_count"] = found, count
                continue
            assert plain(found) == plain(cell["outputs"]), f"cell {count} of {path.name} shows something else; BLESS=1 writes it"
    finally:
        os.chdir(before)
    if os.environ.get("BLESS"):
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return notebook
