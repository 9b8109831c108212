// What live browsers spend: processor time of each kind of process while nothing is done with them, while they are watched,
// and while code runs. `node test/bench/browser/idle.ts [sessions] [seconds]`; 8 sessions, 10 seconds.
import { readFileSync } from 'node:fs'

import { createEngine } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'

import { movingBox, paragraphs, servePages } from './pages.ts'
import { timeOf, treeOf } from './processes.ts'

const count = Number(process.argv[2] ?? 8)
const seconds = Number(process.argv[3] ?? 10)
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const pages: Readonly<Record<string, string>> = {
  '/still': paragraphs,
  '/css': `<style>@keyframes go { to { transform: translateX(600px) rotate(1turn) } } #box { position: fixed; top: 0; left: 0; width: 200px; height: 200px; background: teal; animation: go 1s infinite }</style>${paragraphs}<div id=box></div>`,
  '/moving': movingBox,
  '/timers': `${paragraphs}<p id=n></p><script>let n = 0; setInterval(() => { document.querySelector('#n').textContent = ++n }, 10)</script>`,
}
const { origin, close: closeSite } = await servePages(pages)
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [
    live({
      sessions: puppeteerSessions({ rest: 1_000 }),
      sandbox: localSandbox(),
      limits: { sessions: 16, teamSessions: 16 },
    }),
  ],
})

function kindOf(pid: number): string {
  if (pid === process.pid) return 'engine'
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    const type = /--type=([\w-]+)/.exec(line)?.[1]
    if (type !== undefined) return type
    if (line.includes('--user-data-dir')) return 'browser'
    if (line.includes('supervisor.mjs') && !line.includes('bwrap')) return 'jail'
    if (line.includes('kernel')) return 'code'
    return 'other'
  } catch {
    return 'gone'
  }
}

/** Hundredths of one processor, by kind of process, meanwhile. */
async function spent(): Promise<Record<string, number>> {
  const before = new Map(treeOf(process.pid).map((pid) => [pid, timeOf(pid, false)]))
  await sleep(seconds * 1_000)
  const kinds: Record<string, number> = {}
  let all = 0
  for (const pid of treeOf(process.pid)) {
    const used = (timeOf(pid, false) - (before.get(pid) ?? 0)) / seconds / 10
    const kind = kindOf(pid)
    kinds[kind] = Math.round(((kinds[kind] ?? 0) + used) * 10) / 10
    all += used
  }
  return { ...kinds, all: Math.round(all * 10) / 10 }
}

const rows: Record<string, Record<string, number>> = {}
const sessions: LiveSession[] = []
for (let number = 0; number < count; number++) sessions.push(await engine.live.open({}, { team: `team-${number % 2}` }))
rows['empty pages'] = await spent()
const goTo = async (path: string): Promise<void> => {
  for (const session of sessions) await session.act({ type: 'goto', url: origin + path })
  await sleep(2_500)
}
for (const path of ['/still', '/css', '/moving', '/timers']) {
  await goTo(path)
  rows[`${path} at rest`] = await spent()
}
await goTo('/moving')
let frames = 0
const viewer = { frame: async () => void (frames += 1), tabs: () => undefined }
const screens = await Promise.all(sessions.map((session) => session.watch(viewer)))
await sleep(1_000)
frames = 0
rows['/moving, watched'] = await spent()
console.log(`${Math.round(frames / seconds / count)} frames a second of each`)
for (const screen of screens) screen.close()
await sleep(2_500)
rows['/moving, watched no more'] = await spent()
await goTo('/still')
for (const session of sessions) await session.run('1')
rows['/still, code at rest'] = await spent()
const ends = Promise.all(
  sessions.map((session) =>
    session.run(
      `const end = Date.now() + ${seconds * 1_000 + 2_000}; let n = 0; while (Date.now() < end) { await page.title(); n++; await new Promise((r) => setTimeout(r, 20)) } n`,
      { timeout: 60_000 + seconds * 1_000 },
    ),
  ),
)
rows['code asks for the title'] = await spent()
await ends
console.log(`${count} live browsers, for ${seconds} s each: hundredths of one processor`)
console.table(rows)
await engine.close()
closeSite()
