// Claims from files name the pages of the file that their passages are on, and the boxes around them.
import { filePassages, scriptedLLM, scriptedSearch, twoPageFile, type Reply } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { createEngine } from '@harvestman/core'
import { defineParser, definePlugin, type Claim } from '@harvestman/core/plugin'
import type { Fetcher } from '@harvestman/ports'

import { agent, answers, deepResearch, extract, verify } from './index.ts'

const url = 'https://shop.test/aurora.pdf'
const [first, second] = [filePassages.first.text, filePassages.second.text]
const [box, otherBox] = [filePassages.first.box, filePassages.second.box]
const parser = defineParser({ name: 'pdf', accepts: ['application/pdf'], parse: twoPageFile })

function engineOf(...replies: readonly Reply[]) {
  const fetcher = (): Fetcher => ({
    exchange: async () => ({
      status: 200,
      headers: [['content-type', 'application/pdf']],
      body: new TextEncoder().encode('%PDF-1.7'),
    }),
    close: async () => undefined,
  })
  const plugins = [answers, definePlugin({ name: 'files', parsers: [parser] })]
  const search = scriptedSearch({ web: [{ url, title: 'Lamp' }] })
  return createEngine({ fetcher, search, llm: scriptedLLM(replies), plugins })
}

const value = { material: 'oak', days: 40 }
const properties = { material: { type: 'string' }, days: { type: 'number' } }
const schema = { type: 'object', properties }

function placesOf(claims: readonly Claim[] = []) {
  return claims.map(({ claim, citations: [one] }) => [claim, one?.quote, one?.places])
}

const placed = [
  ['oak', first, [{ page: 1, box }]],
  [40, second, [{ page: 2, box: otherBox }]],
]

test('an extract, an agent and research cite the page and box of a file', async () => {
  const request = { urls: [url], prompt: 'The lamp', schema }
  await using extracting = engineOf({ value })
  expect(placesOf((await (await extracting.start(extract, request)).end()).claims)).toEqual(placed)

  const replies: Reply[] = [{ calls: [{ name: 'read', input: { url } }] }, { calls: [{ name: 'finish', input: {} }] }]
  await using acting = engineOf(...replies, { value })
  expect(placesOf((await (await acting.start(agent, request)).end()).claims)).toEqual(placed)

  await using researching = engineOf(({ prompt }) => {
    if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps'] } }
    if (prompt.includes('Judge whether')) return { value: { summary: 'A lamp.', gaps: [], isEnough: true } }
    return { value }
  })
  const research = { query: 'Of what?', formats: ['json' as const], jsonOptions: { schema } }
  expect(placesOf((await (await researching.start(deepResearch, research)).end()).claims)).toEqual(placed)
})

test('a check of citations has the present page and box of the quote', async () => {
  await using engine = engineOf()
  const citations = [{ url, quote: second, start: 0, end: second.length }]
  const { data, creditsUsed } = await (await engine.start(verify, { citations })).end()
  expect(data?.citations).toMatchObject([{ status: 'moved', now: { places: [{ page: 2, box: otherBox }] } }])
  expect(creditsUsed).toBe(2)
})
