// Schemas of teams and keys.
import type { RateGroup } from '@harvestman/core'
import { z } from 'zod'

/** Default rate limits of groups that are not named, for a team or key that has a rate limit for another group. */
export const defaultRates: Readonly<Partial<Record<RateGroup, number>>> = { status: 25_000 }

const name = z.string().trim().min(1).max(200)
const maxGroups = 100
// The engine knows the existing groups from its plugins and rejects others.
const groupName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, { error: 'must be the name of a group of endpoints' })
const perMinute = z.int().min(1).max(1_000_000)

const teamId = z
  .string()
  .regex(/^[\w.-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, dots, dashes or underscores' })
  .describe('The id of a team.')

/** Limits of a team or a key. */
export const teamLimitsSchema = z
  .strictObject({
    requestsPerMinute: z
      .record(groupName, perMinute)
      .optional()
      .describe(
        `Maximum number of requests per minute, by group of endpoints. Other groups have no limit, except \`status\`: ${defaultRates.status}.`,
      ),
    concurrency: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Maximum number of pages loaded at once by requests and jobs. Others wait.'),
    queue: z.int().min(0).max(1_000_000).optional().describe('Maximum number of waiting requests. More are refused.'),
    browsers: z.int().min(0).max(1_000).optional().describe('Maximum number of open live browsers.'),
  })
  .describe('The limits of a team or of one of its keys.')

/** A new team. */
export const newTeamSchema = z.strictObject({
  id: teamId.optional().describe('The id of the team. Default: a random one.'),
  name: name.optional().describe('The display name of the team.'),
  limits: teamLimitsSchema.optional(),
})

const keyScopesSchema = z.strictObject({
  groups: z
    .array(groupName)
    .min(1)
    .max(maxGroups)
    .optional()
    .describe('The groups of endpoints that the key may call.'),
  formats: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(100)
    .optional()
    .describe('The formats that the key may request.'),
})

/** A new key. */
export const newKeySchema = z.strictObject({
  name: name.optional().describe('The display name of the key.'),
  scopes: keyScopesSchema.optional().describe('The scopes of the key. Default: those of its team.'),
  limits: teamLimitsSchema.optional().describe('Limits of the key, in addition to those of the team.'),
  expiresAt: z.iso.datetime({ offset: true }).optional().describe('When the key expires.'),
})

/** A new team. */
export type NewTeam = z.input<typeof newTeamSchema>

/** A new key. */
export type NewKey = z.input<typeof newKeySchema>

/** Scopes of a key, as stored. */
export type KeptScopes = z.output<typeof keyScopesSchema>
