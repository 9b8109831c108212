// The endpoints of profiles: import, export, list and delete.
import type { FeatureKit, MakeEndpoint } from '@harvestman/core/plugin'
import { loggedInMarker, profileName } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import { exportState, importState } from './state.ts'

const text = z.string().max(100_000)
// Loose, because browsers and extensions add properties of their own.
const cookie = z.looseObject({
  name: text,
  value: text,
  domain: z.string().min(1).max(300),
  path: z.string().max(4_096).optional(),
  expires: z.number().optional(),
  expirationDate: z.number().optional(),
  hostOnly: z.boolean().optional(),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
  sameSite: z.string().max(50).nullable().optional(),
})
const cookies = z.array(cookie).max(10_000).meta({ secret: true })
const origin = z.looseObject({
  origin: z.string().max(2_000),
  localStorage: z.array(z.strictObject({ name: z.string(), value: z.string() })).max(10_000),
})

const newProfile = z.strictObject({
  state: z
    .union([
      z.string().min(1).max(5_000_000),
      cookies,
      z.strictObject({ cookies: cookies.default([]), origins: z.array(origin).max(1_000).default([]) }),
    ])
    .meta({
      title: 'State',
      description:
        'The content of a cookies.txt file, a list of cookies as browser extensions export it, or the storage state of Playwright.',
    }),
  loggedInMarker,
})

const savedProfile = z.object({
  name: z.string(),
  cookies: z.number().describe('Number of cookies.'),
  origins: z.number().describe('Number of origins with local storage.'),
  expired: z.number().describe('Number of cookies that were omitted because they have expired.'),
})

const summary = z.object({
  name: z.string(),
  savedAt: z.string().describe('ISO 8601.'),
  size: z.number().describe('Size of the state, in characters of JSON.'),
})

const storageState = z.object({
  cookies: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      domain: z.string(),
      path: z.string(),
      expires: z.number(),
      httpOnly: z.boolean(),
      secure: z.boolean(),
      sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
    }),
  ),
  origins: z.array(
    z.object({ origin: z.string(), localStorage: z.array(z.object({ name: z.string(), value: z.string() })) }),
  ),
})

const one = '/v2/profiles/{name}'
const params = { name: profileName }

type Make = MakeEndpoint<FeatureKit>

const readingEndpoints = (endpoint: Make) => ({
  list: endpoint({
    method: 'GET',
    path: '/v2/profiles',
    summary: 'Lists the profiles of your team, by name.',
    output: z.array(summary),
    command: { print: (found) => ({ lines: found.map(({ name, savedAt, size }) => [name, savedAt, size]) }) },
    run: async ({ profiles }, { team }) =>
      (await profiles.list(team)).map(({ name, savedAt, size }) => ({
        name,
        savedAt: new Date(savedAt).toISOString(),
        size,
      })),
  }),
  export: endpoint({
    method: 'GET',
    path: one,
    params,
    summary: 'Returns the cookies and storage of a profile, as the storage state of Playwright.',
    output: storageState,
    errors: ['not_found', 'not_configured', 'conflict'],
    command: { print: (state) => ({ json: state }) },
    run: async ({ profiles }, { team, params: { name } }) => {
      const { state } = await profiles.open(team, name, false)
      if (state === undefined) throw new EngineError('not_found', `There is no profile named ${name}.`)
      return exportState(state)
    },
  }),
})

const writingEndpoints = (endpoint: Make) => ({
  import: endpoint({
    method: 'PUT',
    path: one,
    params,
    summary: 'Creates or replaces a profile from exported cookies and storage.',
    input: newProfile,
    output: savedProfile,
    errors: ['conflict', 'response_too_large'],
    statuses: { response_too_large: 413 },
    example: { state: [{ name: 'session', value: 'abc', domain: '.example.com' }] },
    command: {
      arguments: ['state'],
      print: ({ name, cookies: count, origins }) => ({
        lines: [],
        message: `The profile ${name} has ${count} cookies and the storage of ${origins} origins.`,
      }),
    },
    run: async ({ profiles, clock }, { team, params: { name }, input }) => {
      const { state, cookies: count, origins, expired } = importState(input.state, clock.now())
      const profile = await profiles.open(team, name, true)
      try {
        await profile.save(state, input.loggedInMarker)
      } finally {
        await profile.close()
      }
      return { name, cookies: count, origins, expired }
    },
  }),
  delete: endpoint({
    method: 'DELETE',
    // The path of the public API.
    path: '/v2/browser/profiles/{name}',
    aliases: ['/v2/interact/profiles/{name}'],
    params,
    summary: 'Deletes a profile.',
    errors: ['conflict'],
    command: { print: (_, { params: { name } }) => ({ message: `The profile ${name} is deleted.` }) },
    run: ({ profiles }, { team, params: { name } }) => profiles.remove(team, name),
  }),
})

/** The endpoints of profiles. */
export const profileEndpoints = (endpoint: Make) => ({ ...readingEndpoints(endpoint), ...writingEndpoints(endpoint) })
