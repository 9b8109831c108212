import { memoryStore } from '@harvestman/embedded'
import type { Json, KeepOptions, KeptEntry, ListOptions, Store, UpdateOptions, Value } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { storeByTeam } from './by-team.ts'
import { sealingStore } from './sealing-store.ts'
import { openVault } from './vault.ts'

/** A store as a class, whose methods need `this`. */
class ClassStore implements Store {
  readonly #inner = memoryStore()
  isClosed = false
  get reach(): Store['reach'] {
    return this.#inner.reach
  }
  get(key: string) {
    return this.#inner.get(key)
  }
  set(key: string, value: Value, options?: KeepOptions) {
    return this.#inner.set(key, value, options)
  }
  update(key: string, change: (old: Value | undefined) => Value | undefined, options?: UpdateOptions) {
    return this.#inner.update(key, change, options)
  }
  delete(key: string) {
    return this.#inner.delete(key)
  }
  list(prefix: string, options: ListOptions) {
    return this.#inner.list(prefix, options)
  }
  async getMany(keys: readonly string[]) {
    return Promise.all(keys.map((key) => this.#inner.get(key)))
  }
  async has(keys: readonly string[]) {
    return (await this.getMany(keys)).map((value) => value !== undefined)
  }
  async add(key: string, items: readonly Json[], options?: KeepOptions) {
    await this.#inner.update(key, (old) => [...((old as Json[] | undefined) ?? []), ...items], options)
  }
  async *scan(beginning: string): AsyncGenerator<readonly KeptEntry[]> {
    const keys = ['one', 'many'].filter((key) => key.startsWith(beginning))
    for (const key of keys) yield [{ key, value: (await this.#inner.get(key)) ?? null }]
  }
  async close() {
    this.isClosed = true
    await this.#inner.close()
  }
}

test('a store of a class has all its methods, by team as well', async () => {
  const vault = openVault({ secretKey: 'k'.repeat(40), isSecret: (name) => name === 'password' })
  const inner = new ClassStore()
  const store = storeByTeam(sealingStore(inner, vault)).of('a')
  await store.set('one', { password: 'hunter2' })
  await store.add?.('many', [{ password: 'hunter3' }])
  expect(JSON.stringify([await inner.get('one'), await inner.get('many')])).not.toContain('hunter')
  expect(await store.getMany?.(['one', 'many'])).toEqual([{ password: 'hunter2' }, [{ password: 'hunter3' }]])
  expect(await store.has?.(['one', 'two'])).toEqual([true, false])
  const scanned: unknown[] = []
  for await (const entries of store.scan?.('one') ?? []) scanned.push(...entries)
  expect(scanned).toEqual([{ key: 'one', value: { password: 'hunter2' } }])
  await store.delete('one')
  expect(await store.get('one')).toBeUndefined()
  expect(store.reach).toBe('process')
  await store.close()
  expect(inner.isClosed).toBe(true)
})
