// Endpoints for the credits and the queue of a team.
import type { MakeEndpoint } from '../plugin/endpoint.ts'
import type { FeatureKit } from '../plugin/feature.ts'
import { countPages, readQueue } from './queue.ts'
import { previewRequestSchema, pricePreviewSchema, showPreview } from './preview.ts'
import { concurrencySchema, teamQueueSchema } from './queue-schemas.ts'
import { threatEndpoints } from './threat-protection.ts'
import {
  listPeriods,
  periodQuerySchema,
  showTokenUsage,
  showUsage,
  tokenPeriodsSchema,
  tokensPerCredit,
  tokenUsageSchema,
  usagePeriodsSchema,
  usageSchema,
} from './usage.ts'

type Make = MakeEndpoint<FeatureKit>

// These reads count toward the rate limit of the group `team` instead of `status`.
const read = { method: 'GET', rate: 'team' } as const

const usageEndpoints = (endpoint: Make) => ({
  usage: endpoint({
    ...read,
    path: '/v2/team/credit-usage',
    summary: 'Returns the credits that the team has left.',
    output: usageSchema,
    run: async ({ ledger }, { team }) => showUsage(await ledger.account(team)),
  }),
  tokenUsage: endpoint({
    ...read,
    path: '/v2/team/token-usage',
    summary: 'Returns the credits that the team has left, as tokens.',
    output: tokenUsageSchema,
    run: async ({ ledger }, { team }) => showTokenUsage(await ledger.account(team)),
  }),
  usageByPeriod: endpoint({
    ...read,
    path: '/v2/team/credit-usage/historical',
    aliases: ['/v1/team/credit-usage/historical'],
    summary: 'Lists the credits used by the team, by month or by day, and with `byApiKey` by key.',
    input: periodQuerySchema,
    output: usagePeriodsSchema,
    property: 'periods',
    run: async ({ ledger, clock }, { team, input }) =>
      listPeriods(await ledger.account(team), input, clock.now()).map(({ credits, ...period }) => ({
        ...period,
        creditsUsed: credits,
        totalCredits: credits,
      })),
  }),
  tokenUsageByPeriod: endpoint({
    ...read,
    path: '/v2/team/token-usage/historical',
    aliases: ['/v1/team/token-usage/historical'],
    summary: 'Lists the credits used by the team as tokens, by month or by day, and with `byApiKey` by key.',
    input: periodQuerySchema,
    output: tokenPeriodsSchema,
    property: 'periods',
    run: async ({ ledger, clock }, { team, input }) =>
      listPeriods(await ledger.account(team), input, clock.now()).map(({ credits, ...period }) => {
        const tokens = credits * tokensPerCredit
        return { ...period, tokensUsed: tokens, totalTokens: tokens }
      }),
  }),
})

/** The endpoints of `engine.team`. */
export const teamEndpoints = (endpoint: Make) => ({
  ...usageEndpoints(endpoint),
  ...threatEndpoints(endpoint),
  queue: endpoint({
    ...read,
    path: '/v2/team/queue-status',
    aliases: ['/v1/team/queue-status'],
    summary: 'Returns how many pages of the team are loading and waiting.',
    output: teamQueueSchema,
    isFlat: true,
    run: readQueue,
  }),
  concurrency: endpoint({
    ...read,
    path: '/v2/concurrency-check',
    aliases: ['/v1/concurrency-check'],
    summary: 'Returns how many pages of the team are loading, and its maximum.',
    output: concurrencySchema,
    isFlat: true,
    run: async (kit, call) => {
      const { active, max } = await countPages(kit, call)
      return { concurrency: active, maxConcurrency: max }
    },
  }),
  preview: endpoint({
    method: 'POST',
    rate: 'team',
    isRead: true,
    path: '/v2/team/preview',
    summary: 'Returns the expected, lowest and highest price of a request, with reasons. Runs nothing, and is free.',
    input: previewRequestSchema,
    output: pricePreviewSchema,
    errors: ['not_configured', 'url_blocked'],
    example: { kind: 'crawl', request: { url: 'https://example.com', limit: 200, maxCredits: 150 } },
    run: ({ engine }, { input: { kind, request }, call }) => showPreview(engine.preview(kind, request, call)),
  }),
})
