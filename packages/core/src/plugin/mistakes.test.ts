// The mistakes that authors of plugins make, each with the message that they read.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { createEngine } from '../engine/engine.ts'
import { markdown } from '../formats/markdown.ts'
import { failure, house, url } from '../scrape/fixtures/house.ts'
import { defineAction, defineFormat, defineGate, defineLoader, defineParser, definePlugin } from './define.ts'
import { defineFeature } from './feature.ts'
import type { Plugin } from './parts.ts'
import { defineReading } from './reading.ts'
import { defineJob } from './job.ts'

/** Cast: what somebody writes who has no types. */
const untyped = (input: object): never => input as never

const price = defineFormat({ type: 'price', needs: { markdown }, derive: () => 1 })

describe('a definition is refused with its name and the remedy', () => {
  const cases: readonly (readonly [mistake: string, define: () => unknown, message: string])[] = [
    [
      'a format without derive',
      () => defineFormat(untyped({ type: 'price', needs: { markdown } })),
      'defineFormat: "price" has no derive. Give a function (needs, context) that returns the value.',
    ],
    [
      'a format whose needs are a list',
      () => defineFormat(untyped({ type: 'price', needs: ['markdown'], derive: () => 1 })),
      'defineFormat: "price" has a wrong needs: ["markdown"]. Give an object of fields by the names that derive uses, such as { markdown }, or {}.',
    ],
    [
      'a format that needs the name of a field',
      () => defineFormat(untyped({ type: 'price', needs: { markdown: 'markdown' }, derive: () => 1 })),
      'defineFormat: "price" has a wrong needs: {"markdown":"markdown"}. Give an object of fields by the names that derive uses, such as { markdown }, or {}.',
    ],
    [
      'a format that requires the name of a port',
      () => defineFormat(untyped({ type: 'price', needs: {}, requires: { llm: 'llm' }, derive: () => 1 })),
      'defineFormat: "price" has a wrong requires: {"llm":"llm"}. Give an object of definitions, not of their names.',
    ],
    [
      'a format whose options are one value',
      () => defineFormat(untyped({ type: 'price', needs: {}, options: z.string(), derive: () => 1 })),
      'Give a zod object, such as z.object({ words: z.int() }).',
    ],
    [
      'a reading without a module',
      () => defineReading(untyped({ name: 'specs' })),
      'defineReading: "specs" has no module. Give the URL of a file, such as new URL(\'./specs.js\', import.meta.url).',
    ],
    ...['./specs.js', 'https://a.test/specs.js'].map(
      (module) =>
        [
          'a reading whose module is not the URL of a file',
          () => defineReading({ name: 'specs', module }),
          `defineReading: "specs" has a wrong module: "${module}". Give the URL of a file, such as new URL('./specs.js', import.meta.url).`,
        ] as const,
    ),
    [
      'an action without a schema',
      () => defineAction(untyped({ type: 'hover', run: async () => undefined })),
      'defineAction: "hover" has no schema. Give a zod object of its options, such as z.object({ selector: z.string() }).',
    ],
    [
      'an action whose schema is a plain object',
      () => defineAction(untyped({ type: 'hover', schema: { selector: 'string' }, run: async () => undefined })),
      'defineAction: "hover" has a wrong schema: {"selector":"string"}. Give a zod object of its options, such as z.object({ selector: z.string() }).',
    ],
    [
      'a loader without a cost',
      () => defineLoader(untyped({ name: 'archive', load: async () => ({ pass: 'no' }) })),
      'defineLoader: "archive" has no cost. Give a number: loaders with a lower cost are tried first.',
    ],
    [
      'a parser whose media type is a text',
      () => defineParser(untyped({ name: 'calendar', accepts: 'text/calendar', parse: () => ({ html: '' }) })),
      'defineParser: "calendar" has a wrong accepts: "text/calendar". Give the media types that it reads, such as ["text/calendar"].',
    ],
    [
      'a kind of job that neither runs nor visits',
      () =>
        defineJob(
          untyped({
            ...{ kind: 'counts', description: 'Counts.', request: z.object({ url: z.url() }), answer: z.number() },
            ...{ example: { url }, about: 'url', price: () => ({ min: 0, reasons: [] }) },
          }),
        ),
      'defineJob: "counts" has neither run nor visits. Give one: run(request, work), or visits for a job of pages.',
    ],
    [
      'a feature without open',
      () => defineFeature(untyped({ name: 'notes' })),
      'defineFeature: "notes" has no open. Give a function (kit) that returns its value.',
    ],
    [
      'a flat endpoint whose output has no properties',
      () =>
        defineFeature({
          name: 'notes',
          open: () => ({}),
          endpoints: (endpoint) => ({
            list: endpoint({
              ...{ method: 'GET', path: '/v2/notes', summary: 'Lists notes.', isFlat: true },
              ...{ output: z.array(z.string()), run: () => [] },
            }),
          }),
        }),
      'The endpoint notes.list has isFlat, but its output is not an object. Use z.object for the output, or remove isFlat.',
    ],
    [
      'an endpoint with an activity that the feature does not list',
      () =>
        defineFeature({
          name: 'notes',
          activities: { note: 'notes' },
          open: () => ({}),
          endpoints: (endpoint) => ({
            add: endpoint({
              ...{ method: 'POST', path: '/v2/notes', summary: 'Adds a note.', activity: 'memo' },
              ...{ run: () => undefined },
            }),
          }),
        }),
      'The endpoint notes.add has the activity "memo", which is not in activities of the feature.',
    ],
    [
      'an endpoint whose command names what its input does not have',
      () =>
        defineFeature({
          name: 'notes',
          open: () => ({}),
          endpoints: (endpoint) => ({
            list: endpoint({
              ...{ method: 'GET', path: '/v2/notes', summary: 'Lists notes.', input: z.object({ url: z.string() }) },
              ...{ command: untyped({ flags: { link: '--url <url>' } }), run: () => undefined },
            }),
          }),
        }),
      'The endpoint notes.list has "link" in command, which is not a property of its input.',
    ],
    [
      'a plugin with a misspelt list',
      () => definePlugin(untyped({ name: 'shop', format: [price] })),
      'definePlugin: "shop" has the unknown property format. Did you mean formats?',
    ],
    [
      'an empty plugin',
      () => definePlugin({ name: 'shop' }),
      'definePlugin: "shop" adds nothing. Give it formats, actions, features or another part.',
    ],
    [
      'a plugin with a part that was not defined',
      () => definePlugin(untyped({ name: 'shop', formats: ['price'] })),
      'definePlugin: "shop" has something in formats that defineFormat did not make: "price". Pass what defineFormat returns.',
    ],
    [
      'two plugins with one name for two formats',
      () =>
        createEngine({
          plugins: [definePlugin({ name: 'shop', formats: [price] }), definePlugin({ name: 'mall', formats: [price] })],
        }),
      'The plugins shop and mall both define "price" in formats. Give one of them another name, or leave one out.',
    ],
    [
      'two endpoints with one path, whatever their parameters are called',
      () => {
        const served = (name: string, path: `/v2/${string}`) =>
          defineFeature({
            name,
            open: () => ({}),
            endpoints: (endpoint) => ({
              get: endpoint({ method: 'GET', path, summary: 'Returns one.', run: () => undefined }),
            }),
          })
        createEngine({
          plugins: [
            definePlugin({ name: 'shop', features: [served('notes', '/v2/notes/{id}')] }),
            definePlugin({ name: 'mall', features: [served('memos', '/v2/notes/{name}')] }),
          ],
        })
      },
      'The endpoints notes.get and memos.get both have the path GET /v2/notes/{name}. Give one of them another path.',
    ],
    [
      'a gate that throws when it is opened',
      () => {
        const open = () => {
          throw new TypeError('no quota')
        }
        createEngine({ plugins: [definePlugin({ name: 'shop', gates: [defineGate({ name: 'quota', open })] })] })
      },
      'The gate quota could not be opened: no quota',
    ],
  ]
  test.each(cases)('%s', (_, define, message) => expect(define).toThrow(message))
})

describe('a plugin with a fault at run time is named', () => {
  const headers = [['content-type', 'text/calendar']] as const
  const engineWith = (plugin: Plugin) => house(() => ({ headers }), { plugins: [plugin] })

  test('when its parser throws', async () => {
    const broken = defineParser({
      name: 'calendar',
      accepts: ['text/*'],
      parse: () => {
        throw new TypeError('no BEGIN')
      },
    })
    const { engine } = engineWith(definePlugin({ name: 'dates', parsers: [broken] }))
    const message = 'The parser calendar could not read text/calendar. The plugin dates has a bug. no BEGIN'
    expect(await failure(engine.scrape({ url }))).toMatchObject({ code: 'internal', message })
  })

  test('when its parser returns no content', async () => {
    const broken = defineParser(untyped({ name: 'calendar', accepts: ['text/*'], parse: () => 'text' }))
    const { engine } = engineWith(definePlugin({ name: 'dates', parsers: [broken] }))
    const { message } = await failure(engine.scrape({ url }))
    expect(message).toContain(
      'The plugin dates has a bug. it returned "text". Return { html }, { markdown } or { text }.',
    )
  })

  test('when its loader returns the body as a text', async () => {
    const page = {
      url,
      status: 200,
      headers: {},
      body: '<p>Hi</p>',
      captured: {},
      actions: {},
      proxyUsed: 'basic',
      warnings: [],
    }
    const loader = defineLoader(untyped({ name: 'archive', cost: 0, load: async () => page }))
    const { engine } = engineWith(definePlugin({ name: 'past', loaders: [loader] }))
    const { message } = await failure(engine.scrape({ url }))
    expect(message).toBe(
      'The loader archive failed. The plugin past has a bug. the page has the body "<p>Hi</p>". Return its bytes: new TextEncoder().encode(body).',
    )
  })

  test.each([
    ['url', undefined, 'the page has the url undefined. Return its URL as a string.'],
    ['status', '200', 'the page has the status "200". Return its HTTP status as a number.'],
    ['headers', undefined, 'the page has the headers undefined. Return an object.'],
  ])('when its loader returns a page with a wrong %s', async (field, value, problem) => {
    const page = { url, status: 200, headers: {}, body: new Uint8Array(), [field]: value }
    const loader = defineLoader(untyped({ name: 'archive', cost: 0, load: async () => page }))
    const { engine } = engineWith(definePlugin({ name: 'past', loaders: [loader] }))
    const { message } = await failure(engine.scrape({ url }))
    expect(message).toBe(`The loader archive failed. The plugin past has a bug. ${problem}`)
  })

  test('when its format throws, without the message of what it threw', async () => {
    const broken = defineFormat({
      type: 'broken',
      needs: {},
      derive: () => {
        throw new TypeError('secret detail')
      },
    })
    const { engine } = house(undefined, { plugins: [definePlugin({ name: 'shop', formats: [broken] })] })
    const message = 'The format broken could not be made from this page. The plugin shop has a bug.'
    expect(await failure(engine.unchecked.scrape({ url, formats: ['broken'] }))).toMatchObject({
      code: 'format_failed',
      message,
    })
  })
})
