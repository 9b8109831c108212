// `npm start`, `npm test` and the static checks on a machine that has only Node 20 and npm: installs when the lockfile changed, finds a Node
// that is new enough (the lockfile has one, except for macOS), and hands over to it. For the tests it first gets the programs that they start.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { packageManager, engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const vitest = 'node_modules/vitest/vitest.mjs'
const entries = {
  start: [`${root}packages/cli/src/main.ts`],
  // Most of these tests wait for something. Long ones have many processes of their own, so that fewer run at a time.
  test: [vitest, 'run', '--project', '!long', '--tags-filter', '!long', `--maxWorkers=${availableParallelism() * 2}`],
  'test:long': [vitest, 'run', '--tags-filter', 'long'],
  // Both in one run, with one count.
  'test:all': [vitest, 'run'],
  check: [`${root}scripts/check.ts`],
  bench: [`${root}test/bench/all.ts`],
  'release:check': [`${root}scripts/release-check.ts`],
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

function install() {
  const stamp = `${root}node_modules/.installed`
  const wanted = createHash('sha256')
    .update(readFileSync(`${root}pnpm-lock.yaml`))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Setting up (first run, or the lockfile changed); this takes about half a minute…')
  // The installer reports on stderr: stdout belongs to the command.
  const done = spawnSync('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (done.error) fail(`The set-up could not start npx: ${done.error.message}. Install npm and try again.`)
  if (done.status !== 0) fail('The set-up failed. It needs the npm registry; the lines above say what was missing.')
  writeFileSync(stamp, wanted)
}

function findNode() {
  const [major, minor] = engines.node.match(/\d+/g).map(Number)
  const isNewEnough = (path) => {
    const version = spawnSync(path, ['-v'], { encoding: 'utf8' }).stdout ?? ''
    const [have, part] = version.slice(1).split('.').map(Number)
    return have > major || (have === major && part >= minor)
  }
  const found = [`${root}node_modules/.bin/node`, process.execPath].find(isNewEnough)
  return found ?? fail(`Node ${engines.node} is needed; this is ${process.version}, and no bundled Node runs here.`)
}

/** Returns the memory settings of the server. A process with an IPC channel cannot set them itself. */
function serverMemory() {
  const script = "JSON.stringify(require('./packages/cli/src/server-memory.ts').serverMemory())"
  const stdio = ['ignore', 'pipe', 'inherit']
  const { stdout } = spawnSync(node, ['--no-warnings', '-p', script], { cwd: root, encoding: 'utf8', stdio })
  return JSON.parse(stdout)
}

const [what, ...rest] = process.argv.slice(2)
if (!(what in entries)) fail(`Usage: node scripts/run.mjs ${Object.keys(entries).join('|')} [arguments]`)
install()
// What Node makes of the sources, so that it need not be made again at each start.
const NODE_COMPILE_CACHE = `${root}node_modules/.cache/node`
const node = findNode()
const memory = what === 'start' ? serverMemory() : { flags: [], env: {} }
if (what.startsWith('test')) {
  const { status } = spawnSync(node, [`${root}scripts/get-programs.ts`], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
}
const child = spawn(node, [...memory.flags, ...entries[what], ...rest], {
  // The channel tells the child when this process is gone, however it ended.
  stdio: what === 'start' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  env: what === 'start' ? { NODE_COMPILE_CACHE, ...memory.env, ...process.env } : process.env,
  cwd: what === 'start' ? process.cwd() : root,
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))

/** The processes between npm and this one, npm last: whoever supervises `npm start` ends npm, and means the server. */
function upToNpm() {
  const found = []
  for (let pid = process.ppid; pid > 1 && found.length < 3;) {
    const [, parent, args = ''] =
      /^\s*(\d+)\s+(.*)/.exec(
        spawnSync('ps', ['-o', 'ppid=,args=', '-p', `${pid}`], { encoding: 'utf8' }).stdout ?? '',
      ) ?? []
    found.push(pid)
    if (/\bnpm\b/.test(args) && !/^\S*sh -c/.test(args)) return found
    pid = Number(parent)
  }
  return []
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const above = process.env.npm_lifecycle_event && process.platform !== 'win32' ? upToNpm() : []
const watch = setInterval(() => {
  if (!above.every(isAlive)) child.kill('SIGTERM')
}, 500)
watch.unref()

child.on('exit', (code, signal) => process.exit(code ?? (signal ? 130 : 1)))
