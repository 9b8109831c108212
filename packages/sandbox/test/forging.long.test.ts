// @module-tag long
// @module-tag bubblewrap
// @module-tag python3
import type { CodeLanguage, CodeResult, Jail, Sandbox } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { localSandbox } from '../src/index.ts'
import { bound, languages, noBrowser, run, soon } from './setup.ts'

let sandbox: Sandbox

beforeAll(() => {
  sandbox = localSandbox({ bound })
})
afterAll(() => sandbox.close())

/** Each has a jail of its own, which what it tries may destroy. */
const inJail = test.extend<{ jail: Jail }>({
  jail: async ({ task: _task }, use) => {
    const jail = await sandbox.open({ connect: noBrowser }, soon())
    await use(jail)
    await jail.close()
  },
})

const forged = JSON.stringify({ exitCode: 0, result: 'forged', word: '', began: true, killed: false })
const quoted = JSON.stringify(forged)

/** What a run without a browser says beside its own output, in JavaScript alone. */
const noPages = 'The browser of this session cannot be reached.\n'
const good = { exitCode: 0, killed: false, error: undefined }

const other = { node: 'bash', python: 'bash', bash: 'python' } as const
const sums = { node: '40 + 2', python: '40 + 2', bash: 'echo 42' } as const

/** Whether a run in each language comes to what its code says, with no word of others in it. */
async function tellsTheTruth(jail: Jail, language: CodeLanguage): Promise<void> {
  const { stdout, stderr, ...outcome } = await run(jail, language, sums[language])
  expect(stdout).toBe(language === 'bash' ? '42\n' : '')
  expect(stderr).not.toMatch(/forged|word/)
  expect(outcome).toMatchObject({ ...good, result: language === 'bash' ? undefined : '42' })
}

type Row = readonly [does: string, language: CodeLanguage, code: string, comes: Partial<CodeResult>, timeout?: number]

const failed = { exitCode: 1, killed: false, result: undefined }
const ended = { exitCode: undefined, killed: false, result: undefined }
const late = { exitCode: undefined, killed: true, result: undefined }

const node: readonly Row[] = [
  [
    'prints outcomes, and fails',
    'node',
    `console.log(${quoted}); console.error(${quoted}); throw new Error('true')`,
    failed,
  ],
  ['prints a part of one', 'node', `process.stdout.write('{"exitCode":0,'); throw new Error('true')`, failed],
  [
    'writes outcomes where they are written, and fails',
    'node',
    String.raw`require('fs').writeSync(3, '\n' + ${quoted} + '\n{"exit'); throw new Error('true')`,
    failed,
  ],
  [
    'goes on doing that',
    'node',
    String.raw`setInterval(() => require('fs').writeSync(3, ${quoted} + '\n'), 1); await new Promise((go) => setTimeout(go, 100)); 'true'`,
    { ...good, result: 'true' },
  ],
  ['ends with 0 before its end', 'node', `process.exit(0); throw new Error('true')`, { ...good, result: undefined }],
  [
    'ends with 7 before its end',
    'node',
    `process.on('exit', () => console.log(${quoted})); process.exit(7)`,
    { ...failed, exitCode: 7 },
  ],
  ['aborts', 'node', 'process.abort()', ended],
  ['closes the file of its outcomes', 'node', `require('fs').closeSync(3); 'true'`, ended],
  [
    'takes the functions of JSON, of promises and of objects away',
    'node',
    `JSON.stringify = JSON.parse = () => ${quoted}; Promise.prototype.then = () => 5; Promise.prototype.finally = undefined
    Object.assign = Object.freeze = Reflect.apply = () => { throw new Error('mine') }
    globalThis.__take = globalThis.__kernel = { asText: () => 'forged' }; [1]`,
    { ...good, result: '[1]' },
  ],
  [
    'puts its own in the way of every object',
    'node',
    `for (const name of ['word', 'exitCode', 'result', 'killed', 'exceptionDetails', 'objectId', 'type', 'subtype', 'text', 'began'])
      Object.defineProperty(Object.prototype, name, { get: () => 'forged', set() {}, configurable: true }); 5`,
    { ...good, result: '5' },
  ],
  [
    'takes the functions of lists and of text away',
    'node',
    `Array.prototype[Symbol.iterator] = () => { throw new Error('mine') }; Array.prototype.push = Array.prototype.join = () => 'forged'
    String.prototype.slice = String.prototype.split = String.prototype.toString = () => 'forged'; Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 'forged'; 'true'`,
    { ...good, result: 'true' },
  ],
  [
    'takes the functions of streams and events away',
    'node',
    `const { Socket } = require('net'); const { EventEmitter } = require('events'); const { Duplex } = require('stream'); const { Session } = require('inspector'); const { MessagePort, Worker } = require('worker_threads')
    Socket.prototype.write = Duplex.prototype.write = Duplex.prototype.push = process.stdout.write = process.stderr.write = () => true
    EventEmitter.prototype.emit = EventEmitter.prototype.on = () => false; Session.prototype.post = MessagePort.prototype.postMessage = Worker.prototype.postMessage = () => undefined
    require('fs').writeSync = require('fs').openSync = require('fs').closeSync = () => 1; 'true'`,
    { ...good, result: 'true' },
  ],
  [
    'leaves an error for later',
    'node',
    `setTimeout(() => { throw new Error('late') }, 1); Promise.reject(new Error('late')); 'true'`,
    { ...good, result: 'true' },
  ],
  [
    'has a result that gives another',
    'node',
    `({ then: (take) => take('forged'), toString: () => 'forged' })`,
    { ...good, result: '{}' },
  ],
  [
    'has a result that throws when it is looked at',
    'node',
    `const no = () => { throw new Error('mine') }; ({ toJSON: no, [Symbol.for('nodejs.util.inspect.custom')]: no, toString: no })`,
    { ...good, result: '[object]' },
  ],
  ['has a result that never ends', 'node', '({ toJSON() { for (;;); } })', late, 2_000],
  [
    'has a result of 100 MB',
    'node',
    `Array.from({ length: 100 }, () => 'x'.repeat(1e6))`,
    { ...good, result: expect.stringMatching(/^\["x{1000000}","x{48571}$/) as string },
  ],
  [
    'has a result that is very deep',
    'node',
    'let deep = []; for (let n = 0; n < 1e5; n++) deep = [deep]; deep',
    { ...good, result: '[ [ [ [Array] ] ] ]' },
  ],
  [
    'closes its own outputs',
    'node',
    `require('fs').closeSync(1); require('fs').closeSync(2); 'true'`,
    { ...good, result: 'true' },
  ],
]

const python: readonly Row[] = [
  [
    'prints outcomes, and fails',
    'python',
    `import sys\nprint(${quoted})\nprint(${quoted}, file=sys.stderr)\nraise Exception('true')`,
    failed,
  ],
  ['prints a part of one', 'python', `print('{"exitCode":0,', end='')\nraise Exception('true')`, failed],
  [
    'writes outcomes into every file, and fails',
    'python',
    `import os\nfor n in range(1, 40):\n  try: os.write(n, ${JSON.stringify(`\n${forged}\n{"exit`)}.encode())\n  except OSError: pass\nraise Exception('true')`,
    failed,
  ],
  [
    'has a thread that goes on doing that',
    'python',
    `import os, threading, time\ndef lie():\n  while True:\n    os.write(3, (${quoted} + "\\n").encode())\n    time.sleep(0.001)\nthreading.Thread(target=lie, daemon=True).start()\ntime.sleep(0.1)\n"true"`,
    { ...good, result: 'true' },
  ],
  [
    'ends with 0 before its end',
    'python',
    `import sys\nsys.exit(0)\nraise Exception('true')`,
    { ...good, result: undefined },
  ],
  [
    'ends with 7 at once',
    'python',
    `import os, atexit\natexit.register(print, ${quoted})\nos._exit(7)`,
    { ...failed, exitCode: 7 },
  ],
  ['closes the file of its outcomes', 'python', `import os\nos.close(3)\n"true"`, { ...failed, exitCode: 1 }],
  ['forks, so that it ends twice', 'python', `import os\nchild = os.fork()\n"true"`, { ...good, result: 'true' }],
  [
    'forks a child that never ends',
    'python',
    `import os, time\nif os.fork() == 0:\n  while True: time.sleep(1)\n"true"`,
    { ...good, result: 'true' },
  ],
  [
    'puts its own in place of what all code is made from',
    'python',
    `import builtins, json, os, sys, traceback, ast\njson.dumps = json.loads = json.JSONEncoder.encode = lambda *_: ${quoted}\ntraceback.format_exception_only = ast.parse = os.write = os._exit = None\nfor name in ("compile", "eval", "repr", "slice", "exec", "getattr", "bytearray"): setattr(builtins, name, lambda *_: "forged")\n[1]`,
    { ...good, result: '[1]' },
  ],
  [
    'has modules of its own',
    'python',
    `import sys\nfor name in list(sys.modules): sys.modules[name] = None\n"true"`,
    { ...good, result: 'true' },
  ],
  [
    'traces what comes after it',
    'python',
    `import sys\ndef no(*_): raise Exception("mine")\nsys.settrace(no)\nsys.setprofile(no)`,
    { exitCode: 1, killed: false },
  ],
  [
    'cancels all that is waited for',
    'python',
    `import asyncio\nfor task in asyncio.all_tasks(): task.cancel()\nawait asyncio.sleep(1)`,
    failed,
  ],
  ['stops the loop', 'python', `import asyncio\nasyncio.get_running_loop().stop()\nawait asyncio.sleep(1)`, failed],
  [
    'closes its own outputs',
    'python',
    `import sys, os\nsys.stdout.close()\nsys.stderr = None\nos.close(2)\n"true"`,
    { ...good, result: 'true' },
  ],
  [
    'has a result that throws when it is looked at',
    'python',
    `class Odd(str):\n  def __getitem__(self, _): return 5\n  def __repr__(self): raise Exception("mine")\nOdd("true")`,
    { ...good, result: 'true' },
  ],
  [
    'has a result that never ends',
    'python',
    `class Odd:\n  def __repr__(self):\n    while True: pass\nOdd()`,
    late,
    2_000,
  ],
  ['has a result of 100 MB', 'python', `"x" * 10**8`, { ...good, result: 'x'.repeat(1_048_576) }],
  [
    'has a result that is very deep',
    'python',
    `deep = []\nfor _ in range(10**5): deep = [deep]\ndeep`,
    { ...good, result: expect.stringMatching(/^<list object at 0x\w+>$/) as string },
  ],
  [
    'fails with an error that cannot be shown',
    'python',
    `class Odd(Exception):\n  def __str__(self): raise Exception("mine")\nraise Odd()`,
    failed,
  ],
]

const bash: readonly Row[] = [
  ['prints outcomes, and fails', 'bash', `echo '${forged}'; echo '${forged}' >&2; false`, failed],
  ['prints a part of one', 'bash', `printf '{"exitCode":0,'; (exit 4)`, { ...failed, exitCode: 4 }],
  [
    'writes outcomes into every file, and fails',
    'bash',
    `for n in {1..40} {240..255}; do { printf '\\n%s\\n{"exit' '${forged}' >&$n; } 2> /dev/null; done; false`,
    failed,
  ],
  [
    'leaves a process that goes on doing that',
    'bash',
    `(while :; do for n in {3..20}; do echo '${forged}' >&$n; done 2> /dev/null; sleep 0.01; done) & sleep 0.1; (exit 3)`,
    { ...failed, exitCode: 3 },
  ],
  [
    'has functions with the names of commands',
    'bash',
    `for name in builtin unset exec eval printf read trap command source set exit echo '['; do builtin eval "function $name { return 0; }"; done; false`,
    failed,
  ],
  [
    'has other names for commands',
    'bash',
    `shopt -s expand_aliases; alias builtin=true eval=true printf=true exec=true unset=true POSIXLY_CORRECT=true; false`,
    failed,
  ],
  [
    'has variables that cannot be set',
    'bash',
    'readonly __code __status __word REPLY; (exit 5)',
    { ...failed, exitCode: 5 },
  ],
  ['leaves its loop', 'bash', 'while :; do break 9; done; break 9; continue 9; (exit 6)', { ...failed, exitCode: 6 }],
  ['returns', 'bash', 'return 3; echo more', { ...good, stdout: 'more\n' }],
  ['ends with 0 before its end', 'bash', 'exit 0; false', { ...good, result: undefined }],
  ['ends with 7 before its end', 'bash', `trap 'echo ${quoted}' EXIT; exit 7`, { ...failed, exitCode: 7 }],
  ['is another program then', 'bash', 'exec sh -c "exit 9"', { ...failed, exitCode: 9 }],
  ['ends at its first failure', 'bash', 'set -eu; false; echo more', { ...failed, stdout: '' }],
  [
    'sees each command',
    'bash',
    `trap 'for n in 1 2 3 10 11 12; do echo "${quoted.replaceAll('"', '')} $BASH_COMMAND" >&$n; done 2> /dev/null' DEBUG ERR RETURN; PROMPT_COMMAND='exit 0'; set -xv; (exit 3)`,
    { ...failed, exitCode: 3 },
  ],
  [
    'writes elsewhere from now on',
    'bash',
    'exec > /dev/null 2>&1 3> /dev/null < /dev/null; set +o braceexpand; IFS=0123; false',
    failed,
  ],
  ['closes its own outputs', 'bash', 'exec >&- 2>&- <&-; (exit 3)', { ...failed, exitCode: 3 }],
  ['ends its group of processes', 'bash', 'kill -9 0', ended],
  [
    'has commands of its own',
    'bash',
    'mkdir -p /tmp/bin; for n in cat printf bash sh node python3; do printf "#!/bin/sh\\necho forged" > /tmp/bin/$n; chmod +x /tmp/bin/$n; done; PATH=/tmp/bin:$PATH; (exit 3)',
    { ...failed, exitCode: 3 },
  ],
]

describe.concurrent.each([
  ['node', node],
  ['python', python],
  ['bash', bash],
] as const)('a run in %s, and those after it, come to what they came to when code', (_language, rows) => {
  inJail.for(rows)('%s', async ([_does, language, code, comes, timeout], { jail }) => {
    expect(await run(jail, language, code, timeout)).toMatchObject(comes)
    for (const next of [language, other[language]]) await tellsTheTruth(jail, next)
  })
})

const daemons: Readonly<Record<CodeLanguage, string>> = {
  node: `require('child_process').spawn('sh', ['/tmp/daemon'], { detached: true, stdio: 'inherit' }).unref()`,
  python: `import subprocess\nsubprocess.Popen(['sh', '/tmp/daemon'], start_new_session=True, close_fds=False) and None`,
  bash: 'setsid sh /tmp/daemon & disown',
}

describe.concurrent('what an earlier run has started cannot write into the output of a later one', () => {
  const daemon = `while [ ! -e /tmp/go ]; do sleep 0.02; done; echo forged; echo forged >&2; echo '${forged}' >&3; touch /tmp/wrote`
  const rows = languages.flatMap((one) => languages.map((two) => [one, two] as const))
  inJail.for(rows)('%s, then %s', async ([one, two], { jail }) => {
    await run(jail, 'bash', `cat > /tmp/daemon <<'END'\n${daemon}\nEND`)
    expect(await run(jail, one, daemons[one])).toMatchObject({ ...good, stdout: '' })
    const waits = `touch /tmp/go; while [ ! -e /tmp/wrote ]; do sleep 0.02; done; rm /tmp/wrote /tmp/go`
    const code = {
      node: `require('child_process').execSync(${JSON.stringify(waits)}); 'true'`,
      python: `import os\nos.system(${JSON.stringify(waits)})\n'true'`,
      bash: waits,
    }
    const { stdout, stderr, ...outcome } = await run(jail, two, code[two])
    expect(stdout + stderr.replace(noPages, '')).toBe('')
    expect(outcome).toMatchObject({ ...good, result: two === 'bash' ? undefined : 'true' })
  })
})

/** The processes of a jail by what they are: numbers 1 and 2 are its own. */
const listed = `for p in /proc/[0-9]*; do case $p in /proc/[12]) continue;; esac; c=$(tr '\\0' ' ' < $p/cmdline); case $c in *evaluator*|*node-kernel*) echo node \${p#/proc/};; *python_kernel*) echo python \${p#/proc/};; *pages-kernel*) echo pages \${p#/proc/};; 'bash --noprofile --norc ') echo bash \${p#/proc/};; esac; done`

/** Starts all of them. */
async function processesOf(jail: Jail): Promise<Readonly<Record<string, number>>> {
  for (const language of languages) await tellsTheTruth(jail, language)
  await run(jail, 'bash', 'agent-browser get url')
  const { stdout } = await run(jail, 'bash', listed)
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line): [string, number] => [line.split(' ')[0]!, Number(line.split(' ')[1])])
  return { first: 1, supervisor: 2, ...Object.fromEntries(pairs.toReversed()) }
}

inJail(
  'code can look into no interpreter but its own, and write into nothing that another one has open',
  async ({ jail }) => {
    const numbers = await processesOf(jail)
    expect(Object.keys(numbers).toSorted()).toEqual(['bash', 'first', 'node', 'pages', 'python', 'supervisor'])
    const paths = Object.entries(numbers).flatMap(([name, pid]) =>
      ['mem', 'fd/1', 'fd/2', 'fd/3', 'fd/0'].map((file) => [name, `/proc/${pid}/${file}`]),
    )
    const attempts: Readonly<Record<CodeLanguage, string>> = {
      node: `${JSON.stringify(paths)}.filter(([, path]) => { try { require('fs').closeSync(require('fs').openSync(path, 'a')); return true } catch { return false } }).map(([name]) => name).join(' ')`,
      python: `import os\nseen = []\nfor name, path in ${JSON.stringify(paths)}:\n  try:\n    os.close(os.open(path, os.O_WRONLY))\n    seen.append(name)\n  except OSError: pass\n" ".join(seen)`,
      bash: paths.map(([name, path]) => `{ : >> ${path} && echo ${name}; } 2> /dev/null`).join('\n'),
    }
    for (const language of languages) {
      const { stdout, result } = await run(jail, language, attempts[language])
      const opened = new Set((result ?? stdout).trim().split(/\s+/))
      expect([...opened]).toEqual([language])
    }
  },
)

inJail('interpreters that code of another language has ended are there for the next run', async ({ jail }) => {
  const numbers = await processesOf(jail)
  await run(jail, 'python', 'kept = 7')
  await run(jail, 'bash', `kill -9 ${numbers['node']} ${numbers['pages']}`)
  expect(await run(jail, 'python', 'kept')).toMatchObject({ ...good, result: '7' })
  for (const language of languages) await tellsTheTruth(jail, language)
})

inJail('code that ends all that it can end ends its session, and says nothing else', async ({ jail }) => {
  const { exitCode, result, error } = await run(jail, 'bash', 'kill -9 -1')
  expect({ exitCode, result, error }).toEqual({ exitCode: undefined, result: undefined, error: expect.any(String) })
  expect(jail.gone.aborted).toBe(true)
})

inJail('an interpreter that earlier code has left without its ears is replaced', async ({ jail }) => {
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  expect(await run(jail, 'node', `setTimeout(() => ${wait}, 20); 'true'`)).toMatchObject({ ...good, result: 'true' })
  await run(jail, 'bash', 'sleep 0.2')
  await tellsTheTruth(jail, 'node')
})

inJail('files that code has put where interpreters look are not read by later ones', async ({ jail }) => {
  const code = `cd /tmp; d=.local/lib/$(python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])')/site-packages
    mkdir -p $d node_modules/playwright-core
    for f in $d/usercustomize.py $d/sitecustomize.py sitecustomize.py usercustomize.py json.py asyncio.py; do echo 'import os; os.write(1, b"forged"); os._exit(0)' > $f; done
    echo 'import os; os._exit(0)' > $d/forged.pth
    for f in .bashrc .bash_profile .profile .bash_login .bash_env; do echo 'echo forged; exit 0' > $f; done
    echo '{"name":"playwright-core","main":"index.js"}' > node_modules/playwright-core/package.json
    echo 'console.log("forged"); process.exit(0)' > node_modules/playwright-core/index.js
    echo '{"type":"commonjs","imports":{}}' > package.json
    export BASH_ENV=/tmp/.bash_env ENV=/tmp/.bash_env NODE_OPTIONS='--require /tmp/node_modules/playwright-core/index.js' PYTHONPATH=/tmp PYTHONSTARTUP=/tmp/json.py; exit 3`
  expect(await run(jail, 'bash', code)).toMatchObject({ exitCode: 3 })
  for (const language of languages) await tellsTheTruth(jail, language)
})

describe('the pages that other languages see', () => {
  const asks = async (jail: Jail): Promise<void> => {
    const { exitCode, error } = await run(jail, 'python', 'await page.title()')
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: `PageError: ${noPages.trim()}` })
    expect(await run(jail, 'bash', 'agent-browser get title')).toMatchObject({
      stdout: '',
      stderr: noPages,
      exitCode: 1,
    })
  }

  inJail('cannot be answered by a server of the code', async ({ jail }) => {
    const listens = `require('fs').rmSync('/tmp/.pages', { force: true })
      await Promise.all(['/tmp/.pages', 9222, 9223].map((where) => new Promise((resolve) => {
        const server = require('net').createServer((socket) => socket.on('data', () => socket.write('{"id":1,"value":"forged","output":"forged"}\\n')))
        server.on('error', ({ code }) => resolve(code)).listen(where, '127.0.0.1', () => resolve('listens')) })))`
    const { result } = await run(jail, 'node', listens)
    expect(JSON.parse(result ?? '[]').slice(-2)).toEqual(['EADDRINUSE', 'EADDRINUSE'])
    await asks(jail)
  })

  inJail('are not those that JavaScript has made of its own', async ({ jail }) => {
    const replaces = `const { chromium } = require('/opt/harvestman/node_modules/playwright-core')
      const every = new Proxy({}, { get: (all, key) => all[key] ?? (key === 'then' ? undefined : () => any()) })
      const any = (own) => Object.assign(Object.create(every), own)
      const mine = any({ title: async () => 'forged', isClosed: () => false, url: () => 'forged' })
      chromium.connectOverCDP = async () => any({ contexts: () => [any({ pages: () => [mine] })] })`
    await run(jail, 'node', replaces)
    expect(await run(jail, 'node', 'await page.title()')).toMatchObject({ result: 'forged' })
    await asks(jail)
  })
})

inJail.for([
  [
    'python',
    String.raw`import gc, re, sys
word = re.compile(rb"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b")
found, seen, frame = [], [], sys._getframe()
while frame:
  seen += [frame.f_locals, frame.f_globals]
  frame = frame.f_back
for each in [*gc.get_objects(), *seen]:
  for one in [each, *gc.get_referents(each)]:
    text = one.encode("utf-8", "replace") if type(one) is str else bytes(one) if type(one) in (bytes, bytearray) else b""
    found += word.findall(text)
str(len(found))`,
    '0',
  ],
  [
    'node',
    `const found = []; const word = /\\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\\b/; const seen = new Set()
    const look = (value, depth) => { if (typeof value === 'string' && word.test(value)) found.push(value); if (Object(value) !== value || seen.has(value) || depth > 6) return; seen.add(value)
      for (const key of Reflect.ownKeys(value)) { let one; try { one = value[key] } catch {}; look(one, depth + 1) } }
    for (const one of [globalThis, process._getActiveHandles(), process._getActiveRequests(), require('net'), require('inspector')]) look(one, 0); found.length`,
    '0',
  ],
  [
    'bash',
    `{ set; declare -p; declare -f; cat /proc/self/cmdline /proc/$$/cmdline /proc/$$/environ; } | grep -Ec '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-'`,
    '0',
  ],
] as const)('the word of a run is not among the objects of %s', async ([language, code, none], { jail }) => {
  await tellsTheTruth(jail, language)
  const { result, stdout } = await run(jail, language, code)
  expect((result ?? stdout).trim()).toBe(none)
})
