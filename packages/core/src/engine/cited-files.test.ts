// Citations of files: the pages that a quote is on, and the box around it.
import { scriptedLLM } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { createEngine } from '../index.ts'
import { defineParser, definePlugin } from '../plugin.ts'

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

async function claimsOf(format: object, value: unknown, blocks: boolean) {
  const llm = scriptedLLM([{ value } as never])
  await using engine = createEngine({ llm, plugins: [definePlugin({ name: 'files', parsers: [parser] })] })
  const file = new TextEncoder().encode('%PDF-1.7')
  const document = await engine.parse(file, { formats: [format as never], parsers: [{ type: 'pdf', blocks }] } as never)
  const { claims = [] } = document as { readonly claims?: readonly { readonly citations: readonly object[] }[] }
  return claims.map(({ citations }) => citations)
}

const properties = { material: { type: 'string' }, days: { type: 'number' } }
const json = { type: 'json', schema: { type: 'object', properties }, citations: true }
const question = { type: 'question', question: 'How long does it take?', citations: true }
const onFirst = { quote: first, places: [{ page: 1, box: [0.1, 0.1, 0.9, 0.2] }] }
const onSecond = { quote: second, places: [{ page: 2, box: [0.1, 0.5, 0.8, 0.6] }] }

test('the citations of values have their page and box with the option blocks', async () => {
  const value = { material: 'oak', days: 40 }
  expect(await claimsOf(json, value, true)).toMatchObject([[onFirst], [onSecond]])
  for (const [citation] of await claimsOf(json, value, false)) expect(citation).not.toHaveProperty('places')
})

test('the citations of sentences have their page and box with the option blocks', async () => {
  const value = `It takes 40 days <cite>takes 40 days</cite>. It is of oak <cite>${first}</cite>.`
  expect(await claimsOf(question, value, true)).toMatchObject([[onSecond], [onFirst]])
})
