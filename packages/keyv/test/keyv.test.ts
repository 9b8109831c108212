import { EventEmitter } from 'node:events'
import { join } from 'node:path'

import { EngineError } from '@harvestman/core'
import { durableStoreContract, failingStoreContract, storeContract, type MakeStore } from '@harvestman/testing'
import { Keyv } from 'keyv'
import { KeyvFile } from 'keyv-file'
import { describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { keyvStore, sqliteKeyv } from '../src/index.ts'
import { folder } from './folder.ts'

const raw = { serialization: false } as const

const backends: Readonly<Record<string, MakeStore>> = {
  'its own Map': ({ clock }) => keyvStore(new Keyv(), { clock }),
  'a Map without serialization': ({ clock }) => keyvStore(new Keyv(raw), { clock }),
  sqliteKeyv: ({ clock }) => keyvStore(new Keyv({ store: sqliteKeyv(':memory:') }), { clock }),
  'sqliteKeyv without serialization': ({ clock }) =>
    keyvStore(new Keyv({ store: sqliteKeyv(':memory:'), ...raw }), { clock }),
  'keyv-file, which another author wrote for another version of Keyv': ({ clock }) =>
    keyvStore(new Keyv({ store: new KeyvFile({ filename: join(folder(), 'kept.json'), writeDelay: 0 }) }), { clock }),
}

for (const [backend, make] of Object.entries(backends))
  describe(
    `keyvStore on ${backend} keeps the contract`,
    longIf(/without serialization|keyv-file/.test(backend)),
    () => {
      for (const { name, run } of storeContract) test(name, () => run(make))
    },
  )

describe('keyvStore on files keeps the contract', () => {
  for (const { name, run } of durableStoreContract) {
    test(`sqliteKeyv: ${name}`, () =>
      run(({ clock }) => {
        const file = join(folder(), 'kept.db')
        const opened: Keyv[] = []
        const open = () => {
          const keyv = new Keyv({ store: sqliteKeyv(file), ...raw })
          opened.push(keyv)
          return keyvStore(keyv, { clock })
        }
        return { open, remove: () => Promise.all(opened.map((keyv) => keyv.disconnect())) }
      }))
    test(`keyv-file: ${name}`, () =>
      run(({ clock }) => {
        const filename = join(folder(), 'kept.json')
        return { open: () => keyvStore(new Keyv({ store: new KeyvFile({ filename, writeDelay: 0 }) }), { clock }) }
      }))
  }
})

// The ways in which adapters tell that they failed: they reject, or they emit an event and go on as if nothing was.
class Backend extends EventEmitter {
  readonly kept = new Map<string, unknown>()
  readonly capabilities = { expires: true }
  readonly how: 'rejects' | 'emits'
  isBroken = false
  /** Runs between reading and giving what was read. */
  onRead = async () => {}

  constructor(how: 'rejects' | 'emits' = 'rejects') {
    super()
    this.how = how
  }

  private fails(): boolean {
    if (!this.isBroken) return false
    if (this.how === 'rejects') throw new Error('The connection is lost.')
    this.emit('error', new Error('The connection is lost.'))
    return true
  }
  async get(key: string): Promise<unknown> {
    if (this.fails()) return undefined
    const value = this.kept.get(key)
    await this.onRead()
    return value
  }
  async set(key: string, value: unknown): Promise<boolean> {
    if (this.fails()) return true
    this.kept.set(key, value)
    return true
  }
  async delete(key: string): Promise<boolean> {
    return this.fails() ? false : this.kept.delete(key)
  }
  async deleteMany(keys: readonly string[]): Promise<boolean[]> {
    return Promise.all(keys.map((key) => this.delete(key)))
  }
}

for (const how of ['rejects', 'emits'] as const)
  for (const listener of ['with', 'without'] as const)
    describe(`keyvStore on a backend that ${how} when it fails, in a Keyv ${listener} a listener`, () => {
      for (const { name, run } of failingStoreContract)
        test(name, () =>
          run(() => {
            const backend = new Backend(how)
            const keyv = new Keyv({ store: backend })
            if (listener === 'with') keyv.on('error', () => undefined)
            const turn = (isBroken: boolean) => {
              backend.isBroken = isBroken
            }
            return { store: keyvStore(keyv), fail: () => turn(true), heal: () => turn(false) }
          }),
        )

      test('a read that failed rejects, and is no miss', async () => {
        const backend = new Backend(how)
        const keyv = new Keyv({ store: backend })
        if (listener === 'with') keyv.on('error', () => undefined)
        const store = keyvStore(keyv)
        await store.set('key', 'value')
        backend.isBroken = true
        const error: unknown = await store.get('key').catch((error: unknown) => error)
        expect(EngineError.is(error) && [error.code, error.message]).toEqual([
          'store_failed',
          'The Keyv could not read "key": The connection is lost.',
        ])
        await expect(store.getMany?.(['key'])).rejects.toThrow('lost')
      })
    })

test('a failure is told to the call that it belongs to, and to no other', async () => {
  const backend = new Backend('emits')
  const set = backend.set.bind(backend)
  backend.set = async (key, value) => {
    await new Promise(setImmediate)
    if (key.includes('bad')) backend.emit('error', new Error('This one failed.'))
    await new Promise(setImmediate)
    return set(key, value)
  }
  const store = keyvStore(new Keyv({ store: backend }))
  const keys = Array.from({ length: 30 }, (_, index) => `${index % 3 === 0 ? 'bad' : 'good'} ${index}`)
  const outcomes = await Promise.allSettled(keys.map((key) => store.set(key, 1)))
  for (const [index, { status }] of outcomes.entries())
    expect(status).toBe(keys[index]?.startsWith('bad') ? 'rejected' : 'fulfilled')
})

test('a write of which the Keyv says false rejects', async () => {
  const backend = new Backend()
  backend.set = async () => false
  await expect(keyvStore(new Keyv({ store: backend })).set('key', 1)).rejects.toThrow('did not write')
})

test('an error that belongs to no call does not end the process', async () => {
  const backend = new Backend()
  const store = keyvStore(new Keyv({ store: backend }))
  expect(() => backend.emit('error', new Error('The connection is lost.'))).not.toThrow()
  await store.set('key', 1)
  expect(await store.get('key')).toBe(1)
})

test('a value that is written while Keyv clears away the expired one is not lost', async () => {
  const backend = new Backend()
  const store = keyvStore(new Keyv({ store: backend }))
  const expired = JSON.stringify({ value: 'j1;"old"', expires: 1 })
  backend.kept.set('harvestman:key', expired)
  const { promise, resolve } = Promise.withResolvers<void>()
  backend.onRead = () => promise
  const read = store.get('key')
  const written = store.set('key', 'new')
  await new Promise(setImmediate)
  backend.onRead = async () => {}
  resolve()
  expect(await read).toBeUndefined()
  await written
  expect(await store.get('key')).toBe('new')
})

test('the default ttl of the Keyv shortens nothing', async () => {
  const store = keyvStore(new Keyv({ ttl: 1 }))
  await store.set('key', 'value')
  await store.update('other', () => 'value')
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await store.getMany?.(['key', 'other'])).toEqual(['value', 'value'])
})

test('two stores with prefixes of their own share a Keyv and do not meet', async () => {
  const keyv = new Keyv()
  const [one, other] = [keyvStore(keyv, { prefix: 'one:' }), keyvStore(keyv, { prefix: 'other:' })]
  await one.set('key', 1)
  expect(await other.get('key')).toBeUndefined()
  expect(await keyv.has('one:key')).toBe(true)
})

test('what somebody else keeps under our key is refused, not guessed at', async () => {
  const keyv = new Keyv()
  const store = keyvStore(keyv)
  for (const foreign of ['text', 5, { a: 1 }, 'jx;1', 'q;1']) {
    await keyv.set('harvestman:key', foreign)
    await expect(store.get('key')).rejects.toThrow('not written by this store')
  }
})

test('bytes pass through a Keyv without serialization as bytes', async () => {
  const backend = new Backend()
  const store = keyvStore(new Keyv({ store: backend, ...raw }))
  await store.set('key', new Uint8Array([1, 2, 3]))
  const kept = backend.kept.get('harvestman:key') as { value: unknown }
  expect(kept.value).toBeInstanceOf(Uint8Array)
  expect((kept.value as Uint8Array).length).toBe(11)
})

test('a Keyv that cleans keys is refused', () => {
  expect(() => keyvStore(new Keyv({ sanitize: { keys: true } }))).toThrow('cleans keys')
})

test('the Keyv of the caller stays open, and hears its errors as before', async () => {
  const backend = new Backend()
  const keyv = new Keyv({ store: backend })
  const store = keyvStore(keyv)
  await store.close()
  expect(await keyv.set('key', 1)).toBe(true)
  backend.isBroken = true
  await expect(keyv.set('key', 1)).rejects.toThrow('lost')
})

describe('sqliteKeyv for uses of its own', () => {
  test('keeps namespaces apart, and clears one alone', async () => {
    const store = sqliteKeyv(':memory:')
    const [a, b] = [new Keyv({ store, namespace: 'a' }), new Keyv({ store: sqliteKeyv(':memory:'), namespace: 'b' })]
    await a.set('key', { of: 'a' })
    await b.set('key', { of: 'b' })
    expect(await a.getMany(['key', 'none'])).toEqual([{ of: 'a' }, undefined])
    store.namespace = 'a%'
    await a.store.set('key', 's1')
    await store.clear()
    store.namespace = 'a'
    expect(await a.get('key')).toEqual({ of: 'a' })
    await a.clear()
    expect(await a.get('key')).toBeUndefined()
    expect(await b.get('key')).toEqual({ of: 'b' })
  })

  test('keeps any value with the serialization of Keyv, many at once, and tells what it has', async () => {
    const keyv = new Keyv({ store: sqliteKeyv(':memory:') })
    await keyv.setMany<unknown>([
      { key: 'a', value: { list: [1] } },
      { key: 'b', value: 'text' },
    ])
    expect(await keyv.getMany(['a', 'b'])).toEqual([{ list: [1] }, 'text'])
    expect(await keyv.hasMany(['a', 'c'])).toEqual([true, false])
    expect(await keyv.deleteMany(['a', 'c'])).toEqual([true, false])
    expect(await keyv.has('a')).toBe(false)
  })

  test('refuses what is neither text nor bytes where nothing serializes it', async () => {
    const keyv = new Keyv({ store: sqliteKeyv(':memory:'), ...raw })
    await expect(keyv.set('key', { a: 1 })).rejects.toThrow('strings and bytes only')
    await keyv.set('key', 'text')
    expect(await keyv.get('key')).toBe('text')
  })
})
