# Runs the Python of a session, one run after the other. `page`, `context` and `browser` speak to the pages of the session.
import ast, asyncio, builtins, importlib.util, inspect, os, reprlib, socket, sys, traceback
from json.encoder import encode_basestring_ascii as quoted

# The functions below, and the encoder, have builtins of their own: code may put others in their place.
__builtins__ = dict(vars(builtins))
spec = importlib.util.find_spec("json.encoder")
encoder = importlib.util.module_from_spec(spec)
encoder.__builtins__ = __builtins__
spec.loader.exec_module(encoder)
encode = encoder.JSONEncoder().iterencode

channel = socket.socket(fileno=3)
channel.set_inheritable(False)
MOST_RESULT = 1048576
MOST_ERROR = 65536


def load_pages():
    where = os.path.join(os.path.dirname(__file__), "python_pages.py")
    found = importlib.util.spec_from_file_location("harvestman_pages", where)
    module = importlib.util.module_from_spec(found)
    module.__builtins__ = dict(vars(builtins))
    found.loader.exec_module(module)
    return module


Remote = load_pages().Remote

scope = {
    "__name__": "__main__",
    "__builtins__": builtins,
    "page": Remote("page"),
    "context": Remote("context"),
    "browser": Remote("browser"),
}


PARSE, AWAIT = ast.PyCF_ONLY_AST, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


def compiled(text, Expr=ast.Expr, Expression=ast.Expression):
    tree = compile(text, "<code>", "exec", PARSE)
    last = None
    if tree.body and isinstance(tree.body[-1], Expr):
        last = compile(Expression(tree.body.pop().value), "<code>", "eval", AWAIT)
    body = compile(tree, "<code>", "exec", AWAIT)
    return body, last


async def value_of(code, is_coroutine=inspect.iscoroutine):
    value = eval(code, scope)
    if is_coroutine(value):
        value = await value
    return value


LARGE = 100_000
shorter = reprlib.Repr()
shorter.maxlist = shorter.maxtuple = shorter.maxset = shorter.maxfrozenset = shorter.maxdict = shorter.maxarray = shorter.maxdeque = 1_000
shorter.maxstring = shorter.maxother = 10_000
brief = shorter.repr


def is_large(value, kinds=(list, tuple, set, frozenset, dict, bytes, bytearray)):
    return isinstance(value, kinds) and len(value) > LARGE


def as_text(value):
    if value is None:
        return None
    if isinstance(value, str):
        return str.__getitem__(value, slice(MOST_RESULT))
    text = ""
    try:
        # What comes after the bound is not looked at, however much there is.
        for part in encode(value):
            text += part[:MOST_RESULT]
            if len(text) >= MOST_RESULT:
                break
        return text[:MOST_RESULT]
    except Exception:
        pass
    try:
        return str.__getitem__((brief if is_large(value) else repr)(value), slice(MOST_RESULT))
    except Exception:
        return object.__repr__(value)


async def outcome_of(text):
    body, last = compiled(text)
    await value_of(body)
    value = await value_of(last) if last else None
    # A property of a page is a question too: its answer is the value.
    if isinstance(value, Remote) and value._steps:
        value = await value
    return as_text(value)


def complain(text, write=os.write):
    try:
        write(2, text.encode("utf-8", "replace"))
    except OSError:
        pass


def shown_error(error, extract=traceback.extract_tb, form=traceback.format_list, only=traceback.format_exception_only):
    """What is printed of an error, and the line that says it."""
    try:
        frames = [frame for frame in extract(error.__traceback__) if frame.filename == "<code>"]
        lines = ["Traceback (most recent call last):\n", *form(frames)] if frames else []
        last = "".join(only(type(error), error))[:MOST_ERROR]
        return "".join(lines) + last, last.strip()
    except Exception:
        name = type.__dict__["__name__"].__get__(type(error))
        return f"{name}\n", name


def exit_code(end):
    if end.code is None:
        return 0
    return int.__int__(end.code) if isinstance(end.code, int) else 1


def answer(loop, text):
    """The fields of the outcome of a run, as JSON."""
    try:
        result = loop.run_until_complete(outcome_of(text))
        return '"exitCode":0' if result is None else f'"exitCode":0,"result":{quoted(result)}'
    except SystemExit as end:
        code = exit_code(end)
        return f'"exitCode":{code:d}' + (f',"error":"The code ended with {code:d}."' if code else "")
    except BaseException as error:
        shown, last = shown_error(error)
        complain(shown)
        return f'"exitCode":1,"error":{quoted(last)}'


async def real_playwright():
    """Playwright itself, where it can be imported, in place of the shim."""
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        return
    started = await async_playwright().start()
    browser = await started.chromium.connect_over_cdp(f"ws://127.0.0.1:{os.environ['HARVESTMAN_CDP_PORT']}/")
    context = browser.contexts[0]
    scope.update(browser=browser, context=context, page=context.pages[0])


def reader(receive=channel.recv, end=os._exit, peek=socket.MSG_PEEK):
    """Reads to the next zero byte and no further: what follows stays where no code finds it among its objects."""

    def read():
        parts = bytearray()
        while True:
            seen = receive(65536, peek)
            if not seen:
                end(0)
            stop = seen.find(b"\0") + 1
            parts += receive(stop or len(seen))
            if stop:
                return parts[:-1].decode("utf-8", "replace")

    return read


async def readable(loop):
    future = loop.create_future()

    def seen():
        loop.remove_reader(3)
        if not future.done():
            future.set_result(None)

    loop.add_reader(3, seen)
    await future


def redirect(number, path, opens=os.open, duplicate=os.dup2, close=os.close, how=os.O_WRONLY):
    if path:
        opened = opens(path, how)
        duplicate(opened, number)
        close(opened)


def waits(loop):
    """Tasks that the code has left go on meanwhile. Some of them may end this wait, which is begun again then."""
    for _ in range(3):
        try:
            return loop.run_until_complete(readable(loop))
        except BaseException:
            pass
    raise SystemExit(70)


def untraced(off=(sys.settrace, sys.setprofile)):
    for each in off:
        try:
            each(None)
        except BaseException:
            pass


def main(say=channel.sendall, end=os._exit, pid=os.getpid):
    me = pid()
    read = reader()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(real_playwright())
    while True:
        waits(loop)
        text = read()
        redirect(1, read())
        redirect(2, read())
        say(b'\n{"began":' + quoted(read()).encode() + b"}\n")
        fields = answer(loop, text)
        untraced()
        # A process that the code has forked comes here too.
        if pid() != me:
            end(0)
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except Exception:
            pass
        # Code may have written a part of a line here, so that each of ours begins with a new one.
        say(b"\n{" + fields.encode() + b',"word":' + quoted(read()).encode() + b"}\n")


os.register_at_fork(after_in_child=lambda close=os.close: close(3))
main()
