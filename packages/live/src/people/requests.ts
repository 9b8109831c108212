import { jobId, personOption, profileName, webUrl } from '@harvestman/core/plugin'
import { z } from 'zod'

import { personReasons, type PersonReason } from './reasons.ts'

const { timeout, webhook } = personOption.unwrap().shape
const reasons = Object.keys(personReasons) as [PersonReason]

/** Request to ask a person. */
export const askSchema = z.strictObject({
  url: webUrl.meta({ description: 'The page that needs a person.' }),
  profile: profileName.meta({ description: 'The name of the profile that the person uses. It is saved afterwards.' }),
  reason: z.enum(reasons).meta({ description: 'Why the page needs a person.' }).default('login_expired'),
  timeout,
  webhook,
})

/** A validated request to ask a person. */
export type AskRequest = z.output<typeof askSchema>

/** Request to end a request to a person. */
export const finishSchema = z.strictObject({
  result: z
    .enum(['done', 'failed'])
    .meta({ description: '`done`: the pages are loaded again. `failed`: they fail.' })
    .default('done'),
})

/** A request to a person. */
export const personSchema = z
  .object({
    id: z.string(),
    status: z.enum(['waiting', 'done', 'failed', 'timeout', 'cancelled']),
    reason: z.enum(reasons),
    message: z.string().describe('The error of the page.'),
    url: z.string().describe('The page that needs a person.'),
    profile: z.string(),
    jobId: jobId.nullable().describe('The scrape or job whose pages wait.'),
    link: z
      .string()
      .nullable()
      .describe('The URL for the person. It needs no API key. `null` if the public URL of the server is unknown.'),
    createdAt: z.string(),
    expiresAt: z.string(),
    endedAt: z.string().nullable(),
  })
  .meta({ id: 'PersonRequest', description: 'A request to a person.' })

/** A request to a person, as callers see it. */
export type PersonRequest = Readonly<z.output<typeof personSchema>>
