// Citations of values and sentences in a PDF name the page and the box of the block with the passage.
import { createEngine, type Engine } from '@harvestman/core'
import type { Claim } from '@harvestman/core/plugin'
import { scriptedLLM } from '@harvestman/testing'
import { afterAll, expect, test } from 'vitest'

import { pdf } from '../src/index.ts'
import { lines, prose } from './lines.ts'
import { makePdf } from './make-pdf.ts'

const [width, height] = [595, 842]
const price = 'The Aurora costs EUR 120 with its shade.'
const file = makePdf({
  pages: [
    { width, height, texts: lines(72, 90, prose) },
    { width, height, texts: [...lines(72, 90, prose), ...lines(72, 300, [price]), ...lines(72, 500, prose)] },
  ],
})

const parsing = pdf()
const engines: Engine[] = []
afterAll(() => Promise.all(engines.map((one) => one.close())))

async function claimsOf(format: object, value: unknown): Promise<readonly Claim[]> {
  const engine = createEngine({ llm: scriptedLLM([{ value } as never]), plugins: [parsing] })
  engines.push(engine)
  const document = await engine.parse(file, { formats: [format as never] })
  return (document as { readonly claims?: readonly Claim[] }).claims ?? []
}

/** Checks that a claim is cited with the line of the second page that has the price. */
function expectPlace([claim]: readonly Claim[]): void {
  const [citation] = claim?.citations ?? []
  expect(citation?.quote).toBe(price)
  expect(citation?.places).toMatchObject([{ page: 2 }])
  const [left = 0, top = 0, right = 0, bottom = 0] = citation?.places?.[0]?.box ?? []
  // The line begins at 72 and has its baseline at 300, in letters of 10 points.
  expect(left * width).toBeCloseTo(72, -1)
  expect([top * height > 285, bottom * height < 305, right * width < 300]).toEqual([true, true, true])
}

test('a value is cited with the page and the box of its line', async () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } } }
  expectPlace(await claimsOf({ type: 'json', schema, citations: true }, { price: 120 }))
})

test('a sentence is cited with the page and the box of its line', async () => {
  const question = { type: 'question', question: 'What does it cost?', citations: true }
  expectPlace(await claimsOf(question, `It costs 120 euros <cite>${price}</cite>.`))
})
