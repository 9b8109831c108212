// @module-tag long
// @module-tag python3
// @module-tag browser
// @module-tag bubblewrap
// What is left of live browsers when their engine is killed, and what the next engine says of them.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createEngine, type Engine } from '@harvestman/core'
import { live, type Live } from '@harvestman/live'
import { sqliteStore } from '@harvestman/keyv'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'harvestman-killed-'))
const file = join(home, 'store.sqlite')
let site: Server
let origin: string
let child: ChildProcess
let told: { readonly opened: string; readonly unopened: string; readonly own: string }
let engine: Engine & { readonly live: Live }

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly name: string
}

/** All processes that are not over. */
function processes(): readonly Seen[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const name = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      return /^\d+$/.test(pid) && state !== 'Z' ? [{ pid: Number(pid), parent: Number(parent), name }] : []
    } catch {
      return []
    }
  })
}

function descendants(of: number): readonly Seen[] {
  const all = processes()
  const found = [of]
  for (const pid of found) found.push(...all.filter(({ parent }) => parent === pid).map((one) => one.pid))
  return all.filter(({ pid }) => pid !== of && found.includes(pid))
}

beforeAll(async () => {
  site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Page</title><main><h1>Page</h1><p>A page.</p></main>'),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const source = fileURLToPath(new URL('engine-child.ts', import.meta.url))
  child = spawn(process.execPath, [source, file, origin], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: home },
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  told = JSON.parse(line) as typeof told
})

afterAll(async () => {
  child?.kill('SIGKILL')
  await engine?.close()
  site?.close()
  site?.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
})

describe('an engine that is killed while its live browsers run code', () => {
  test('leaves no browser, no jail, no code and no folder, with nothing else started', async () => {
    const before = descendants(child.pid!)
    const kinds = [
      '--user-data-dir',
      'bwrap',
      'node-kernel',
      'python_kernel',
      'pages-kernel',
      'bash --noprofile',
      'sleep 98763',
    ]
    for (const kind of kinds) expect(before.map(({ name }) => name).join('\n')).toContain(kind)
    expect(readdirSync(home).some((name) => name.startsWith('harvestman-browser-'))).toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = () => {
      const pids = new Set(before.map(({ pid }) => pid))
      return processes().filter(({ pid, name }) => pids.has(pid) || name.includes('sleep 98763'))
    }
    await expect.poll(left, { interval: 100 }).toEqual([])
    const folders = () => readdirSync(home).filter((name) => !name.startsWith('store.sqlite'))
    await expect.poll(folders, { interval: 100 }).toEqual([])
  })

  test('says after its restart that its sessions are over, and opens one for a scrape that had none', async () => {
    engine = createEngine({
      allowPrivate: ['127.0.0.0/8'],
      store: sqliteStore(file),
      browser: puppeteerBrowser(),
      plugins: [live({ sessions: puppeteerSessions(), sandbox: localSandbox({ bound: 'watched' }) })],
    })
    await expect(engine.live.ofScrape(told.opened)).rejects.toMatchObject({ code: 'session_over' })
    await expect(engine.live.find(told.own)).rejects.toMatchObject({ code: 'session_over' })
    const records = await engine.live.list()
    expect(records.map(({ id, end }) => [id === told.own, end !== undefined])).toEqual([
      [true, true],
      [false, true],
    ])
    await using session = await engine.live.ofScrape(told.unopened)
    expect(await session.run('await page.title()')).toMatchObject({ result: 'Page', exitCode: 0 })
  })

  test('holds no profile that it was writing: the next engine may write it', async () => {
    const next = await engine.live.open({ profile: { name: 'mine', saveChanges: true } })
    await next.stop()
  })
})
