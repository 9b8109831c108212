import { basename } from 'node:path'

import { beforeEach, expect, test } from 'vitest'

import { readNeeds } from './elf.ts'
import { findRoot } from './root.ts'

beforeEach(({ skip }) => {
  if (process.platform !== 'linux') skip('there are jails on Linux alone')
})

test('a program says which libraries it needs, and a script says nothing', () => {
  expect(readNeeds(process.execPath)?.libraries).toContain('libc.so.6')
  expect(readNeeds(import.meta.filename)).toBeUndefined()
})

test('a jail has interpreters, small programs and what they need, and nothing else of /usr', async () => {
  const root = await findRoot('/none/python3', [process.execPath])
  const names = [...root.keys()].map((path) => basename(path))
  expect(names).toEqual(expect.arrayContaining(['bash', 'cat', 'libc.so.6']))
  for (const name of ['su', 'mount', 'dpkg', 'perl', 'doc', 'usr']) expect(names).not.toContain(name)
  expect([...root.keys()].every((path) => path.startsWith('/usr/'))).toBe(true)
})

test('without Python a jail has the other languages', async () => {
  const root = await findRoot('/none/python3', [process.execPath])
  expect([...root.keys()].filter((path) => /python/.test(path))).toEqual([])
  expect([...root.keys()]).toContain('/usr/bin/bash')
})
