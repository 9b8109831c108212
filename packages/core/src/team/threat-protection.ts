// Endpoints for the threat protection that applies to all requests of a team.
import { z } from 'zod'

import type { MakeEndpoint } from '../plugin/endpoint.ts'
import type { FeatureKit } from '../plugin/feature.ts'
import { threatPolicy } from '../schema/threat-protection.ts'
import { teamThreats, type ThreatPolicy } from '../threats/team-policy.ts'

const given = threatPolicy
  .extend({
    configured: z
      .boolean()
      .meta({ title: 'Configured', description: 'Accepted as the response has it. Has no effect.', deprecated: true })
      .optional(),
  })
  .meta({ id: 'NewThreatPolicy', title: 'Threat protection of a team' })

const shown = z
  .object({
    mode: z.enum(['off', 'manual-only']),
    blacklist: z.array(z.string()),
    whitelist: z.array(z.string()),
    blockedTlds: z.array(z.string()),
    riskScoreThreshold: z.number(),
    failurePolicy: z.enum(['open', 'closed']),
    allowRequestOverrides: z.boolean(),
    configured: z.boolean().describe('False until the policy is set for the first time.'),
  })
  .meta({ id: 'ThreatPolicy', description: 'The threat protection that applies to all requests of a team.' })

function show(policy: ThreatPolicy | undefined): z.output<typeof shown> {
  const none = { mode: 'off', blacklist: [], whitelist: [], blockedTlds: [], allowRequestOverrides: true } as const
  const { mode, blacklist, whitelist, blockedTlds, allowRequestOverrides } = policy ?? none
  return {
    ...{ mode, blacklist: [...blacklist], whitelist: [...whitelist], blockedTlds: [...blockedTlds] },
    // The lists have no scores and cannot fail, so the values of the public API's defaults are returned.
    ...{ riskScoreThreshold: 75, failurePolicy: 'closed' },
    ...{ allowRequestOverrides, configured: policy !== undefined },
  }
}

export const threatEndpoints = (endpoint: MakeEndpoint<FeatureKit>) => ({
  threatProtection: endpoint({
    method: 'GET',
    rate: 'team',
    path: '/v2/team/threat-protection',
    summary: 'Returns the threat protection that applies to all requests of the team.',
    output: shown,
    run: async ({ store }, { team }) => show(await teamThreats(store).read(team)),
  }),
  setThreatProtection: endpoint({
    method: 'PUT',
    rate: 'team',
    isNoted: false,
    path: '/v2/team/threat-protection',
    summary: 'Replaces the threat protection that applies to all requests of the team.',
    input: given,
    output: shown,
    example: { blacklist: ['ads.example.net'], blockedTlds: ['zip'] },
    run: async ({ store }, { team, input }) => {
      const { mode, blacklist, whitelist, blockedTlds, allowRequestOverrides } = input
      const threats = teamThreats(store)
      const usable = mode === 'off' ? 'off' : 'manual-only'
      await threats.write(team, { mode: usable, blacklist, whitelist, blockedTlds, allowRequestOverrides })
      return show(await threats.read(team))
    },
  }),
})
