import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { makePrivateFolder, restrictSqlite } from './private-files.ts'

const parent = mkdtempSync(join(tmpdir(), 'harvestman-'))
afterAll(() => rmSync(parent, { recursive: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('all folders on the way to a new one belong to their owner alone', () => {
  const folder = join(parent, 'a', 'b')
  makePrivateFolder(folder)
  expect([modeOf(folder), modeOf(join(folder, '..'))]).toEqual(['700', '700'])
})

test('a SQLite file and its log that others could read become private', () => {
  const file = join(parent, 'data.db')
  for (const part of ['', '-wal']) writeFileSync(file + part, 'x', { mode: 0o644 })
  restrictSqlite(file)
  expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual(['600', '600'])
})
