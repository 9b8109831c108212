// Operator routes: teams, their limits and their keys.
import { EngineError } from '@harvestman/core'
import { newKeySchema, newTeamSchema, teamLimitsSchema } from '@harvestman/hosting'
import { z } from 'zod'

import { textAnswer } from '../answer/answer.ts'
import { route, type Route } from '../route/route.ts'

const name = z.string().min(1).max(64)
const team = z.object({
  id: z.string(),
  name: z.string().optional(),
  limits: teamLimitsSchema,
  createdAt: z.string(),
})
const key = z.object({
  id: z.string(),
  team: z.string(),
  name: z.string().optional(),
  prefix: z.string().describe('The first characters of the key.'),
  scopes: z.looseObject({}),
  limits: teamLimitsSchema,
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  lastUsedAt: z.string().optional().describe('Accurate to about a minute.'),
})
const done = z.literal(true)

const admin = { group: 'admin', isAdmin: true } as const
const ofTeams = { ...admin, feature: 'teams' } as const
const oneTeam = { ...ofTeams, params: { team: name } }

export const adminRoutes: readonly Route[] = [
  route({
    group: 'service',
    isAdmin: true,
    isLocal: true,
    method: 'GET',
    path: '/metrics',
    summary: 'Returns the metrics of the server in Prometheus format.',
    fails: ['not_found'],
    words: { notFound: 'This server has no metrics.' },
    output: () => z.string(),
    gives: 'text/plain',
    run: async ({ metrics }) => {
      if (metrics) return metrics()
      throw new EngineError('not_found', 'This server has no metrics.')
    },
    answer: textAnswer,
  }),
  route({
    ...ofTeams,
    method: 'POST',
    path: '/admin/teams',
    summary: 'Creates a team.',
    input: () => newTeamSchema,
    example: { id: 'acme', name: 'Acme', limits: { concurrency: 10, requestsPerMinute: { scrape: 100 } } },
    fails: ['conflict'],
    output: () => z.object({ success: done, team }),
    run: async ({ engine, input }) => ({ success: true as const, team: await engine.teams.create(input) }),
  }),
  route({
    ...ofTeams,
    method: 'GET',
    path: '/admin/teams',
    summary: 'Lists the teams, and the number of their keys in the server configuration.',
    output: () =>
      z.object({
        success: done,
        teams: z.array(team),
        configured: z
          .array(z.object({ team: z.string(), keys: z.int() }))
          .describe('Teams with keys in the configuration of the server, with the number of keys.'),
      }),
    run: async ({ engine, configured }) => ({
      success: true as const,
      teams: [...(await engine.teams.list())],
      configured: [...configured],
    }),
  }),
  route({
    ...oneTeam,
    method: 'PUT',
    path: '/admin/teams/{team}/limits',
    summary: 'Replaces the limits of a team.',
    input: () => teamLimitsSchema,
    example: { concurrency: 5 },
    fails: ['not_found'],
    words: { notFound: 'This team does not exist.' },
    output: () => z.object({ success: done, team }),
    run: async ({ engine, params, input }) => ({
      success: true as const,
      team: await engine.teams.setLimits(params['team'] ?? '', input),
    }),
  }),
  route({
    ...admin,
    params: { team: name },
    method: 'POST',
    path: '/admin/teams/{team}/credits',
    summary: 'Grants credits to a team, once for each id. From then on the team is limited.',
    input: () =>
      z.strictObject({
        credits: z.int().min(1).max(1_000_000_000),
        id: z.string().min(1).max(200).describe('The id of this grant. Repeating it adds nothing.'),
      }),
    example: { credits: 1_000, id: '2026-11' },
    output: () => z.object({ success: done, credits: z.number().nullable(), granted: z.number().nullable() }),
    run: async ({ engine, params, input }) => {
      const { credits, granted } = await engine.ledger.grant({ team: params['team'] ?? '', ...input })
      return { success: true as const, credits: credits ?? null, granted: granted ?? null }
    },
  }),
  route({
    ...oneTeam,
    method: 'POST',
    path: '/admin/teams/{team}/keys',
    summary: 'Creates a key for a team. The key is shown only in this response.',
    input: () => newKeySchema,
    example: { name: 'laptop', scopes: { groups: ['scrape', 'map'] } },
    fails: ['not_found'],
    words: { notFound: 'This team does not exist.' },
    output: () => z.object({ success: done, key: z.string(), info: key }),
    run: async ({ engine, params, input }) => ({
      success: true as const,
      ...(await engine.teams.createKey(params['team'] ?? '', input)),
    }),
  }),
  route({
    ...oneTeam,
    method: 'GET',
    path: '/admin/teams/{team}/keys',
    summary: 'Lists the keys of a team, without the keys themselves.',
    fails: ['not_found'],
    words: { notFound: 'This team does not exist.' },
    output: () => z.object({ success: done, keys: z.array(key) }),
    run: async ({ engine, params }) => ({
      success: true as const,
      keys: [...(await engine.teams.listKeys(params['team'] ?? ''))],
    }),
  }),
  route({
    ...ofTeams,
    params: { team: name, key: name },
    method: 'DELETE',
    path: '/admin/teams/{team}/keys/{key}',
    summary: 'Revokes a key. It stops working within a second.',
    output: () => z.object({ success: done, revoked: z.boolean() }),
    run: async ({ engine, params }) => ({
      success: true as const,
      revoked: await engine.teams.revokeKey(params['team'] ?? '', params['key'] ?? ''),
    }),
  }),
]
