import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

import { EngineError } from '@harvestman/core'
import {
  durableStoreContract,
  failingStoreContract,
  handClock,
  sharedStoreContract,
  storeContract,
} from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { sqliteStore } from '../src/index.ts'
import { folder } from './folder.ts'

describe('sqliteStore on a file keeps the contract', () => {
  for (const { name, run } of storeContract)
    test(name, () => run(({ clock }) => sqliteStore(join(folder(), 'store.db'), { clock })))
  for (const { name, run } of [...durableStoreContract, ...sharedStoreContract])
    test(name, () =>
      run(({ clock }) => {
        const file = join(folder(), 'store.db')
        return { open: () => sqliteStore(file, { clock }) }
      }),
    )
})

describe('sqliteStore in memory keeps the contract', () => {
  for (const { name, run } of storeContract) test(name, () => run(({ clock }) => sqliteStore(':memory:', { clock })))
  test('and reaches this process only', () => {
    expect(sqliteStore(':memory:').reach).toBe('process')
  })
})

describe('sqliteStore on a file that another process locks keeps the contract', () => {
  for (const { name, run } of failingStoreContract)
    test(name, () =>
      run(({ clock }) => {
        const file = join(folder(), 'store.db')
        const store = sqliteStore(file, { clock, lockTimeout: 10 })
        let other: DatabaseSync | undefined
        return {
          store,
          fail() {
            other = new DatabaseSync(file)
            other.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
          },
          heal() {
            other?.close()
            other = undefined
          },
        }
      }),
    )
})

describe('what was acknowledged', () => {
  test('is there after the process was killed while it wrote', { tags: ['long'] }, async () => {
    const file = join(folder(), 'store.db')
    for (let round = 0; round < 3; round += 1) {
      const acknowledged = await writeUntilKilled(file, 400)
      const store = sqliteStore(file)
      const kept = await store.getMany?.(acknowledged)
      for (const [index, key] of acknowledged.entries()) expect(keyIn(kept?.[index])).toBe(key)
      await store.close()
    }
  })
})

describe('several processes', () => {
  test('lose no increment of one number', { tags: ['long'] }, async () => {
    const file = join(folder(), 'store.db')
    const codes = await Promise.all(['a', 'b', 'c'].map((name) => ended(start(file, 'count', name))))
    expect(codes).toEqual([0, 0, 0])
    const store = sqliteStore(file)
    expect(await store.get('count')).toBe(600)
    expect(await store.get('done by b')).toBe(true)
    await store.close()
  })
})

describe('a locked file', () => {
  test('is waited for, and the event loop goes on meanwhile', async () => {
    const file = join(folder(), 'store.db')
    const store = sqliteStore(file, { lockTimeout: 10_000 })
    await store.set('key', 'before')
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    let isWritten = false
    const written = store.set('key', 'after').finally(() => {
      isWritten = true
    })
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(isWritten).toBe(false)
    expect(await store.get('key')).toBe('before')
    other.exec('COMMIT')
    await written
    expect(await store.get('key')).toBe('after')
    other.close()
    await store.close()
  })
})

describe('says why it fails:', () => {
  const reasonOf = async (file: string, options = {}) => {
    const store = sqliteStore(file, options)
    const error: unknown = await store.set('key', 'x'.repeat(200_000)).catch((error: unknown) => error)
    await store.close()
    if (!EngineError.is(error)) throw new Error('It did not fail, or with a foreign error.')
    return [error.code, error.details['reason'], error.message.includes(file)]
  }

  test('a file that is something else', async () => {
    const file = join(folder(), 'store.db')
    writeFileSync(file, 'These are notes and no store. '.repeat(100))
    expect(await reasonOf(file)).toEqual(['store_failed', 'damaged', true])
  })

  test('a file that lost its middle', async () => {
    const file = join(folder(), 'store.db')
    const store = sqliteStore(file)
    await Promise.all(Array.from({ length: 100 }, (_, index) => store.set(`key ${index}`, 'x'.repeat(5000))))
    await store.close()
    const { size } = statSync(file)
    writeFileSync(file, Buffer.alloc(size - 4096 * 4, 0xa5), { flag: 'r+', flush: true })
    expect((await reasonOf(file)).slice(0, 2)).toEqual(['store_failed', 'damaged'])
  })

  test('a folder in the place of the file', async () => {
    const file = join(folder(), 'store.db')
    mkdirSync(file)
    expect(await reasonOf(file)).toEqual(['store_failed', 'unopenable', true])
  })

  test('a file in the place of the folder', async () => {
    const file = join(folder(), 'store.db')
    writeFileSync(file, '')
    expect(await reasonOf(join(file, 'store.db'))).toEqual(['store_failed', 'unopenable', true])
  })

  test('a file that is full', async () => {
    expect(await reasonOf(join(folder(), 'store.db'), { maxBytes: 100_000 })).toEqual(['store_failed', 'full', true])
  })

  test('a lock that is held too long', async () => {
    const file = join(folder(), 'store.db')
    const other = new DatabaseSync(file)
    other.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
    expect(await reasonOf(file, { lockTimeout: 5 })).toEqual(['store_failed', 'locked', true])
    other.close()
  })

  test('a file of a newer version', async () => {
    const file = join(folder(), 'store.db')
    const other = new DatabaseSync(file)
    other.exec('PRAGMA user_version = 99')
    other.close()
    expect((await reasonOf(file))[0]).toBe('store_failed')
  })
})

test('a full file takes values again when there is room', async () => {
  const store = sqliteStore(join(folder(), 'store.db'), { maxBytes: 200_000 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => store.set(`key ${index}`, 'x'.repeat(8000))),
  )
  const refused = outcomes.findIndex(({ status }) => status === 'rejected')
  expect(refused).toBeGreaterThan(10)
  expect(await store.get('key 0')).toBe('x'.repeat(8000))
  for (const key of ['key 0', 'key 1', 'key 2']) await store.delete(key)
  await store.set('again', 'x'.repeat(7000))
  expect(await store.get('again')).toBe('x'.repeat(7000))
  await store.close()
})

describe('a group of writes', () => {
  test('that holds one too large keeps the others', async () => {
    const store = sqliteStore(join(folder(), 'store.db'), { maxBytes: 200_000 })
    const writes = Array.from({ length: 10 }, (_, index) =>
      store.set(`key ${index}`, index === 5 ? 'x'.repeat(300_000) : index),
    )
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map(({ status }) => status).indexOf('rejected')).toBe(5)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await store.getMany?.(['key 0', 'key 4', 'key 5', 'key 6', 'key 9'])).toEqual([0, 4, undefined, 6, 9])
    await store.close()
  })

  test('is one transaction', async () => {
    const file = join(folder(), 'store.db')
    const store = sqliteStore(file)
    await store.set('first', 0)
    const before = commitsOf(file)
    await Promise.all(Array.from({ length: 100 }, (_, index) => store.set(`key ${index}`, index)))
    expect(commitsOf(file) - before).toBe(1)
    await store.close()
  })
})

test('nothing is opened or made before the first call', async () => {
  const file = join(folder(), 'deep', 'er', 'store.db')
  const store = sqliteStore(file)
  expect(existsSync(join(file, '..'))).toBe(false)
  await store.set('key', 'value')
  expect(existsSync(file)).toBe(true)
  await store.close()
})

test('closing lets go of the file, also while a write is under way', async () => {
  const file = join(folder(), 'store.db')
  const store = sqliteStore(file)
  await store.set('key', 'before')
  expect(existsSync(`${file}-wal`)).toBe(true)
  const written = store.set('key', 'after')
  await store.close()
  await written
  // The last one that closes a file takes its log away.
  expect(existsSync(`${file}-wal`)).toBe(false)
})

test('what has expired leaves the file, which gets smaller', async () => {
  const clock = handClock()
  const file = join(folder(), 'store.db')
  const store = sqliteStore(file, { clock })
  const fill = Array.from({ length: 1000 }, (_, index) => store.set(`key ${index}`, 'x'.repeat(8000), { ttl: 1000 }))
  await Promise.all(fill)
  await clock.pass(20_000)
  for (let write = 0; write < 50; write += 1) await store.set('other', write)
  await store.close()
  expect(statSync(file).size).toBeLessThan(2_000_000)
  const raw = new DatabaseSync(file)
  expect(raw.prepare('SELECT count(*) AS rows FROM kept').get()).toMatchObject({ rows: 1 })
  raw.close()
})

test('loading it does not warn, and lets other warnings through', { tags: ['long'] }, async () => {
  const script = `
    import { sqliteStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    const store = sqliteStore(':memory:')
    await store.set('key', 1)
    process.emitWarning('Something else', 'ExperimentalWarning')
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  expect(await ended(child)).toBe(0)
  expect(said).toContain('Something else')
  expect(said).not.toContain('SQLite')
})

function start(file: string, work: string, name = ''): ChildProcess {
  const script = fileURLToPath(new URL('child.ts', import.meta.url))
  return spawn(process.execPath, [script, file, work, name], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function ended(child: ChildProcess): Promise<unknown> {
  const [code] = (await once(child, 'close')) as unknown[]
  return code
}

async function writeUntilKilled(file: string, least: number): Promise<string[]> {
  const child = start(file, 'write')
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
    if (said.split('\n').length > least) child.kill('SIGKILL')
  })
  await ended(child)
  expect(child.signalCode).toBe('SIGKILL')
  // The last line may be cut in the middle.
  return said.split('\n').slice(0, -1)
}

function keyIn(value: unknown): unknown {
  const kept: unknown = value instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(value)) : value
  return (kept as { key?: string } | undefined)?.key
}

// The write-ahead log has one frame for each changed page, and the last of a transaction carries the size of the file.
function commitsOf(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}

test('a file that was deleted under the store is found missing, though writing into it succeeds', async () => {
  const file = join(folder(), 'store.db')
  const store = sqliteStore(file)
  await store.set('a', 1)
  await store.check?.()
  unlinkSync(file)
  await store.set('a', 2)
  await expect(store.check?.()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'missing' } })
  await store.close()
})

test('a name that is not a string is refused when the store is made', () => {
  // Cast: what somebody writes who has no types.
  expect(() => sqliteStore({ file: 'data.sqlite' } as never)).toThrow(
    'sqliteStore needs the name of a file, such as "data.sqlite", but got object.',
  )
})
