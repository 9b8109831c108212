import { expect, test } from 'vitest'

import { findTrespasses } from './check-rooms.ts'
import { importsOf } from './imports.ts'

const one = (file: string, specifier: string): string[] => findTrespasses([{ file, specifier }])

test('a room may import what its row lists', () => {
  expect(one('packages/core/src/scrape/load.ts', '../lib/heap.ts')).toEqual([])
  expect(one('packages/core/src/scrape/load.ts', '@harvestman/ports')).toEqual([])
})

test('a room that imports another one is told which rooms are open to it', () => {
  const [sentence] = one('packages/core/src/stores/check.ts', '../scrape/plan.ts')
  expect(sentence).toContain('packages/core/src/stores/check.ts imports scrape/plan')
  expect(sentence).toContain('the room stores may import ports, toolbox, keys, lib')
})

test('a room inside of a room sees what its own row lists, and the room around it sees it', () => {
  expect(one('packages/core/src/jobs/log/replay.ts', './facts.ts')).toEqual([])
  expect(one('packages/core/src/jobs/jobs.ts', './worker/worker.ts')).toEqual([])
  const [sentence] = one('packages/core/src/jobs/log/replay.ts', '../worker/worker.ts')
  expect(sentence).toContain('the room jobs/log may import ports, toolbox, jobs/handle')
})

test('packages with rooms hold them apart as core does, and their entries see all of them', () => {
  expect(one('packages/html/src/markdown/inline.ts', '../tree/walk.ts')).toEqual([])
  expect(one('packages/html/src/internal.ts', './readings/read.ts')).toEqual([])
  expect(one('packages/html/src/tree/walk.ts', '../markdown/inline.ts')[0]).toContain(
    'the room tree may import nothing',
  )
  expect(one('packages/puppeteer/src/chromium/starter.ts', '../pool/pool.ts')).toHaveLength(1)
  expect(one('packages/puppeteer/src/attic/box.ts', '../lib/race.ts')[0]).toContain('has no row')
})

test('nobody but the entries may import a file that sees the whole house', () => {
  expect(one('packages/core/src/scrape/load.ts', '../engine/engine.ts')).toHaveLength(1)
  expect(one('packages/core/src/engine/engine.ts', '../defaults.ts')).toEqual([])
})

test('core may not import an adapter, and an adapter imports the ports alone', () => {
  expect(one('packages/core/src/engine/engine.ts', '@harvestman/keyv')).toHaveLength(1)
  expect(one('packages/keyv/src/index.ts', '@harvestman/core')).toHaveLength(1)
  expect(one('packages/keyv/src/index.ts', '@harvestman/ports/stores')).toEqual([])
})

test('only the rooms of core whose row names html or net may import it, and html imports nothing of ours', () => {
  expect(one('packages/core/src/readers/read-page.ts', '@harvestman/html/internal')).toEqual([])
  expect(one('packages/core/src/stores/check.ts', '@harvestman/html')).toHaveLength(1)
  expect(one('packages/core/src/loaders/http.ts', '@harvestman/net')).toEqual([])
  expect(one('packages/core/src/stores/check.ts', '@harvestman/net')).toHaveLength(1)
  expect(one('packages/net/src/redirects.ts', '@harvestman/core')).toHaveLength(1)
  expect(one('packages/html/src/readings/read.ts', '@harvestman/core')).toHaveLength(1)
  expect(one('packages/html/src/readings/read.ts', 'node:fs')[0]).toContain('runs in browsers too')
  expect(one('packages/html/src/readings/read.ts', 'css-select')).toHaveLength(1)
})

test('a relative import may not reach into another package', () => {
  expect(one('packages/http/src/index.ts', '../../core/src/engine/engine.ts')).toHaveLength(1)
})

test('a library that two files of a package import is reported with both', () => {
  const [sentence] = findTrespasses([
    { file: 'packages/net/src/a.ts', specifier: 'undici' },
    { file: 'packages/net/src/b.ts', specifier: 'undici' },
  ])
  expect(sentence).toContain('undici in packages/net has 2 doormen')
})

test('every form of import is seen', () => {
  const text =
    "import { a } from './a.ts'\nexport { b } from './b.ts'\nimport './c.ts'\nconst d = await import('./d.ts')\nimport {\n  e,\n} from './e.ts'\n"
  expect(importsOf('f.ts', text).map(({ specifier }) => specifier)).toEqual([
    './a.ts',
    './b.ts',
    './c.ts',
    './d.ts',
    './e.ts',
  ])
})
