// Citations of files: the pages that a quote is on, and the box around it.
import { EngineError } from '@harvestman/ports'
import { scriptedLLM } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { createEngine } from '../index.ts'
import { defineParser, definePlugin, type Claim } from '../plugin.ts'

const [first, second] = ['The lamp Aurora is made of oak.', 'Delivery of the lamp takes 40 days.']
const parser = defineParser({
  name: 'pdf',
  accepts: ['application/pdf'],
  parse: () => ({
    html: `<p>${first}</p><p>${second}</p>`,
    isAllContent: true,
    pages: [
      { number: 1, html: '', status: 'ok', blocks: [{ type: 'text', content: first, bbox: [0.1, 0.1, 0.9, 0.2] }] },
      { number: 2, html: '', status: 'ok', blocks: [{ type: 'text', content: second, bbox: [0.1, 0.5, 0.8, 0.6] }] },
    ],
  }),
})

async function parseWith(format: object, value: unknown, options: object = {}) {
  const llm = scriptedLLM([{ value } as never])
  await using engine = createEngine({ llm, plugins: [definePlugin({ name: 'files', parsers: [parser] })] })
  const file = new TextEncoder().encode('%PDF-1.7')
  const document = await engine.parse(file, { formats: [format], ...options } as never)
  const { claims = [] } = document as { readonly claims?: readonly { readonly citations: readonly object[] }[] }
  return { document, citations: claims.map(({ citations }) => citations) }
}

const properties = { material: { type: 'string' }, days: { type: 'number' } }
const json = { type: 'json', schema: { type: 'object', properties }, citations: true }
const question = { type: 'question', question: 'How long does it take?', citations: true }
const onFirst = { quote: first, places: [{ page: 1, box: [0.1, 0.1, 0.9, 0.2] }] }
const onSecond = { quote: second, places: [{ page: 2, box: [0.1, 0.5, 0.8, 0.6] }] }

test('the citations of values have their page and box, and the document has no blocks and the same price', async () => {
  const value = { material: 'oak', days: 40 }
  const { document, citations } = await parseWith(json, value)
  expect(citations).toMatchObject([[onFirst], [onSecond]])
  expect(document).not.toHaveProperty('blocks')
  const uncited = await parseWith({ ...json, citations: false }, value)
  expect(document.metadata.creditsUsed).toBe(uncited.document.metadata.creditsUsed)
})

test('the citations of sentences have their page and box', async () => {
  const value = `It takes 40 days <cite>takes 40 days</cite>. It is of oak <cite>${first}</cite>.`
  expect((await parseWith(question, value)).citations).toMatchObject([[onSecond], [onFirst]])
})

test('a file that is too large with its blocks is read without them, and cited without places', async () => {
  const bounded = defineParser({
    ...parser,
    parse: (_, { request }) => {
      if (request.parsers.some(({ blocks }) => blocks)) throw new EngineError('page_too_complex', 'It is too large.')
      return { html: `<p>${first}</p>`, isAllContent: true }
    },
  })
  await using engine = createEngine({
    llm: scriptedLLM([{ value: { material: 'oak' } }]),
    plugins: [definePlugin({ name: 'files', parsers: [bounded] })],
  })
  const document = await engine.parse(new TextEncoder().encode('%PDF-1.7'), { formats: [json] } as never)
  const [claim] = (document as { readonly claims?: readonly Claim[] }).claims ?? []
  expect(claim?.citations[0]).toMatchObject({ quote: first })
  expect(claim?.citations[0]).not.toHaveProperty('places')
})

test('a file that is too large is read once if the caller asked for its blocks', async () => {
  let reads = 0
  const tooLarge = defineParser({
    ...parser,
    parse: () => {
      reads += 1
      throw new EngineError('page_too_complex', 'It is too large.')
    },
  })
  await using engine = createEngine({
    llm: scriptedLLM([]),
    plugins: [definePlugin({ name: 'files', parsers: [tooLarge] })],
  })
  const request = { formats: [json], parsers: [{ type: 'pdf', blocks: true }] }
  const reading = engine.parse(new TextEncoder().encode('%PDF-1.7'), request as never)
  await expect(reading).rejects.toMatchObject({ code: 'page_too_complex' })
  expect(reads).toBe(1)
})
