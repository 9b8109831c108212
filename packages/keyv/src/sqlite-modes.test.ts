import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { sqliteStore } from './sqlite-store.ts'

const parent = mkdtempSync(join(tmpdir(), 'harvestman-'))
afterAll(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('a SQLite store, its log and its folder can be read by their owner alone', async () => {
  const folder = join(parent, 'data')
  const file = join(folder, 'store.db')
  const store = sqliteStore(file)
  await store.set('key', 'value')
  const modes = readdirSync(folder).map((name) => [name, modeOf(join(folder, name))])
  await store.close()
  expect(Object.fromEntries(modes)).toEqual({ 'store.db': '600', 'store.db-shm': '600', 'store.db-wal': '600' })
  expect(modeOf(folder)).toBe('700')
})

test('a store of an earlier version, which others could read, is restricted when it is opened', async () => {
  const file = join(parent, 'store.db')
  const first = sqliteStore(file)
  await first.set('key', 'value')
  await first.close()
  chmodSync(file, 0o644)
  const second = sqliteStore(file)
  expect(await second.get('key')).toBe('value')
  await second.close()
  expect(modeOf(file)).toBe('600')
})
