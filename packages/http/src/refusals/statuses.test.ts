// Every status that a row documents is provoked once, and none is answered that it does not document.
import { EngineError, endpointGroups, errorCodes, type EndpointGroup, type ErrorCode } from '@harvestman/core'
import { describe, expect, test } from 'vitest'

import { isLimited, type Route } from '../route/route.ts'
import { createApi } from '../api/api.ts'
import { apiKeys, bearerToken, type Authenticate } from '../callers/auth.ts'
import type { ApiEngine } from '../route/engine.ts'
import { fakeEngine, someId } from '../fixtures/fake-engine.ts'
import { deadLinks } from '../fixtures/dead-links.ts'
import { routesOf } from '../api/routes.ts'
import { namesJob } from './refusals.ts'
import { everywhere, statusesOf } from './statuses.ts'

const features = Object.values(fakeEngine().features).map(({ definition }) => definition)
const routes = routesOf(deadLinks.jobs, features)

const everybody = apiKeys('key')!
const noRate = Object.fromEntries(
  [...endpointGroups, 'interact', 'dead-links', 'monitor', 'datasets', 'scripts', 'status'].map((group) => [group, 0]),
)

/** The key `narrow` opens one group of endpoints alone, and the key `busy` has asked too often. */
const authenticate: Authenticate = (request) => {
  const key = bearerToken(request)
  if (key === 'narrow') return { team: 'default', scopes: { groups: [narrowGroup(request)] } }
  if (key === 'busy') return { team: 'default', limits: { requestsPerMinute: noRate } }
  return everybody(request)
}

function narrowGroup({ url }: Request): EndpointGroup {
  return /files/.test(url) ? 'scrape' : 'files'
}

/** An engine that can do nothing but fail in this way, and was given whatever a row needs. */
function failing(code: ErrorCode, ports: readonly string[]) {
  const engine = fakeEngine()
  const fail = () => Promise.reject(new EngineError(code, `What went wrong: ${code}.`))
  const failingAll = (object: object) =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([name, value]) => typeof value === 'function' && name !== 'capabilities')
        .map(([name]) => [name, fail]),
    )
  const capabilities = () => ({ ...engine.capabilities(), ports: ports as never })
  const teams = { ...engine.teams, ...failingAll(engine.teams) }
  const ledger = { ...engine.ledger, ...failingAll(engine.ledger) }
  const activity = failingAll(engine.activity)
  const uploads = { ...engine.uploads, ...failingAll(engine.uploads) }
  const { unchecked, jobs, results, changes } = engine
  const features = Object.fromEntries(
    Object.entries(engine.features).map(([name, feature]) => [name, { ...feature, invoke: fail }]),
  )
  return {
    ...engine,
    ...failingAll(engine),
    features,
    unchecked: { ...unchecked, ...failingAll(unchecked) },
    jobs: { ...jobs, ...failingAll(jobs) },
    results: { ...results, ...failingAll(results) },
    changes: { ...changes, ...failingAll(changes) },
    get live(): never {
      throw new EngineError(code, `What went wrong: ${code}.`)
    },
    get replays(): never {
      throw new EngineError(code, `What went wrong: ${code}.`)
    },
    teams,
    ledger,
    uploads,
    activity: { ...engine.activity, ...activity },
    admit: engine.admit,
    capabilities,
  }
}

/** What stands in a path where no id does. */
const values: Readonly<Record<string, string>> = {
  secret: 'a'.repeat(32),
  form: 'rss',
  pageId: '0',
  part: 'header',
}

/** A row that cannot do without something after the `?` is given it. */
const pathOf = ({ path, query }: Route, more = query && !query.safeParse({}).success ? '?url=https://a.test/' : '') =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? someId) + more

interface Changes {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly path?: string
}

type Api = ReturnType<typeof createApi>

const apiOf = (engine: ApiEngine): Api => createApi(engine, { authenticate, adminKey: 'key' })
const made = new Map<string, Api>()

/** One that was made for a row is right for all rows with the same needs. */
function once(name: string, { needs }: Pick<Route, 'needs'>, make: () => ApiEngine): Api {
  const key = `${name} ${needs.join()}`
  const api = made.get(key) ?? apiOf(make())
  made.set(key, api)
  return api
}

const failingApi = (code: ErrorCode, { needs }: Pick<Route, 'needs'>): Api =>
  once(code, { needs }, () => failing(code, needs))

const checkingApi = (route: Route): Api =>
  once('checking', route, () => {
    const fake = fakeEngine()
    const uploads = { ...fake.uploads, check: async () => undefined }
    return {
      ...fake,
      uploads,
      capabilities: failing('internal', route.needs).capabilities,
    }
  })

async function ask(api: Api, route: Route, changes: Changes = {}) {
  const sent = changes.body ?? (route.input ? JSON.stringify(route.example) : undefined)
  const isForm = route.takesFile && changes.headers?.['content-type'] === undefined
  const body = isForm ? formOf(sent ?? '{}') : sent
  const type = route.takesFile ? 'multipart/form-data; boundary=edge' : 'application/json'
  const headers = { authorization: 'Bearer key', 'content-type': type, ...changes.headers }
  const init = { method: route.method, headers, ...(body !== undefined && { body }) }
  const request = new Request(`http://localhost${changes.path ?? pathOf(route)}`, init)
  const response = await api(request)
  const text = await response.text()
  const { code, store } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: string; store?: string }
  return { status: response.status, code: code ?? (store === undefined ? undefined : 'STORE_UNAVAILABLE') }
}

const partOf = (head: string, text: string) => `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`

const formOf = (options: string) =>
  `${partOf('name="file"; filename="a.html"', '<p>Text')}${partOf('name="options"', options)}--edge--\r\n`

/** The ways to each code of a row. */
async function provoke(
  route: Route,
): Promise<readonly { readonly status: number; readonly code: string | undefined }[]> {
  const ready = failingApi('internal', route)
  const checking = checkingApi(route)
  const as = (key: string) => ask(ready, route, { headers: { authorization: key } })
  const answers = [await as('')]
  if (isLimited(route.group)) answers.push(await as('Bearer narrow'), await as('Bearer busy'))
  if (route.needs.length > 0) answers.push(await ask(failingApi('internal', { needs: [] }), route))
  if (route.input) {
    answers.push(
      await ask(ready, route, { body: '{' }),
      await ask(ready, route, { body: '{', headers: { 'content-type': 'application/json' } }),
      await ask(checking, route, { body: '{"formats":3}' }),
      await ask(checking, route, { body: '[]' }),
      await ask(ready, route, { body: `[${'0,'.repeat(2 * (route.bounds?.entries ?? 30_000))}0]` }),
      await ask(ready, route, { headers: { 'content-type': 'text/plain' } }),
    )
  }
  if (route.takesBytes) {
    answers.push(
      await ask(checking, route, { headers: { 'content-encoding': 'gzip' } }),
      await ask(checking, route, { headers: { 'content-length': '999999999' } }),
    )
  }
  answers.push(await ask(ready, route, { path: route.path.replaceAll(/\{\w+\}/g, 'x'.repeat(300)) }))
  if (route.query) answers.push(await ask(checking, route, { path: pathOf(route, `?${nonsense}`) }))
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    const isExpected = route.fails.includes(code) || everywhere.includes(code as never)
    if (isExpected && route.unsupported === undefined && !route.absent)
      answers.push(await ask(failingApi(code, route), route))
  }
  return answers
}

const nonsense =
  'format=none&skip=-1&limit=-1&url=none&status=none&endpoint=none&cursor=%00&before=none&timeRange=none' +
  `&token=${'a'.repeat(200)}`

const text = (status: number, code = 'without a code') => `${status} ${code}`

describe('Each documented status is provoked', () => {
  const keyed = routes.filter(({ path }) => path !== '/')
  test.each(keyed.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
    expect({ input: route.input !== undefined, example: route.example !== undefined }).toEqual({
      input: route.input !== undefined,
      example: route.input !== undefined,
    })
    const withCode = statusesOf(route).flatMap(({ status, codes }) => codes.map((code) => text(status, code)))
    const hasPlainRefusal = namesJob(route) || route.words?.badBody !== undefined
    const documented = [...withCode, ...(hasPlainRefusal && route.unsupported === undefined ? [text(400)] : [])]
    const provoked = (await provoke(route)).map(({ status, code }) => text(status, code))
    expect(documented.filter((one) => !provoked.includes(one))).toEqual([])
    const unknown = provoked.filter((one) => !one.startsWith('200') && !one.startsWith('204'))
    expect(unknown.filter((one) => !documented.includes(one))).toEqual([])
  })
})
