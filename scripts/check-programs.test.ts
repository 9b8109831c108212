import { expect, test } from 'vitest'

import { findUntagged } from './check-programs.ts'

const programs = [
  { name: 'redis', signs: /startRedis\(/ },
  { name: 'zsh', signs: /'zsh', \[/ },
] as const
const check = (files: Readonly<Record<string, string>>) =>
  findUntagged(
    Object.entries(files).map(([file, text]) => ({ file, text })),
    programs,
  )

test('a file of tests that starts a program without its tag is named, with the tag', () => {
  expect(check({ 'test/a.test.ts': 'await startRedis()' })).toEqual([expect.stringContaining('the tag "redis"')])
})

test('also when a helper starts it, or a helper of that', () => {
  const files = {
    'test/deep/a.test.ts': "import { b } from '../b.ts'\n",
    'test/b.ts': "import { c } from './c.ts'\n",
    'test/c.ts': 'startRedis()',
  }
  expect(check(files)).toEqual([expect.stringMatching(/^test\/deep\/a\.test\.ts .* through test\/c\.ts/)])
})

// In one piece it would be a tag of this file.
const moduleTag = ['// @module', 'tag redis'].join('-')

test.each([`${moduleTag}\nstartRedis()`, "test('a', { tags: ['redis'] }, () => startRedis())"])(
  'a tag for the file or for a test is enough: %j',
  (text) => {
    expect(check({ 'test/a.test.ts': text })).toEqual([])
  },
)

test('the tag of one program does not stand for another', () => {
  const text = `${moduleTag}\nstartRedis()\nspawnSync('zsh', [])`
  expect(check({ 'test/a.test.ts': text })).toEqual([expect.stringContaining('"zsh"')])
})
