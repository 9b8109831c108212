// A file whose bytes are not what was written must never end the process: it is refused, or it serves what it can.
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { EngineError } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import { afterAll, expect, test } from 'vitest'

import { sqliteStore } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'damaged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const key = (number: number): string => `key/${number}`
const valueOf = (number: number): Uint8Array => new Uint8Array(5_000).fill(number)

async function filled(file: string): Promise<Buffer> {
  const store = sqliteStore(file)
  for (let number = 0; number < 100; number += 1) await store.set(key(number), valueOf(number))
  for (let number = 0; number < 50; number += 1) await store.set(`record/${number}`, { number, text: 'x'.repeat(200) })
  await store.close()
  return readFileSync(file)
}

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

async function use(store: Store): Promise<void> {
  for (let number = 0; number < 100; number += 10) await store.get(key(number))
  await store.getMany?.(['record/1', 'record/2', key(1)])
  await store.set('new', valueOf(1))
  await store.update('record/3', (old) => ({ ...(old as object), more: 1 }))
  await store.delete('record/4')
}

test('a file with bytes that were flipped fails in our words or serves, and nothing is left to end the process', async () => {
  const file = join(folder, 'store.sqlite')
  const whole = await filled(file)
  const random = numbers(7)
  const faults: unknown[] = []
  const onFault = (error: unknown): void => void faults.push(error)
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault)
  const outcomes = new Map<string, number>()
  try {
    for (let round = 0; round < 60; round += 1) {
      const bytes = Buffer.from(whole)
      for (let flip = 0; flip < 8; flip += 1) {
        const at = Math.floor(random() * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      }
      for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true })
      writeFileSync(file, bytes)
      const store = sqliteStore(file, { lockTimeout: 50 })
      const outcome = await use(store).then(
        () => 'served',
        (error: unknown) => (EngineError.is(error) ? error.code : `foreign: ${String(error)}`),
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      await store.close()
    }
    await new Promise((go) => setTimeout(go, 50))
  } finally {
    process.off('uncaughtException', onFault).off('unhandledRejection', onFault)
  }
  expect(faults).toEqual([])
  expect([...outcomes.keys()].filter((outcome) => !['served', 'store_failed'].includes(outcome))).toEqual([])
})

test('a store that was cut to nothing is refused with a remedy, and a file that was just created is a new store', async () => {
  const file = join(folder, 'emptied.sqlite')
  writeFileSync(file, '')
  const fresh = sqliteStore(file)
  await fresh.set('one', 1)
  await fresh.close()
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true })
  writeFileSync(file, '')
  utimesSync(file, hourAgo, hourAgo)
  const store = sqliteStore(file)
  await expect(store.get('one')).rejects.toThrow(
    `The store at ${file} is empty (0 bytes), so its data is lost. Restore a backup, or delete the file to start with a new store.`,
  )
  await store.close()
})
