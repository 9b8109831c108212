// Citations of files: the pages that a quote is on, and the box around it.
import { EngineError } from '@harvestman/ports'
import { filePassages, scriptedLLM, twoPageFile } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { createEngine } from '../index.ts'
import { defineParser, definePlugin, type Claim } from '../plugin.ts'

const [first, second] = [filePassages.first, filePassages.second]
const parser = defineParser({ name: 'pdf', accepts: ['application/pdf'], parse: twoPageFile })

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
const onFirst = { quote: first.text, places: [{ page: 1, box: first.box }] }
const onSecond = { quote: second.text, places: [{ page: 2, box: second.box }] }

test('the citations of values have their page and box, and the document has no blocks and the same price', async () => {
  const value = { material: 'oak', days: 40 }
  const { document, citations } = await parseWith(json, value)
  expect(citations).toMatchObject([[onFirst], [onSecond]])
  expect(document).not.toHaveProperty('blocks')
  const uncited = await parseWith({ ...json, citations: false }, value)
  expect(document.metadata.creditsUsed).toBe(uncited.document.metadata.creditsUsed)
})

test('the citations of sentences have their page and box', async () => {
  const value = `It takes 40 days <cite>takes 40 days</cite>. It is of oak <cite>${first.text}</cite>.`
  expect((await parseWith(question, value)).citations).toMatchObject([[onSecond], [onFirst]])
})

test('a file that is too large with its blocks is read without them, and cited without places', async () => {
  const bounded = defineParser({
    ...parser,
    parse: (_, { request }) => {
      if (request.parsers.some(({ blocks }) => blocks)) throw new EngineError('page_too_complex', 'It is too large.')
      return { html: `<p>${first.text}</p>`, isAllContent: true }
    },
  })
  await using engine = createEngine({
    llm: scriptedLLM([{ value: { material: 'oak' } }]),
    plugins: [definePlugin({ name: 'files', parsers: [bounded] })],
  })
  const document = await engine.parse(new TextEncoder().encode('%PDF-1.7'), { formats: [json] } as never)
  const [claim] = (document as { readonly claims?: readonly Claim[] }).claims ?? []
  expect(claim?.citations[0]).toMatchObject({ quote: first.text })
  expect(claim?.citations[0]).not.toHaveProperty('places')
})

test.each([
  ['the caller asked for its blocks', 'pdf', [{ type: 'pdf', blocks: true }]],
  ['the caller asked for its blocks and has a second choice', 'pdf', [{ type: 'pdf', blocks: true }, { type: 'pdf' }]],
  ['its parser has no option for blocks', 'sheets', [{ type: 'pdf' }]],
])('a file that is too large is read once if %s', async (_, name, parsers) => {
  expect(await readsOf(name, parsers)).toBe(1)
})

test('a file that is too large is read again if only a later choice of its parser asked for blocks', async () => {
  expect(await readsOf('pdf', [{ type: 'pdf' }, { type: 'pdf', blocks: true }])).toBe(2)
})

/** Returns how often a parser of this name reads a file that is too large. */
async function readsOf(name: string, parsers: readonly object[]): Promise<number> {
  let reads = 0
  const tooLarge = defineParser({
    ...{ ...parser, name },
    parse: () => {
      reads += 1
      throw new EngineError('page_too_complex', 'It is too large.')
    },
  })
  await using engine = createEngine({
    llm: scriptedLLM([]),
    plugins: [definePlugin({ name: 'files', parsers: [tooLarge] })],
  })
  const reading = engine.parse(new TextEncoder().encode('%PDF-1.7'), { formats: [json], parsers } as never)
  await expect(reading).rejects.toMatchObject({ code: 'page_too_complex' })
  return reads
}
