// Readings of plugins: modules that receive the page tree in the thread that reads pages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { EngineError, type Json } from '@harvestman/ports'
import { fakeBrowser } from '@harvestman/testing'
import { defineAction, defineFormat, defineLoader, definePlugin } from '../plugin/define.ts'
import type { PageReading } from '../plugin/field.ts'
import { defineReading, type ReadingInput } from '../plugin/reading.ts'
import { rawHtml } from '../formats/raw-html.ts'
import { createEngine } from './engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'harvestman-readings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const missing = pathToFileURL(join(folder, 'none.mjs'))

let count = 0
/** Writes a module, and defines a reading with it. */
function readingOf(source: string, more: Partial<ReadingInput> = {}): PageReading {
  const file = join(folder, `module${(count += 1)}.mjs`)
  writeFileSync(file, source)
  return defineReading({ name: 'specs', module: pathToFileURL(file), ...more })
}

const url = 'https://a.test/'
const html = '<title>T</title><main><h1>Head</h1><p class="a">One  <b>1</b></p><p><a href="/two">two</a></p></main>'
const head = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, captured: {}, actions: {} }
const saved = defineLoader({
  name: 'saved',
  cost: 0,
  load: async () => ({ ...head, url, body: new TextEncoder().encode(html), proxyUsed: 'basic', warnings: [] }),
})

/** A plugin with three formats of one reading: as a need, as a need whose failure is a warning, and by `read`. */
function pluginOf(reading: PageReading, options: Json = null) {
  const specs = defineFormat({ type: 'specs', needs: { found: reading }, derive: ({ found }) => found })
  const mild = defineFormat({
    type: 'mild',
    needs: { found: reading },
    onFailure: 'warn',
    derive: ({ found }) => found,
  })
  const again = defineFormat({
    type: 'again',
    needs: { rawHtml },
    derive: (page, { read }) => read({ url, html: page.rawHtml }, reading, options),
  })
  return definePlugin({ name: 'tables', formats: [specs, mild, again], loaders: [saved] })
}

/** Scrapes with the format `specs`. */
async function specsOf(reading: PageReading, limits: object = {}) {
  await using engine = createEngine({ plugins: [pluginOf(reading)], limits })
  return await engine.scrape({ url, formats: ['markdown', 'specs'] })
}

async function errorOf(work: Promise<unknown>): Promise<EngineError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (EngineError.is(error)) return error
  throw new Error('It did not fail with an EngineError.', { cause: error })
}

describe('A module of a plugin', () => {
  test('reads the tree of the page, with options, in another thread', { tags: ['long'] }, async () => {
    const reading = readingOf(
      `import { isMainThread } from 'node:worker_threads'
       export const specs = (page, { selector }) => ({
         isMainThread, url: page.url, root: page.root.name, length: page.html.length,
         found: page.select(selector).map((one) => page.textOf(one)),
         inside: page.select('b', page.select(selector)[0]).length,
         link: page.resolve(page.select('a')[0].attributes.href),
       })`,
      { function: 'specs', options: () => ({ selector: 'p.a' }) },
    )
    const expected = {
      ...{ isMainThread: false, url, root: '#document', length: html.length },
      ...{ found: ['One 1'], inside: 1, link: 'https://a.test/two' },
    }
    await using engine = createEngine({ plugins: [pluginOf(reading, { selector: 'p.a' })] })
    const document = await engine.scrape({ url, formats: ['markdown', 'specs', 'again'] })
    expect(document).toMatchObject({ specs: expected, again: expected })
    expect(document.markdown).toContain('# Head')
  })

  test('reads small pages on the calling thread where it is imported for that', async () => {
    const source = `import { isMainThread } from 'node:worker_threads'; export const read = () => isMainThread`
    const there = readingOf(source)
    const here = readingOf(source, { inPlace: () => import(there.module.href) })
    expect((await specsOf(here)).specs).toBe(true)
    expect((await specsOf(here, { inlineBytes: 0 })).specs).toBe(false)
  })

  test('adds to the warning of the document', async () => {
    const reading = readingOf(`export const read = (page) => { page.warn('No table here.'); return null }`)
    expect(await specsOf(reading)).toMatchObject({ specs: null, warning: 'No table here.' })
  })
})

const circle = 'export const read = () => { const a = []; a.push(a); return a }'

test.each([
  ['does not exist', '', /The file does not exist\. Give defineReading the URL of a file/],
  ['lacks the function', 'export const other = () => 1', /no function named read\..*functions other\. Export/],
  ['exports no functions', 'export const a = 1', /It exports no functions\./],
  ['cannot be parsed', 'export const read = (', /The module cannot be loaded\. Fix it/],
  ['throws', 'export const read = () => { throw new TypeError("secret") }', /read threw an error\. Fix/],
  ['has a wrong selector', 'export const read = (page) => page.select("p[")', /read threw an error/],
  ['returns a Map', 'export const read = () => ({ a: [new Map()] })', /class Map at \/a\/0, which is not JSON/],
  ['returns a promise', 'export const read = async () => 1', /Promise, which is not JSON. Return the value itself/],
  ['returns a function', 'export const read = () => () => 1', /a function, which is not JSON/],
  ['returns NaN', 'export const read = () => [0 / 0]', /at \/0, which is not JSON/],
  ['returns a circle', circle, /nested more than 100/],
  ['returns many values', 'export const read = () => Array(600000).fill(0)', /more than 500000 values\. Return less/],
  ['returns long texts', 'export const read = () => "a".repeat(3e7)', /returned too much\. .*limits\.documentBytes/],
])('A module that %s fails its formats alone, with one message', { tags: ['long'] }, async (_, source, says) => {
  const reading = source === '' ? defineReading({ name: 'specs', module: missing }) : readingOf(source)
  await using engine = createEngine({ plugins: [pluginOf(reading)] })
  const error = await errorOf(engine.scrape({ url, formats: ['specs'] }))
  expect(error.message).toMatch(
    /^The format specs failed\. The reading specs of the plugin tables \((?:module\d+|none)\.mjs\) failed\. /,
  )
  expect(error.message).toMatch(says)
  expect(error.message).not.toMatch(/secret|harvestman-readings/)
  expect(error.details).toMatchObject({ format: 'specs', reading: 'specs', plugin: 'tables' })
  const again = await errorOf(engine.scrape({ url, formats: ['again'] }))
  expect(again.message).toBe(error.message.replace('format specs', 'format again'))
  const { markdown, warning } = await engine.scrape({ url, formats: ['markdown', 'mild'] })
  expect(markdown).toContain('# Head')
  expect(warning).toMatch(says)
})

test('What a module throws is in the cause, with its stack', { tags: ['long'] }, async () => {
  const error = await errorOf(specsOf(readingOf('export const read = () => { throw new TypeError("secret") }')))
  const causes = (one: unknown): string => (one instanceof Error ? `${one.message} ${causes(one.cause)}` : '')
  expect(causes(error)).toMatch(/TypeError: secret\n\s+at .*module\d+\.mjs/)
})

test.each(['export const read = () => { for (;;); }', 'for (;;);'])(
  'A module that does not end is stopped with its thread, and named: %s',
  async (source) => {
    await using engine = createEngine({ plugins: [pluginOf(readingOf(source))], limits: { readTime: 2_000 } })
    // The thread has started, so that the time is that of the module.
    await engine.scrape({ url, formats: ['markdown'] })
    const error = await errorOf(engine.scrape({ url, formats: ['specs'] }))
    expect(error).toMatchObject({ code: 'page_too_complex' })
    expect(error.message).toMatch(
      /limits\.readTime\. At that time it was running the reading specs of the plugin tables/,
    )
  },
)

test('An action reads with a module of its plugin, and a failure names it', { tags: ['long'] }, async () => {
  const page = 'http://93.184.215.14/'
  const reading = readingOf('export const read = () => { throw new Error("x") }')
  const action = defineAction({
    type: 'look',
    schema: z.object({}),
    run: async (_, __, { read }) => void (await read({ url, html }, reading, null)),
  })
  const plugin = definePlugin({ name: 'lookers', actions: [action] })
  await using engine = createEngine({ browser: fakeBrowser({ pages: { [page]: html } }), plugins: [plugin] })
  const error = await errorOf(engine.scrape({ url: page, actions: [{ type: 'look' }] }))
  expect(error.message).toContain('The reading specs of the plugin lookers')
})
