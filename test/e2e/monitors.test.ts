// @module-tag long
// The process that works on a check is killed in the middle of it: the check is there once, and has each page once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { monitors } from '@harvestman/monitors'
import { movedClock } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const numbers = Array.from({ length: 24 }, (_, number) => number)
const folder = mkdtempSync(join(tmpdir(), 'monitors-'))
const file = join(folder, 'store.sqlite')
/** Is told of each page that is asked for. */
let asked: () => void = () => undefined
let edition = 'first'
const site = createServer((request, response) => {
  asked()
  const number = Number(request.url?.slice(1))
  const text = number % 4 === 0 ? edition : 'only'
  response.writeHead(number % 7 === 6 && edition === 'second' ? 410 : 200, { 'content-type': 'text/html' })
  response.end(`<main><h1>Page ${number}</h1><p>This is the ${text} edition of it.</p></main>`)
})

beforeAll(async () => {
  await once(site.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  site.close()
  rmSync(folder, { recursive: true })
})

const ownEngine = (at: string) => {
  const store = sqliteStore(file)
  const engine = createEngine({ clock: movedClock(Date.parse(at)), store, plugins: [monitors()] })
  return { engine, close: async () => (await engine.close(), store.close()) }
}

/** Keeps the schedule in a process of its own from a moment on; kills it when so many pages were asked for. */
async function keepSchedule(id: string, from: string, killAt = Infinity): Promise<string> {
  const program = fileURLToPath(new URL('monitors-child.ts', import.meta.url))
  const child = spawn(process.execPath, [program, file, id, from], { stdio: ['ignore', 'pipe', 'inherit'] })
  let [count, printed] = [0, '']
  asked = () => {
    if ((count += 1) === killAt) child.kill('SIGKILL')
  }
  child.stdout.on('data', (text: Buffer) => void (printed += text.toString()))
  await once(child, 'close')
  return printed
}

async function makeMonitor(): Promise<string> {
  const { engine, close } = ownEngine('2026-01-01T00:00:00Z')
  const { port } = site.address() as AddressInfo
  const urls = numbers.map((number) => `http://127.0.0.1:${port}/${number}`)
  const { id } = await engine.monitors.create({
    name: 'All',
    schedule: { text: 'daily', jitter: 0 },
    targets: [{ type: 'scrape', urls, scrapeOptions: { timeout: 300_000 } }],
  })
  await close()
  return id
}

const of = (word: string, count: number) => Array.from({ length: count }, () => word)

test('a check whose process is killed twice is there once, and has each page once', async () => {
  const id = await makeMonitor()
  expect(await keepSchedule(id, '2026-01-02T00:00:01Z')).toContain('"completed"')
  edition = 'second'
  // What a killed process held is free after a minute.
  for (const [turn, killAt] of [3, 7].entries())
    expect(await keepSchedule(id, `2026-01-03T00:0${turn * 2}:01Z`, killAt)).toBe('')
  expect(await keepSchedule(id, '2026-01-03T00:04:01Z')).toContain('"completed"')

  const { engine, close } = ownEngine('2026-01-03T01:00:00Z')
  const checks = await engine.monitors.checks(id)
  expect(checks.map(({ scheduledFor, status }) => [scheduledFor, status])).toEqual([
    ['2026-01-03T00:00:00.000Z', 'completed'],
    ['2026-01-02T00:00:00.000Z', 'completed'],
  ])
  const { pages } = await engine.monitors.check(id, checks[0]?.id ?? '', { limit: 100 })
  const found = pages.map(({ url, status }) => [Number(new URL(url).pathname.slice(1)), status] as const)
  expect(found.map(([number]) => number).toSorted((one, other) => one - other)).toEqual(numbers)
  expect(found.map(([, status]) => status).toSorted()).toEqual([
    ...of('changed', 5),
    ...of('removed', 3),
    ...of('same', 16),
  ])
  await close()
})
