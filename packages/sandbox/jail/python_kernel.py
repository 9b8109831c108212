# Runs the Python of a session, one run after the other. `page`, `context` and `browser` speak to the pages of the session.
import ast, asyncio, base64, inspect, json, os, re, socket, sys, traceback

channel = socket.socket(fileno=3)
MOST_RESULT = 1048576


class PageError(Exception):
    pass


class Lines:
    def __init__(self):
        self.reader = self.writer = None
        self.last = 0
        self.waiting = {}

    async def ask(self, message):
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_unix_connection(os.environ["HARVESTMAN_PAGES"], limit=2**27)
            self.task = asyncio.ensure_future(self.hear(self.reader))
        self.last += 1
        future = asyncio.get_running_loop().create_future()
        self.waiting[self.last] = future
        self.writer.write((json.dumps({"id": self.last, **message}) + "\n").encode())
        await self.writer.drain()
        return await future

    async def hear(self, reader):
        while line := await reader.readline():
            answer = json.loads(line)
            future = self.waiting.pop(answer.pop("id"), None)
            if future and not future.done():
                future.set_result(answer)
        self.writer = None
        for future in self.waiting.values():
            if not future.done():
                future.set_exception(PageError("The pages of this session were lost."))
        self.waiting = {}


wire = Lines()
RENAMED = {"goto": "goto", "all_inner_texts": "allInnerTexts"}


def camel(name):
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(word.capitalize() if word != "url" else "URL" for word in rest)


def plain(value):
    if isinstance(value, Remote):
        return {"__handle": value._on} if isinstance(value._on, int) else value._on
    if isinstance(value, re.Pattern):
        return {"__regex": value.pattern, "flags": "i" if value.flags & re.I else ""}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def arguments(args, kwargs):
    args = [plain(arg) for arg in args]
    if kwargs:
        args.append({camel(key): plain(value) for key, value in kwargs.items()})
    return args


def shown(answer):
    if "error" in answer:
        raise PageError(answer["error"])
    if "bytes" in answer:
        return base64.b64decode(answer["bytes"])
    if "list" in answer:
        return [shown(item) for item in answer["list"]]
    if "handle" in answer:
        return Remote(answer["handle"])
    return answer.get("value")


class Remote:
    """A page, a locator, or anything else of the browser. Its members have the names of Playwright for Python."""

    def __init__(self, on, steps=()):
        object.__setattr__(self, "_on", on)
        object.__setattr__(self, "_steps", tuple(steps))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Remote(self._on, self._steps + ({"name": camel(name), "args": None},))

    def __call__(self, *args, **kwargs):
        if not self._steps:
            raise TypeError("This is not a function.")
        last = {"name": self._steps[-1]["name"], "args": arguments(args, kwargs)}
        return Remote(self._on, self._steps[:-1] + (last,))

    def __await__(self):
        return self._ask().__await__()

    async def _ask(self):
        if not self._steps and isinstance(self._on, int):
            return self
        return shown(await wire.ask({"on": self._on, "steps": list(self._steps)}))

    def __repr__(self):
        path = "".join("." + step["name"] + ("" if step["args"] is None else "(…)") for step in self._steps)
        return f"<{self._on}{path}>"


scope = {"__name__": "__main__", "page": Remote("page"), "context": Remote("context"), "browser": Remote("browser")}


def compiled(text):
    tree = ast.parse(text, "<code>", "exec")
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = compile(ast.Expression(tree.body.pop().value), "<code>", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    body = compile(tree, "<code>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    return body, last


async def value_of(code):
    value = eval(code, scope)
    if inspect.iscoroutine(value):
        value = await value
    return value


def as_text(value):
    if value is None:
        return None
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        return repr(value)


async def run(text):
    try:
        body, last = compiled(text)
        await value_of(body)
        value = await value_of(last) if last else None
        # A property of a page is a question too: its answer is the value.
        if isinstance(value, Remote) and value._steps:
            value = await value
        text = as_text(value)
        return {"exitCode": 0, **({} if text is None else {"result": text[:MOST_RESULT]})}
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else (0 if end.code is None else 1)
        return {"exitCode": code, **({"error": f"The code ended with {code}."} if code else {})}
    except BaseException as error:
        kind, value, trace = sys.exc_info()
        frames = [frame for frame in traceback.extract_tb(trace) if frame.filename == "<code>"]
        lines = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
        sys.stderr.write("".join([*lines, *traceback.format_exception_only(kind, value)]))
        return {"exitCode": 1, "error": "".join(traceback.format_exception_only(kind, value)).strip()}


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


async def main():
    channel.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=channel, limit=2**24)
    await real_playwright()
    while line := await reader.readline():
        message = json.loads(line)
        answer = await run(message["text"])
        sys.stdout.flush()
        sys.stderr.flush()
        # Code may have written a part of a line here, so that an answer begins with a new one.
        writer.write(f"\n{json.dumps({**answer, 'word': message['word']})}\n".encode())
        await writer.drain()


asyncio.run(main())
