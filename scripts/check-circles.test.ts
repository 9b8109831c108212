import { expect, test } from 'vitest'

import { findCircles, findPackageCircles, findRoomCircles } from './check-circles.ts'
import { importsOf } from './imports.ts'

const among = (texts: Readonly<Record<string, string>>): string[] =>
  findCircles(Object.entries(texts).flatMap(([file, text]) => importsOf(file, text)))

test('files that import each other for types alone are a circle', () => {
  const [sentence, ...others] = among({
    'packages/core/src/a.ts': `import type { B } from './b/b.ts'`,
    'packages/core/src/b/b.ts': `import { type C, c } from './c.ts'`,
    'packages/core/src/b/c.ts': `export type A = import('../a.ts').A`,
  })
  expect(others).toEqual([])
  expect(sentence).toMatch(
    /^packages\/core\/src\/a\.ts imports .*b\/b\.ts imports .*b\/c\.ts imports .*\/a\.ts: a circle/,
  )
})

test('the shortest way round is told, once', () => {
  const sentences = among({
    'src/a.ts': `import './b.ts'\nimport './c.ts'`,
    'src/b.ts': `import './c.ts'`,
    'src/c.ts': `import './a.ts'`,
  })
  expect(sentences).toHaveLength(1)
  expect(sentences[0]).toMatch(/^src\/a\.ts imports src\/c\.ts imports src\/a\.ts: /)
})

test('files that meet again below are none', () => {
  expect(
    among({
      'src/a.ts': `import './b.ts'\nimport './c.ts'`,
      'src/b.ts': `import './d.ts'`,
      'src/c.ts': `import './d.ts'`,
      'src/d.ts': `import fs from 'node:fs'`,
    }),
  ).toEqual([])
})

test('rooms that import each other are a circle, though their files make none', () => {
  const imports = [
    { file: 'packages/http/src/jobs/rows.ts', specifier: '../live/talk.ts' },
    { file: 'packages/http/src/live/rows.ts', specifier: '../jobs/schema.ts' },
    { file: 'packages/http/src/jobs/rows.ts', specifier: './schema.ts' },
  ]
  expect(findCircles(imports)).toEqual([])
  expect(findRoomCircles(imports)).toEqual([
    expect.stringContaining('packages/http/src/jobs imports packages/http/src/live imports packages/http/src/jobs'),
  ])
})

test('packages that import each other are a circle, by any entry point', () => {
  const imports = [
    { file: 'packages/live/src/scripts.ts', specifier: '@harvestman/scripts' },
    { file: 'packages/scripts/src/open.ts', specifier: '@harvestman/live/port' },
    { file: 'packages/live/src/live.ts', specifier: '@harvestman/core' },
    { file: 'packages/live/src/live.ts', specifier: '@harvestman/live/options' },
    { file: 'packages/live/src/live.ts', specifier: 'zod' },
  ]
  expect(findPackageCircles(imports)).toEqual([
    expect.stringContaining('packages/live imports packages/scripts imports packages/live: a circle'),
  ])
  expect(findPackageCircles(imports.slice(2))).toEqual([])
})
