import { defineFeature, tariff, type EndpointCall, type FeatureKit } from '@harvestman/core/plugin'
import type { Usage } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { estimateTokens } from '@harvestman/toolbox/tokens'
import { uuidv7 } from '@harvestman/toolbox/uuid'
import { z } from 'zod'

import type { Payment } from './embedder.ts'
import type { Passage } from './finding.ts'

/** Number of embedded tokens per credit. */
export const tokensOfEmbeddingCredit = 10_000

const input = z.strictObject({
  query: z.string().trim().min(1).max(500).meta({
    title: 'Query',
    description: 'Words, "phrases", -excluded words, and the filters `site:`, `path:`, `lang:`, `after:`, `before:`.',
  }),
  limit: z.int().min(1).max(50).meta({ title: 'Passages', description: 'Maximum number of passages.' }).default(5),
  maxTokens: z
    .int()
    .min(50)
    .max(100_000)
    .meta({
      title: 'Tokens',
      description: 'Maximum tokens of all texts together, estimated. Passages that do not fit are listed in `omitted`.',
    })
    .optional(),
})

const place = {
  url: z.string(),
  title: z.string(),
  link: z.string().describe('The URL with a fragment that opens the page at the passage.'),
  headings: z.array(z.string()).describe('The headings above the passage, from the first level.'),
  chunk: z.string().describe('The id of the chunk. `chunks` returns the same by default.'),
  start: z.int().describe('Where the passage begins in the Markdown of the page, in characters.'),
  end: z.int().describe('Where it ends.'),
  hash: z.string().describe('The SHA-256 hash of the Markdown.'),
  date: z.string().describe('When the page was scraped.'),
}

const output = z.object({
  passages: z
    .array(z.object({ ...place, text: z.string().describe('The Markdown of the passage.'), tokens: z.int() }))
    .describe('The best passage first.'),
  omitted: z
    .array(z.object({ ...place, tokens: z.int() }))
    .optional()
    .describe('Passages that did not fit into `maxTokens`.'),
  creditsUsed: z.int(),
})

type Input = z.output<typeof input>
type Found = z.input<typeof output>

interface FeatureOptions {
  find(input: Input, team: string, signal: AbortSignal): Promise<readonly Passage[]>
  /** Receives the function that pays for embedded chunks. */
  opened(reserve: (team: string) => Promise<Payment>): void
}

/** Creates the feature `passages`, which searches the index of scraped pages for passages. */
export function passagesFeature({ find, opened }: FeatureOptions) {
  return defineFeature({
    name: 'passages',
    group: 'search',
    activities: { passages: 'search' },
    summary: 'Searches the pages that your team has scraped, for passages.',
    open: (kit) => {
      opened(paymentsOf(kit))
      return kit
    },
    endpoints: (endpoint) => ({
      search: endpoint({
        method: 'POST',
        path: '/v2/passages/search',
        summary: 'Returns the passages of scraped pages that match a query best.',
        input,
        output,
        errors: ['insufficient_credits', 'search_failed', 'search_unavailable'],
        example: { query: 'orb weaver silk', limit: 3 },
        isRepeatable: true,
        run: (kit, call) => search(kit, call, find),
      }),
    }),
  })
}

async function search(
  kit: FeatureKit,
  { input: request, team, signal, call }: EndpointCall<unknown, Input>,
  find: FeatureOptions['find'],
): Promise<Found> {
  const { credits, results } = tariff.search
  const now = kit.clock.now()
  const hold = kit.hold({ team, task: uuidv7(now), until: now + searchTime, key: call.key })
  await hold.reserve(credits * Math.ceil(request.limit / results))
  try {
    const found = await find(request, team, signal)
    const creditsUsed = credits * Math.ceil(found.length / results)
    await hold.settle(creditsUsed)
    return { ...fitting(found, request.maxTokens), creditsUsed }
  } catch (error) {
    await hold.release()
    throw error
  }
}

const searchTime = 60_000
const embeddingTime = 300_000

/** Selects the passages that fit into the budget, by rank. All others are `omitted`. */
function fitting(found: readonly Passage[], maxTokens = Infinity): Pick<Found, 'passages' | 'omitted'> {
  const passages: Found['passages'] = []
  const omitted: NonNullable<Found['omitted']> = []
  let left = maxTokens
  for (const { text, headings, ...rest } of found) {
    const one = { ...rest, headings: [...headings], tokens: estimateTokens(text) }
    if (one.tokens > left) omitted.push(one)
    else {
      left -= one.tokens
      passages.push({ ...one, text })
    }
  }
  return { passages, ...(omitted.length > 0 && { omitted }) }
}

/** Returns a function that reserves credits for one batch of chunks. */
function paymentsOf({ hold, clock }: FeatureKit): (team: string) => Promise<Payment> {
  // Tokens that do not make a credit yet, by team.
  const rests = recentlyUsed<string, number>(1_000)
  return async (team) => {
    const now = clock.now()
    const held = hold({ team, task: uuidv7(now), until: now + embeddingTime })
    await held.reserve(maxCreditsOfBatch)
    return {
      settle: async ({ inputTokens }: Usage) => {
        const tokens = (rests.get(team) ?? 0) + inputTokens
        rests.set(team, tokens % tokensOfEmbeddingCredit)
        await held.settle(Math.floor(tokens / tokensOfEmbeddingCredit))
      },
      release: () => held.release(),
    }
  }
}

// 64 chunks of 500 tokens with their headings, by the count of any model.
const maxCreditsOfBatch = 8
