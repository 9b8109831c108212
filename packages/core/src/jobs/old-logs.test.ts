import { readFileSync, readdirSync } from 'node:fs'

import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { Json, Value } from '@harvestman/ports'
import { memoryStore } from '@harvestman/embedded'
import { openBench, team } from './fixtures/bench.ts'

/** What a store held when an earlier version had worked on a job: every key of it. Bytes stand as base64. */
interface Kept {
  readonly job: string
  readonly at: number
  readonly entries: Readonly<Record<string, { readonly json: Json } | { readonly bytes: string }>>
}

const folder = new URL('fixtures/old-logs/', import.meta.url)
const files = readdirSync(folder)

test('there are logs of earlier versions', () => {
  expect(files.length).toBeGreaterThan(1)
})

// Each was cut off: eight pages, of which some were kept, one had failed, and its engine was gone.
test.each(files)('the log %s is read, and its job goes on to its end', async (file) => {
  const { job: id, at, entries } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Kept
  const clock = handClock(at)
  const store = memoryStore({ clock })
  for (const [key, entry] of Object.entries(entries)) {
    const value: Value = 'json' in entry ? entry.json : new Uint8Array(Buffer.from(entry.bytes, 'base64'))
    await store.set(key, value)
  }
  const bench = openBench({ store, clock })
  const job = await bench.jobs.find(id, team)
  expect(await job.end()).toMatchObject({ status: 'completed', total: 8, completed: 7, failed: 1, creditsUsed: 7 })
  const pages: string[] = []
  for await (const { metadata, markdown } of job.documents()) pages.push(`${metadata.url} ${String(markdown)}`)
  const good = [0, 1, 2, 4, 5, 6, 7]
  expect(pages.toSorted()).toEqual(good.map((number) => `https://made.up/${number} Page ${number}`))
  expect((await job.errors()).errors).toMatchObject([{ url: 'https://made.up/3', code: 'tls_failed' }])
  const types: string[] = []
  for await (const { type } of job.events()) types.push(type)
  expect([types[0], types.at(-1), types.length]).toEqual(['started', 'completed', 10])
  await bench.close()
})
