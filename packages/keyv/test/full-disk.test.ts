// @module-tag long
// A disk without room, as a process sees it that may write no byte to any file.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { sqliteStore } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a store on a full disk can be read, and writing names the disk', async () => {
  const file = join(folder, 'store.sqlite')
  const store = sqliteStore(file)
  await store.set('list/one', 'kept')
  await store.close()
  const code = `
    const { sqliteStore } = await import(${JSON.stringify(import.meta.resolve('../src/index.ts'))})
    const store = sqliteStore(${JSON.stringify(file)})
    const attempt = (work) => work.catch(({ message, details }) => ({ message, reason: details.reason }))
    const found = await attempt(store.get('list/one'))
    const listed = await attempt(store.list('list/', { limit: 10 }))
    const written = await attempt(store.set('two', 'lost'))
    process.stdout.write(JSON.stringify({ found, listed, written, again: await attempt(store.get('list/one')) }))`
  const limited = ['-c', 'ulimit -f 0 && exec "$0" --input-type=module --eval "$1"', process.execPath, code]
  expect(JSON.parse(execFileSync('/bin/sh', limited, { encoding: 'utf8' }))).toEqual({
    found: 'kept',
    listed: [{ key: 'list/one', value: 'kept' }],
    written: { message: expect.stringContaining('The disk failed to read or write'), reason: 'disk' },
    again: 'kept',
  })
})
