// Prints the memory of a server on a small host: idle, through a crawl over HTTP, and through a crawl that renders each page.
// Run it with `node test/bench/small-host.ts [pages]`. The server has the settings of docs/deployment.md (small hosts); a process counts with its
// proportional share (PSS), so memory that processes of a browser share counts once. Linux alone has that figure.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort, startSite } from '@harvestman/testing'

const [given = '300'] = process.argv.slice(2)
const pages = Number(given)
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'harvestman-small-'))
const site = await startSite()
const port = await freePort()
const server = spawn(process.execPath, ['--max-old-space-size=384', main, 'serve'], {
  env: {
    ...process.env,
    PORT: String(port),
    HARVESTMAN_STORE: `sqlite:${join(folder, 'harvestman.sqlite')}`,
    HARVESTMAN_LIMITS_CONCURRENCY: '4',
    HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
  },
  stdio: ['ignore', 'ignore', 'pipe'],
})
server.stderr.resume()

/** The processes that one started, itself among them. */
function familyOf(pid: number): readonly number[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = all.map((line) => line.trim().split(/\s+/).map(Number))
  const found = new Set([pid])
  for (let size = 0; size < found.size;) {
    size = found.size
    for (const [child = 0, parent = 0] of pairs) if (found.has(parent)) found.add(child)
  }
  return [...found]
}

function megabytes(): number {
  const shares = familyOf(server.pid ?? 0).map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It has ended.
      return 0
    }
  })
  return Math.round(shares.reduce((sum, share) => sum + share, 0) / 1_000)
}

async function ask(path: string, body?: object): Promise<{ readonly id?: string; readonly status?: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return (await answer.json()) as { id?: string; status?: string }
}

/** The most memory while a batch runs. */
async function through(options: object, count: number): Promise<string> {
  const urls = Array.from({ length: count }, (_, index) => `${site.url}/good/article?page=${index}`)
  const { id } = await ask('/v2/batch/scrape', { urls, ...options })
  const since = performance.now()
  let most = 0
  for (;;) {
    most = Math.max(most, megabytes())
    if ((await ask(`/v2/batch/scrape/${id}?limit=1`)).status !== 'scraping') break
    await setTimeout(250)
  }
  return `${most} MB at the most, ${Math.round((count * 1_000) / (performance.now() - since))} pages a second`
}

try {
  while (!(await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined))) await setTimeout(200)
  await setTimeout(3_000)
  console.log(`idle: ${megabytes()} MB`)
  console.log(`${pages} pages over HTTP: ${await through({}, pages)}`)
  const rendered = Math.ceil(pages / 10)
  console.log(`${rendered} pages in a browser: ${await through({ waitFor: 100 }, rendered)}`)
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  await site.close()
  rmSync(folder, { recursive: true, force: true })
}
