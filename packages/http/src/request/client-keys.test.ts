import { describe, expect, test } from 'vitest'

import { withoutClientKeys } from './client-keys.ts'

const known = new Set(['url', 'profile'])
const ofPages = new Set(['url', 'onlyMainContent'])

describe('A body from a client of the public API', () => {
  test('loses the labels that mean nothing here, and nothing else', () => {
    const body = { url: 'a', origin: 'js-sdk@4', integration: null, useMock: 'x', fastMode: true, other: 1 }
    expect(withoutClientKeys(body, known)).toEqual({ url: 'a', other: 1 })
    expect(body).toHaveProperty('origin')
  })

  test.each(['lockdown', 'redactPII', 'safeMode', 'threatProtection', 'onlyCleanContent', 'agent', 'alexandria'])(
    'may say no to %s, and nothing but no',
    (key) => {
      for (const no of [false, null, { mode: 'off' }]) expect(withoutClientKeys({ [key]: no }, known)).toEqual({})
      for (const yes of [true, {}, { mode: 'normal' }, 'yes']) {
        expect(() => withoutClientKeys({ [key]: yes }, known)).toThrow(
          expect.objectContaining({ code: 'not_configured', message: expect.stringContaining(key) }),
        )
      }
    },
  )

  test('keeps an option that the engine knows, whatever the public API calls so', () => {
    const body = { url: 'a', profile: { name: 'x' }, origin: 'y' }
    expect(withoutClientKeys(body, known)).toEqual({ url: 'a', profile: { name: 'x' } })
  })

  test('loses the options of older clients within an extraction, and keeps its misspelt ones for the schema', () => {
    const jsonOptions = { mode: 'llm', temperature: 0, prompt: 'x', promt: 'y' }
    expect(withoutClientKeys({ jsonOptions }, known)).toEqual({ jsonOptions: { prompt: 'x', promt: 'y' } })
  })

  test('loses the copy of a location that the n8n node adds to it, and keeps misspelt keys for the schema', () => {
    const location = { country: 'DE', languages: ['de'], settings: { country: 'DE' }, contry: 'AT' }
    const expected = { country: 'DE', languages: ['de'], contry: 'AT' }
    expect(withoutClientKeys({ location }, ofPages)).toEqual({ location: expected })
    expect(withoutClientKeys({ location: 'Berlin' }, ofPages)).toEqual({ location: 'Berlin' })
  })

  test('loses options of formats and parsers that are not set', () => {
    const json = { type: 'json', prompt: null, checkPromptInjection: false, schema: { type: 'object', default: null } }
    const pdf = { type: 'pdf', mode: 'fast', pages: false, blocks: null, pageImages: null }
    expect(
      withoutClientKeys({ formats: ['markdown', json], parsers: [pdf, 'image', { type: 'image' }] }, ofPages),
    ).toEqual({
      formats: ['markdown', { type: 'json', schema: { type: 'object', default: null } }],
      parsers: [{ type: 'pdf', mode: 'fast', pages: false }, 'image', { type: 'image' }],
    })
  })

  test.each([
    [
      { formats: ['links', { type: 'json', prompt: 'x', checkPromptInjection: true }] },
      { formats: ['links', { type: 'json', prompt: 'x' }] },
    ],
    [{ jsonOptions: { prompt: 'x', checkPromptInjection: true } }, { jsonOptions: { prompt: 'x' } }],
  ])('has the check for prompt injection as an option of the page: %j', (body, rest) => {
    expect(withoutClientKeys(body, ofPages)).toEqual({ ...rest, checkPromptInjection: true })
  })

  test('may name the option of a screenshot as the Rust client does', () => {
    const actions = [
      { type: 'screenshot', full_page: true },
      { type: 'wait', milliseconds: 1 },
    ]
    expect(withoutClientKeys({ actions }, ofPages)).toEqual({
      actions: [
        { type: 'screenshot', fullPage: true },
        { type: 'wait', milliseconds: 1 },
      ],
    })
  })

  test('may scroll the page with an empty selector, as the n8n node does, and click nothing with one', () => {
    const actions = [
      { type: 'scroll', direction: 'down', selector: '' },
      { type: 'click', selector: '' },
    ]
    expect(withoutClientKeys({ actions }, ofPages)).toEqual({
      actions: [
        { type: 'scroll', direction: 'down' },
        { type: 'click', selector: '' },
      ],
    })
  })

  test('keeps the options of formats of plugins as they are, and lists of these names in other bodies', () => {
    const formats = [{ type: 'chunks', pages: true, blocks: false, overlap: null }]
    expect(withoutClientKeys({ formats }, ofPages)).toEqual({ formats })
    const body = { formats: [{ prompt: null }], parsers: ['image'], actions: [{ full_page: true }] }
    expect(withoutClientKeys(body, known)).toEqual(body)
  })

  test.each(['toString', 'constructor', 'valueOf'])('may have a key that every object inherits: %s', (key) => {
    expect(withoutClientKeys({ [key]: { a: 1 }, origin: 'x' }, known)).toEqual({ [key]: { a: 1 } })
  })

  test.each([[[1]], ['text'], [null], [7]])('that is %j is left for the schema to refuse', (body) => {
    expect(withoutClientKeys(body, known)).toBe(body)
  })
})
