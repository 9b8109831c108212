// What breaks when Chromium or we are killed, and what is left of it.
// Run: node test/bench/browser/kills.ts [--times 50]
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { findBrowser, puppeteerBrowser, type BrowserEvent } from '../../../packages/puppeteer/src/index.ts'
import { isZombie, treeOf } from './processes.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '50' }, child: { type: 'string' } } })
const guard = { checkUrl: () => undefined, resolve: async () => ({ address: '127.0.0.1', family: 4 as const }) }
const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false }
const prefix = 'harvestman-browser-'
const folders = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))

/** A process of its own that does nothing but scrape, until somebody kills it. */
async function beChild(origin: string): Promise<never> {
  const browser = puppeteerBrowser({ tabs: 2, onEvent: ({ kind, pid }) => console.log(kind, pid) })(guard)
  for (;;) {
    const tab = await browser.open(profile, AbortSignal.timeout(30_000))
    await tab.goto(new URL(origin), AbortSignal.timeout(30_000))
    await tab.close()
    console.log('page')
  }
}
if (values.child !== undefined) await beChild(values.child)

const site = createServer((request, response) => {
  if (request.url === '/never') return
  response.setHeader('content-type', 'text/html').end('<h1>Page</h1>')
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

/** How long twenty open pages take to end, and the next page to come, when something is done to their browser. */
async function breakDown(name: string, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const events: BrowserEvent[] = []
  const browser = puppeteerBrowser({ tabs: 20, onEvent: (event) => events.push(event) })(guard)
  const tabs = await Promise.all(Array.from({ length: 20 }, () => browser.open(profile, AbortSignal.timeout(60_000))))
  const going = tabs.map((tab) =>
    tab.goto(new URL('/never', origin), AbortSignal.timeout(60_000)).then(
      () => 'landed',
      (error: { readonly code?: string; readonly name: string }) => error.code ?? error.name,
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  const { pid = 0 } = events.find(({ kind }) => kind === 'started') ?? {}
  const group = treeOf(pid)
  const started = performance.now()
  for (const one of signal === 'SIGSTOP' ? group : [pid]) process.kill(one, signal)
  const ends = new Set(await Promise.all(going))
  const ended = performance.now() - started
  await Promise.all(tabs.map((tab) => tab.close()))
  const tab = await browser.open(profile, AbortSignal.timeout(60_000))
  await tab.goto(new URL(origin), AbortSignal.timeout(60_000))
  const replaced = performance.now() - started
  await tab.close()
  const left = (): readonly number[] => group.filter((one) => existsSync(`/proc/${one}`))
  for (let tries = 0; tries < 50 && left().length > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 100))
  const gone = performance.now() - started
  const zombies = [...group, ...treeOf(process.pid)].filter(isZombie).length
  await browser.close()
  console.log(
    `${name}: all 20 ended after ${(ended / 1000).toFixed(1)} s as ${[...ends].join(', ')}; next page after ` +
      `${(replaced / 1000).toFixed(1)} s; of the ${group.length} old processes ${left().length} left after ${(gone / 1000).toFixed(1)} s, ${zombies} zombies`,
  )
}

function startForeign(): { readonly child: ChildProcess; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'))
  const flags = ['--headless', '--no-sandbox', `--user-data-dir=${folder}`, '--remote-debugging-port=0']
  return { child: spawn(findBrowser()!.executable, flags, { stdio: 'ignore', detached: true }), folder }
}

interface Started {
  readonly pid: number
  readonly birth: string | undefined
}

/**
 * When a process began, in the words of the system: numbers of processes are used again, this is not. One that has ended
 * and that its new parent, the first process of the machine, has not looked after yet runs no more.
 */
function birthOf(pid: number): string | undefined {
  try {
    const [state, ...more] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' ? undefined : more[18]
  } catch {
    return undefined
  }
}

function isThere({ pid, birth }: Started): boolean {
  return birth !== undefined && birthOf(pid) === birth
}

/** Kills a process of ours at a random moment; gives the browsers that it had started. */
async function killOnce(): Promise<readonly Started[]> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--child', origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids: Started[] = []
  createInterface(child.stdout).on('line', (line) => {
    const [, pid] = /^started (\d+)/.exec(line) ?? []
    if (pid) pids.push({ pid: Number(pid), birth: birthOf(Number(pid)) })
  })
  // From before its browser is there to the middle of its pages.
  await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 4_000))
  child.kill('SIGKILL')
  await once(child, 'exit')
  return pids
}

await breakDown('SIGKILL of Chromium', 'SIGKILL')
await breakDown('SIGSTOP of Chromium', 'SIGSTOP')

const foreign = startForeign()
const before = folders()
const times = Number(values.times)
const started: Started[] = []
let leftFolders = 0
for (let time = 0; time < times; time++) {
  started.push(...(await killOnce()))
  leftFolders = Math.max(leftFolders, folders().length - before.length)
}
const orphans = started.filter(isThere).length
// The next start clears up.
const browser = puppeteerBrowser()(guard)
const tab = await browser.open(profile, AbortSignal.timeout(60_000))
await tab.close()
await browser.close()
await new Promise((resolve) => setTimeout(resolve, 1_000))
const isAlive = foreign.child.exitCode === null && foreign.child.signalCode === null
console.log(
  `SIGKILL of our process ${times} times, with ${started.length} browsers: at most ${leftFolders} folders lay about at ` +
    `once, ${orphans} browsers outlived it; after the next start ${folders().filter((name) => !before.includes(name)).length} ` +
    `folders, ${started.filter(isThere).length} processes, ` +
    `${treeOf(process.pid).filter(isZombie).length} zombies; the foreign browser ${isAlive ? 'lives' : 'IS GONE'}`,
)
process.kill(-foreign.child.pid!, 'SIGKILL')
await once(foreign.child, 'exit')
rmSync(foreign.folder, { recursive: true, force: true, maxRetries: 5 })
site.closeAllConnections()
process.exit(0)
