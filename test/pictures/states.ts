// What a server is brought to before its views are looked at.
import { setTimeout } from 'node:timers/promises'

import type { PictureSite } from './site.ts'
import { paths } from './site.ts'
import type { Served } from './served.ts'

/** Which views are looked at: a name for the picture and the address of the view. */
export type Views = Readonly<Record<string, string>>

export const viewsOfAll: Views = {
  try: 'try',
  jobs: 'jobs',
  changes: 'changes',
  monitors: 'monitors',
  datasets: 'datasets',
  browsers: 'browsers',
  scripts: 'scripts',
  activity: 'activity',
  keys: 'keys',
  connect: 'connect',
  status: 'status',
  api: 'api',
}

const timeout = 300_000

/** Waits for the end of a job. */
async function ended(server: Served, id: string): Promise<string> {
  for (const until = performance.now() + timeout; performance.now() < until; await setTimeout(200)) {
    const { job } = await server.ask<{ job: { status: string } }>(`/v2/jobs/${id}/rows?limit=1`)
    if (job.status !== 'scraping') return id
  }
  throw new Error(`The job ${id} did not end in time.`)
}

async function start(server: Served, path: string, body: object): Promise<string> {
  const { id, error } = await server.ask<{ id?: string; error?: string }>(path, body)
  if (id === undefined) throw new Error(`${path}: ${error}`)
  return id
}

/** One of each: a job of one page, a tracked page, a monitor, a dataset. */
export async function fillOne(server: Served, site: PictureSite): Promise<Views> {
  const batch = await ended(server, await start(server, '/v2/batch/scrape', { urls: [site.url] }))
  await server.ask('/v2/scrape', { url: `${site.url}/price`, formats: ['markdown', 'changeTracking'] })
  await server.ask('/v2/monitor', monitorOf('Prices', [`${site.url}/price`]))
  await server.ask('/v2/datasets', { name: 'prices', key: ['url'] })
  await server.ask('/v2/datasets/prices/rows', { rows: [rowOf(0)] })
  return {
    ...viewsOfAll,
    job: `jobs/batch/${batch}`,
    change: `changes?url=${encodeURIComponent(`${site.url}/price`)}`,
    dataset: 'datasets/prices',
  }
}

function monitorOf(name: string, urls: readonly string[]): object {
  return { name, schedule: { cron: '0 0 1 1 *' }, targets: [{ type: 'scrape', urls }] }
}

const names = [
  'kettle',
  'إبريق',
  'קומקום',
  'やかん',
  'a kettle whose name is so long that no column of a table holds all of it',
]

function rowOf(number: number): object {
  const name = names[number % names.length]
  return { values: { url: `https://shop.example/${number}`, name, price: 10 + number, inStock: number % 3 > 0 } }
}

/** Eleven of each, with other scripts, long words and failures among them. */
export async function fillEleven(server: Served, site: PictureSite): Promise<Views> {
  const crawl = await ended(server, await start(server, '/v2/crawl', { url: site.url, limit: 11, sitemap: 'skip' }))
  const urls = paths.map((path) => site.url + encodeURI(path))
  const batch = await ended(server, await start(server, '/v2/batch/scrape', { urls }))
  for (let turn = 0; turn < 10; turn += 1) {
    site.change()
    await server.ask('/v2/scrape', { url: `${site.url}/price`, formats: ['markdown', 'changeTracking'] })
    await server.ask('/v2/monitor', monitorOf(`${names[turn % names.length]} ${turn}`, urls.slice(0, turn + 1)))
    await server.ask('/v2/datasets', { name: `prices-${turn}`, key: ['url'] })
    await ended(server, await start(server, '/v2/batch/scrape', { urls: urls.slice(turn, turn + 1) }))
  }
  const page = await server.ask<{ data: { metadata: { scrapeId: string } } }>('/v2/scrape', {
    ...{ url: `${site.url}/care`, formats: ['markdown', 'links', 'html', 'metadata'] },
  })
  await server.ask('/v2/map', { url: site.url })
  await server.ask('/v2/datasets', { name: 'prices', key: ['url'] })
  await server.ask('/v2/datasets/prices/rows', { rows: Array.from({ length: 11 }, (_, number) => rowOf(number)) })
  return {
    ...viewsOfAll,
    crawl: `jobs/crawl/${crawl}`,
    job: `jobs/batch/${batch}`,
    picture: `jobs/crawl/${crawl}/picture`,
    errors: `jobs/batch/${batch}/errors`,
    addresses: `jobs/crawl/${crawl}/why`,
    compare: `jobs/batch/${batch}/compare`,
    change: `changes?url=${encodeURIComponent(`${site.url}/price`)}`,
    dataset: 'datasets/prices',
    page: `page/${page.data.metadata.scrapeId}`,
    filled: `try?${new URLSearchParams({ request: JSON.stringify({ kind: 'scrape', url: site.url }) }).toString()}`,
  }
}

/** A live browser that is open. */
export async function openSession(server: Served): Promise<Views> {
  return { session: `browsers/${await start(server, '/v2/browser', {})}` }
}

/** A job of 100,000 pages, whose rows are made up. */
export const viewsOfLarge: Views = { large: 'jobs/crawl/large', 'large-picture': 'jobs/crawl/large/picture' }
