import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sqliteStore } from '@harvestman/keyv'
import type { KeepOptions, Store } from '@harvestman/ports'
import { expect, onTestFinished, test, vi } from 'vitest'

import { copyStore } from './copy.ts'

const hour = 3_600_000

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function withStore<Result>(file: string, run: (store: Store) => Promise<Result>): Promise<Result> {
  const store = sqliteStore(file)
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

test.each<[string, KeepOptions, KeepOptions]>([
  ['extended', { ttl: hour }, { ttl: 5 * hour }],
  ['shortened', { ttl: 5 * hour }, { ttl: hour }],
  ['removed', { ttl: hour }, {}],
  ['added', {}, { ttl: hour }],
])('a second copy writes an entry whose expiry was %s', async (_, before, after) => {
  const folder = newFolder()
  const [source, target] = [join(folder, 'source.sqlite'), join(folder, 'target.sqlite')]
  const urls = { from: `sqlite:${source}`, to: `sqlite:${target}` }
  await withStore(source, async (store) => {
    await store.set('a', 1, before)
    await store.set('b', 2, { ttl: hour })
  })
  expect(await copyStore(urls)).toEqual({ copied: 2, same: 0, removed: 0 })
  await withStore(source, (store) => store.set('a', 1, after))
  expect(await copyStore(urls)).toEqual({ copied: 1, same: 1, removed: 0 })
  const ttl = await withStore(target, async (store) => {
    for await (const entries of store.scan!('a')) return entries[0]?.ttl
    return undefined
  })
  if (after.ttl === undefined) expect(ttl).toBeUndefined()
  else expect(Math.round(ttl! / hour)).toBe(after.ttl / hour)
})

const { close } = vi.hoisted(() => ({ close: vi.fn<Store['close']>() }))
vi.mock('@harvestman/redis', () => ({ redisStore: () => ({ close }) }))

test('the source is closed if the target cannot be opened', async () => {
  const copy = copyStore({ from: 'redis://localhost', to: 'memory:' })
  await expect(copy).rejects.toMatchObject({ code: 'invalid_request' })
  expect(close).toHaveBeenCalledOnce()
})
