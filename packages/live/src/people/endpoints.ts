// The endpoints of requests to people.
import { fileOutput, type MakeEndpoint } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { z } from 'zod'

import type { PersonBrowsers } from './browser.ts'
import type { PeopleKit } from './kit.ts'
import { actOnPersonPage, personActions, personPage, type PersonAction } from './page.ts'
import { personReasons } from './reasons.ts'
import type { PersonRecord } from './records.ts'
import { askSchema, finishSchema, personSchema } from './requests.ts'
import { showPerson } from './shown.ts'
import type { PersonWaits } from './waits.ts'

/** The requests to people of an engine. */
export interface OpenPeople {
  readonly kit: PeopleKit
  readonly browsers: PersonBrowsers
  readonly waits: PersonWaits
}

type Make = MakeEndpoint<OpenPeople>

const common = {
  rate: 'interact',
  needs: ['sessions'],
  statuses: { not_configured: 503, browser_failed: 502, connection_failed: 502, timeout: 502 },
} as const

/** Returns a request of a team. Rejects with `not_found` if there is none. */
export async function findPerson({ kit }: OpenPeople, team: string, id: string): Promise<PersonRecord> {
  const record = await kit.records.find(team, id)
  if (record) return record
  throw new EngineError('not_found', 'This request to a person does not exist.')
}

const linkParams = {
  action: z.string().max(20),
  link: z.string().regex(/^[0-9a-f-]{36}\.[\w-]{43}$/),
}

const actionOf = (action: string): PersonAction => personActions.find((one) => one === action) ?? 'open'

const linkEndpoints = (endpoint: Make) => ({
  page: endpoint({
    method: 'GET',
    path: '/v2/people/link/{action}/{link}',
    params: linkParams,
    summary: 'Returns the page of a link to a person. It changes nothing.',
    output: fileOutput('text/html'),
    isOpen: true,
    run: ({ kit }, { params: { link } }) => personPage(link, kit),
  }),
  act: endpoint({
    method: 'POST',
    path: '/v2/people/link/{action}/{link}',
    params: linkParams,
    summary: 'Runs an action of the page of a link: `open`, `done` or `failed`.',
    output: fileOutput('text/html'),
    isOpen: true,
    isNoted: false,
    isRepeatable: true,
    run: ({ kit, browsers }, { params: { action, link } }) => actOnPersonPage(actionOf(action), link, kit, browsers),
  }),
})

/** All endpoints of requests to people. */
export const peopleEndpoints = (endpoint: Make) => ({
  list: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/people',
    summary: 'Lists the requests to people of your team, newest first.',
    output: z.array(personSchema),
    property: 'requests',
    run: async ({ kit }, { team, apiUrl = kit.options.publicUrl }) =>
      (await kit.records.list(team)).map((record) => showPerson(record, apiUrl)),
  }),
  ask: endpoint({
    ...common,
    method: 'POST',
    path: '/v2/people',
    summary: 'Asks a person to use a live browser at a page, with a link.',
    input: askSchema,
    output: personSchema,
    isFlat: true,
    errors: ['conflict', 'not_configured'],
    example: { url: 'https://shop.example/orders', profile: 'shop', reason: 'confirmation' },
    run: async ({ kit, waits }, { input, team, apiUrl = kit.options.publicUrl }) => {
      kit.live()
      const { url, ...rest } = input
      const message = personReasons[input.reason].replace(/, then press Done\.$/, '.')
      const task = { ...rest, url, team, host: new URL(url).host, code: 'timeout', message }
      return showPerson(await waits.ask(task), apiUrl)
    },
  }),
  get: endpoint({
    ...common,
    method: 'GET',
    path: '/v2/people/{id}',
    summary: 'Returns a request to a person.',
    output: personSchema,
    isFlat: true,
    errors: ['not_found'],
    run: async (open, { params: { id }, team, apiUrl = open.kit.options.publicUrl }) =>
      showPerson(await findPerson(open, team, id), apiUrl),
  }),
  finish: endpoint({
    ...common,
    method: 'POST',
    path: '/v2/people/{id}/finish',
    summary: 'Ends a request to a person: its live browser is closed, and the profile is saved.',
    input: finishSchema,
    output: personSchema,
    isFlat: true,
    errors: ['not_found'],
    isRepeatable: true,
    example: { result: 'done' },
    run: async (open, { params: { id }, input: { result }, team, apiUrl = open.kit.options.publicUrl }) =>
      showPerson(await open.browsers.finish(await findPerson(open, team, id), result), apiUrl),
  }),
  ...linkEndpoints(endpoint),
})
