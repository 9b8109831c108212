# `page`, `context` and `browser` for Python: they speak to the pages of the session, with the names of Playwright for Python.
import asyncio, base64, inspect, json, os, re, socket, traceback


class PageError(Exception):
    # Shown without the name of this file.
    __module__ = "builtins"


class Lines:
    """The questions to the pages, and what they ask of functions of the code."""

    def __init__(self):
        self.socket = None
        self.last = 0
        self.waiting = {}
        self.functions = []

    def connect(self):
        where = os.environ["HARVESTMAN_PAGES"]
        if where.isdigit():
            self.socket = socket.create_connection(("127.0.0.1", int(where)))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(where)
        self.buffer = bytearray()
        asyncio.get_event_loop().add_reader(self.socket, self.receive)

    def write(self, message):
        if self.socket is None:
            self.connect()
        try:
            self.socket.sendall((json.dumps(message) + "\n").encode())
        except OSError:
            self.lose()
            raise PageError("The pages of this session were lost.")

    def ask(self, message):
        """Sends at once: what is asked later comes after it."""
        self.last += 1
        self.waiting[self.last] = future = asyncio.get_event_loop().create_future()
        self.write({"id": self.last, **message})
        return future

    def ask_now(self, message):
        """Waits for the answer without letting other tasks go on, as a property must."""
        self.last += 1
        self.waiting[self.last] = answer = []
        self.write({"id": self.last, **message})
        while not answer:
            self.receive()
        return answer[0]

    def receive(self):
        chunk = self.socket.recv(1048576) if self.socket else b""
        if not chunk:
            return self.lose()
        start = len(self.buffer)
        self.buffer += chunk
        while (end := self.buffer.find(b"\n", start)) >= 0:
            line = bytes(self.buffer[:end])
            del self.buffer[: end + 1]
            start = 0
            self.take(json.loads(line))

    def take(self, answer):
        if "call" in answer:
            asyncio.get_event_loop().call_soon(lambda: asyncio.ensure_future(self.call(answer)))
            return
        waiting = self.waiting.pop(answer.pop("id", None), None)
        if isinstance(waiting, list):
            waiting.append(answer)
        elif waiting and not waiting.done():
            waiting.set_result(answer)

    def lose(self):
        if self.socket:
            asyncio.get_event_loop().remove_reader(self.socket)
            self.socket.close()
        self.socket = None
        waiting, self.waiting = self.waiting, {}
        for one in waiting.values():
            if isinstance(one, list):
                one.append({"error": "The pages of this session were lost."})
            elif not one.done():
                one.set_exception(PageError("The pages of this session were lost."))

    def number_of(self, function):
        if function not in self.functions:
            self.functions.append(function)
        return self.functions.index(function)

    async def call(self, question):
        reply = {"reply": question["reply"]}
        try:
            function = self.functions[question["call"]]
            args = [shown(arg) for arg in question["args"]]
            value = function(*args[: taken_by(function, len(args))])
            if inspect.isawaitable(value):
                value = await value
            reply["value"] = plain(value)
        except Exception as error:
            traceback.print_exception(error)
            reply["error"] = str(error)
        try:
            self.write(reply)
        except (PageError, TypeError):
            pass


def taken_by(function, given):
    """How many arguments a function takes: handlers of routes may take the request or leave it."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return given
    if any(each.kind == each.VAR_POSITIONAL for each in parameters):
        return given
    return min(given, sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters))


wire = Lines()

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
    if isinstance(value, (bytes, bytearray)):
        return {"__bytes": base64.b64encode(value).decode()}
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if callable(value):
        return {"__function": wire.number_of(value)}
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
        return Remote(answer["handle"], facts=answer.get("facts"))
    return ready(answer.get("value"))


class Ready:
    """Has its value already, and may be awaited all the same: JavaScript asks for what Python has as a property."""

    def __await__(self):
        return self
        yield


class ReadyText(Ready, str):
    pass


class ReadyNumber(Ready, int):
    pass


class ReadyList(Ready, list):
    pass


READY = {str: ReadyText, int: ReadyNumber, list: ReadyList}


def ready(value):
    return READY[type(value)](value) if type(value) in READY else value


# Properties that may change, methods that give their value at once, and names that differ from those of JavaScript.
LIVE = {"url", "viewport_size", "pages", "frames", "contexts", "workers", "service_workers", "child_frames", "version"}
AT_ONCE = {
    "on",
    "once",
    "remove_listener",
    "set_default_timeout",
    "set_default_navigation_timeout",
    "is_closed",
    "is_connected",
    "is_detached",
    "frame",
}
# What an `expect_` waits for, where that is an event.
EVENTS = {
    "popup": "popup",
    "page": "page",
    "download": "download",
    "file_chooser": "filechooser",
    "console_message": "console",
    "websocket": "websocket",
    "worker": "worker",
    "request_finished": "requestfinished",
}


class Expecting:
    """`async with page.expect_popup() as popup`: waits from its begin, and has the value at its end."""

    def __init__(self, on, steps):
        self._question = {"on": on, "steps": steps}

    async def __aenter__(self):
        asked = wire.ask(self._question)

        async def value():
            return shown(await asked)

        self._value = asyncio.ensure_future(value())
        return self

    async def __aexit__(self, kind, *_error):
        if kind is None:
            await self._value
        else:
            self._value.cancel()

    @property
    def value(self):
        return self._value


def expecting(remote, name):
    what = name[len("expect_") :]

    def expect(*args, **kwargs):
        if what in ("request", "response", "navigation"):
            step = {"name": camel(f"wait_for_{what}"), "args": arguments(args, kwargs)}
        else:
            event = EVENTS.get(what) or args[0]
            rest = args if what in EVENTS else args[1:]
            if rest:
                kwargs = {"predicate": rest[0], **kwargs}
            step = {"name": "waitForEvent", "args": arguments([event], kwargs)}
        return Expecting(remote._on, [*remote._steps, step])

    return expect


class Remote:
    """A page, a locator, or anything else of the browser. Its members have the names of Playwright for Python."""

    def __init__(self, on, steps=(), facts=None, name=None):
        object.__setattr__(self, "_on", on)
        object.__setattr__(self, "_steps", tuple(steps))
        object.__setattr__(self, "_facts", facts or {})
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("expect_"):
            return expecting(self, name)
        if camel(name) in self._facts and name not in ("is_multiple", "is_navigation_request"):
            return ready(self._facts[camel(name)])
        step = {"name": camel(name), "args": None}
        steps = self._steps + (step,)
        if name in LIVE:
            return shown(wire.ask_now({"on": self._on, "steps": steps}))
        return Remote(self._on, steps, name=name)

    def __call__(self, *args, **kwargs):
        if not self._steps:
            raise TypeError("This is not a function.")
        last = {"name": self._steps[-1]["name"], "args": arguments(args, kwargs)}
        steps = self._steps[:-1] + (last,)
        if self._name in AT_ONCE:
            answer = wire.ask_now({"on": self._on, "steps": steps})
            return None if self._name in ("on", "once", "remove_listener") else shown(answer)
        return Remote(self._on, steps)

    def __await__(self):
        return self._ask().__await__()

    async def _ask(self):
        if not self._steps and isinstance(self._on, int):
            return self
        return shown(await wire.ask({"on": self._on, "steps": list(self._steps)}))

    def __repr__(self):
        path = "".join("." + step["name"] + ("" if step["args"] is None else "(…)") for step in self._steps)
        return f"<{self._on}{path}>"
