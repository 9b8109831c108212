// What the kinds of this package answer, as the compiler sees it. The compiler is the test.
import { agent, answers, deepResearch, extract, llmsTxt } from '@harvestman/data/answers'
import { createEngine } from '@harvestman/core'
import { defineJob } from '@harvestman/core/plugin'
import type { Json } from '@harvestman/ports'
import { z } from 'zod'

// The compiler compares types exactly when it compares two generic functions.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only when the value has exactly this type. */
function is<Wanted>() {
  return <Given>(_value: Given, ..._same: Equal<Given, Wanted> extends true ? [] : [expected: Wanted]): void =>
    undefined
}

const url = 'https://example.com/'
const engine = createEngine({ plugins: [answers] })
const product = z.object({ name: z.string().trim(), tags: z.array(z.string()).default([]) })
type Product = z.output<typeof product>

export async function answersHaveTheTypeOfTheSchema() {
  is<Product | undefined>()((await (await engine.start(agent, { prompt: 'x', schema: product })).status()).data)
  is<Json | undefined>()((await (await engine.start(agent, { prompt: 'x' })).end()).data)
  is<Product | undefined>()((await (await engine.start(extract, { urls: [url], schema: product })).end()).data)
  is<Json | undefined>()((await (await engine.start(extract, { urls: [url], prompt: 'x' })).end()).data)
  is<Product | undefined>()((await (await engine.find(extract, 'id', { schema: product })).end()).data)
  const jsonOptions = { schema: product }
  const found = await (await engine.start(deepResearch, { query: 'x', formats: ['json'], jsonOptions })).end()
  is<Product | undefined>()(found.data?.json)
  is<string | undefined>()(found.data?.finalAnalysis)
  is<Product | undefined>()((await (await engine.find(agent, 'id', { schema: product })).end()).data)
  is<Json | undefined>()((await (await engine.find(agent, 'id')).end()).data)
}

export async function whatIsToldBesideAnAnswerIsTyped() {
  const { acts, request } = await (await engine.find(agent, 'id')).status()
  is<string | undefined>()(acts.at(0)?.action)
  is<'low' | 'medium' | 'high'>()(request.effort)
  is<string | undefined>()((await (await engine.find(llmsTxt, 'id')).end()).data?.llmsfulltxt)
}

export async function whatIsMistypedDoesNotCompile() {
  // @ts-expect-error prompt
  await engine.start(extract, { urls: [url], promt: 'x' })
  // @ts-expect-error onlyMainContent
  await engine.start(extract, { urls: [url], prompt: 'x', scrapeOptions: { onlyMainContnt: true } })
  const actions = [{ type: 'click', selector: 'a' }]
  await engine.start(extract, { urls: [url], prompt: 'x', scrapeOptions: { onlyMainContent: false, actions } })
  // @ts-expect-error maxCredits
  await engine.start(agent, { prompt: 'x', maxCredit: 5 })
  // @ts-expect-error maxUrls is a number
  await engine.start(llmsTxt, { url: 'https://example.com/', maxUrls: '5' })
  const stranger = defineJob({
    kind: 'stranger',
    description: 'Counts the links of a page.',
    request: z.strictObject({ url: z.url() }),
    answer: z.int(),
    example: { url: 'https://example.com/' },
    about: 'url',
    price: (_, { page }) => page(),
    run: async ({ url }, { scrape }) => (await scrape(url)).links.length,
  })
  // @ts-expect-error no plugin of this engine brings it
  await engine.start(stranger, { url: 'https://example.com/' })
  // @ts-expect-error a kind that is not there has no price
  engine.preview('llmstx', {})
  engine.preview('llmstxt', {})
}
