// A key that is held to some groups of endpoints reads the data of no other group, at any route of the table.
import { answers } from '@harvestman/answers'
import { routesOf, type Authenticate, createApi, type Route } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { createEngine } from '@harvestman/core'
import { hosting } from '@harvestman/hosting'
import { live } from '@harvestman/live'
import { startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { servedPlugins } from './served-plugins.ts'

const all = 'all'
/** A key is the list of its groups. */
const authenticate: Authenticate = (request) => {
  const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  return key === all ? { team: 'one' } : { team: 'one', scopes: { groups: key.split(',') } }
}
const plugins = [answers, hosting(), live(), ...servedPlugins()] as const
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins })
const api = createApi(engine, { authenticate })
let site: Site

interface Told {
  readonly status: number
  readonly text: string
}

async function ask(method: string, path: string, groups: string, body?: object): Promise<Told> {
  const headers = { authorization: `Bearer ${groups}`, ...(body && { 'content-type': 'application/json' }) }
  const signal = AbortSignal.timeout(10_000)
  const init = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
  const response = await api(new Request(`http://api.test${path}`, init))
  return { status: response.status, text: await response.text() }
}

/** The jobs of the team: the group that reads each, its ids, and a word that only its data has. */
interface Job {
  readonly group: string
  readonly marker: string
  readonly ids: readonly string[]
}
const jobs: Job[] = []

async function start(group: string, path: string, body: (url: string) => object): Promise<void> {
  const marker = `marker-of-${group}`
  const { text } = await ask('POST', path, all, body(`${site.url}/good/thing/${marker}`))
  const { id } = JSON.parse(text) as { readonly id: string }
  await (await engine.jobs.find(id, { team: 'one' })).end()
  const pages: string[] = []
  if (group === 'crawl' || group === 'batch')
    for await (const { metadata } of (await engine.jobs.find(id, { team: 'one' })).documents()) {
      pages.push(metadata.scrapeId)
    }
  jobs.push({ group, marker, ids: [id, ...pages] })
}

const routes = routesOf(answers.jobs, ownFeatures).filter(
  ({ unsupported, isOpen, isAdmin, group }) => unsupported === undefined && !isOpen && !isAdmin && group !== 'service',
)
const groups = [...new Set(routes.map(({ group }) => group))]
const title = ({ method, path }: Route): string => `${method} ${path}`
const fill = ({ path }: Route, id: string): string => path.replaceAll('{pageId}', '0').replaceAll(/\{\w+\}/g, id)
/** Routes that change what they name come last: they would take the data away from those after them. */
const reading = routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
const bodyOf = ({ input, example }: Route): object | undefined => (input ? (example ?? {}) : undefined)

// The log of all requests of a team shows their targets to every key with the scope `team`.
const showsTargets = (path: string): boolean => /^\/v\d\/team\/activity/.test(path)

beforeAll(async () => {
  site = await startSite()
  await start('crawl', '/v2/crawl', (url) => ({ url, limit: 1, record: true }))
  await start('batch', '/v2/batch/scrape', (url) => ({ urls: [url], record: true }))
  await start('extract', '/v2/extract', (url) => ({ urls: [url], schema: { type: 'object', properties: {} } }))
})
afterAll(async () => {
  await engine.close()
  await site.close()
})

describe('A key that is held to the group of a route', () => {
  test.each(reading.map((route) => [title(route), route] as const))(
    'reads no job of another group at %s',
    async (_, route) => {
      for (const { group, marker, ids } of jobs.filter((job) => job.group !== route.group)) {
        for (const id of route.path.includes('{') ? ids : ['']) {
          const { text } = await ask(route.method, fill(route, id), route.group, bodyOf(route))
          if (!showsTargets(route.path))
            expect({ group, text }).not.toMatchObject({ text: expect.stringContaining(marker) })
        }
      }
    },
  )

  test('is refused by name at the routes of any job', async () => {
    const { ids = [] } = jobs.find(({ group }) => group === 'batch') ?? {}
    const [id = '', page = ''] = ids
    const refused = { status: 403, text: expect.stringContaining('of the group batch') }
    expect(await ask('GET', `/v2/jobs/${id}/rows`, 'team')).toMatchObject(refused)
    expect(await ask('GET', `/v2/jobs/${id}`, 'team')).toMatchObject(refused)
    expect(await ask('GET', `/v2/crawl/${id}`, 'crawl')).toMatchObject(refused)
    expect(await ask('DELETE', `/v2/crawl/${id}`, 'crawl')).toMatchObject(refused)
    expect(await ask('GET', `/v2/records/${id}`, 'records')).toMatchObject(refused)
    expect(await ask('GET', `/v2/scrape/${page}`, 'scrape')).toMatchObject(refused)
  })

  test('reads the jobs of a kind with the scope of that kind as well', async () => {
    const { ids = [], marker } = jobs.find(({ group }) => group === 'batch') ?? {}
    const [id = '', page = ''] = ids
    const paths = [`/v2/jobs/${id}/rows`, `/v2/jobs/${id}`, `/v2/crawl/${id}`, `/v2/scrape/${page}`, '/v2/jobs']
    for (const path of paths) {
      const shown = { status: 200, text: expect.stringContaining(marker ?? '') }
      expect(await ask('GET', path, 'team,crawl,scrape,batch')).toMatchObject(shown)
    }
  })
})

test.each(groups.map((group) => [group] as const))(
  'A key of the group %s is refused at all routes of others',
  async (group) => {
    for (const route of routes.filter((one) => one.group !== group)) {
      const { status, text } = await ask(route.method, fill(route, jobs[0]?.ids[0] ?? ''), group, bodyOf(route))
      expect({ route: title(route), status, text }).toMatchObject({
        status: 403,
        text: expect.stringContaining('group'),
      })
    }
  },
)
