import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { makeFolder } from './make-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'harvestman-'))
afterAll(() => rmSync(parent, { recursive: true }))

const isFolder = (path: string): boolean => statSync(path).isDirectory()

test('a folder is created with its parents, and again without an error', () => {
  const folder = join(parent, 'a', 'b', 'c')
  for (let times = 0; times < 2; times += 1) makeFolder(folder)
  expect(isFolder(folder)).toBe(true)
})

test('a folder below a file is an error', () => {
  const file = join(parent, 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }))
  expect(() => makeFolder(join(file, 'a', 'b'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

// In a child, since a call that never returns would stop all tests.
test('a folder where the file system refuses new ones is an error, and the call returns', { timeout: 120_000 }, () => {
  const module = new URL('make-folder.ts', import.meta.url).href
  const code = `import { makeFolder } from ${JSON.stringify(module)}
    try { makeFolder('/proc/no/such/folder') } catch ({ code }) { console.log(code) }`
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  expect({ stdout, signal }).toEqual({ stdout: expect.stringMatching(/^E[A-Z]+\n$/), signal: null })
})
