// Stores that go back in time while a crawl, a batch, a monitor and a dataset are at work:
//   node test/e2e/many/back.ts [times: 1] [ways: all, with commas] [seconds: 0.5,2,10]
// Prints a row for each way and number of seconds: how often every page was readable, and what was not right.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

import { createEngine, type Job } from '@harvestman/core'
import { data } from '@harvestman/data'
import { monitors } from '@harvestman/monitors'

import { startCountedSite, type CountedSite } from './cluster.ts'
import { ways, type Rewindable } from './rewound.ts'

const pages = 200
const some = 40
/** Milliseconds that a page takes, so that all of it lasts longer than what is lost. */
const delayFor = (seconds: number): number => 60 + seconds * 90
const endsWithin = 120_000
const leaseTime = 3_000
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What was not right after a store went back; nothing when all was. */
export async function problemsAfter(way: string, seconds: number): Promise<readonly string[]> {
  const backend = await ways[way]!()
  const [site, receiver] = await Promise.all([startCountedSite(pages, { delay: delayFor(seconds) }), startUrls()])
  try {
    return await goBackAt(backend, seconds, { site, receiver })
  } catch (error) {
    return [`the test: ${String(error)}`]
  } finally {
    site.close()
    receiver.close()
    await backend.remove()
  }
}

interface Around {
  readonly site: CountedSite
  readonly receiver: Urls
}

function openEngines(backend: Rewindable, { site, receiver }: Around, count: number) {
  const allowPrivate = [site.port, receiver.port].map((port) => `127.0.0.1/32:${port}`)
  return Array.from({ length: count }, () => {
    const [store, queue] = [backend.store(), backend.queue?.()]
    const plugins = [monitors({ pollInterval: 1_000 }), data()] as const
    const limits = { leaseTime, concurrency: 12 }
    const engine = createEngine({ store, queue, allowPrivate, limits, plugins })
    const close = async (): Promise<void> => {
      await engine.close()
      await queue?.close()
      await store.close()
    }
    return { engine, close }
  })
}

async function goBackAt(backend: Rewindable, seconds: number, around: Around): Promise<readonly string[]> {
  const { site, receiver } = around
  const isFile = backend.isFile === true
  let engines = openEngines(backend, around, isFile ? 1 : 2)
  const first = () => engines[0]!.engine
  const start = (): Promise<void[]> =>
    Promise.all(engines.map(({ engine }) => (engine.monitors.start(), engine.jobs.work())))
  await start()
  const urls = Array.from({ length: some }, (_, page) => `${site.url}/page/${page + 1}`)
  await first().datasets.create({ name: 'seen' })
  const webhook = { url: receiver.url }
  const crawl = await first().crawl({
    url: site.url,
    limit: pages,
    maxConcurrency: 8,
    webhook,
    scrapeOptions: { maxAge: 0 },
  })
  const formats = ['metadata', { type: 'dataset', name: 'seen', from: 'metadata' }] as const
  const batch = await first().batch({ urls, formats: [...formats], maxAge: 0, maxConcurrency: 2 })
  const targets = [{ type: 'scrape' as const, urls, scrapeOptions: { maxAge: 0 } }]
  const monitor = await first().monitors.create({ name: 'All', schedule: { text: 'daily', jitter: 0 }, targets })
  const check = await first().monitors.run(monitor.id)
  while (site.times.length < 40) await sleep(20)
  for (let time = 0; time < (backend.times ?? 1); time += 1) {
    await backend.save()
    await sleep(seconds * 1_000)
    if (isFile) await Promise.all(engines.map(({ close }) => close()))
    await backend.goBack()
    if (isFile) {
      engines = openEngines(backend, around, 1)
      await start()
    }
  }
  const problems: string[] = []
  const note = (what: string): void => void problems.push(what)
  for (const [name, { id }, count] of [
    ['crawl', crawl, pages],
    ['batch', batch, some],
  ] as const) {
    const job = await first()
      .jobs.find(id)
      .catch(() => undefined)
    if (job) await checkJob(name, job, count, note)
    else note(`${name}: not found`)
  }
  await checkMonitor(first(), monitor.id, check.id, note)
  const { data: rows } = await first().datasets.rows('seen', { limit: 1_000 })
  const seen = new Set(rows.map(({ values }) => JSON.stringify(values['title'])))
  if (seen.size < some) note(`dataset: ${seen.size} of ${some} rows`)
  await untilQuiet(() => receiver.urls.size, pages)
  if (receiver.urls.size < pages) note(`webhooks: ${receiver.urls.size} of ${pages} pages`)
  await untilQuiet(() => receiver.types.get('crawl.completed')?.size ?? 0, 1)
  if (!receiver.types.has('crawl.completed')) note('webhooks: no crawl.completed')
  const running = await first().jobs.running()
  if (running.length > 0) note(`still running: ${running.map(({ kind }) => kind).join(', ')}`)
  await Promise.all(engines.map(({ close }) => close()))
  return problems
}

async function checkJob(name: string, job: Job, count: number, note: (what: string) => void): Promise<void> {
  const ended = await job.end({ signal: AbortSignal.timeout(endsWithin) }).catch((error: unknown) => String(error))
  if (typeof ended === 'string' || ended.status !== 'completed' || ended.completed !== count) {
    return note(
      `${name}: ${typeof ended === 'string' ? ended : `${ended.status} ${ended.completed}, ${ended.failed} failed`}`,
    )
  }
  const found = new Set<string>()
  try {
    for await (const { metadata } of job.documents()) found.add(metadata.sourceURL)
  } catch (error) {
    return note(`${name}: ${String(error)}`)
  }
  if (found.size !== count) note(`${name}: ${found.size} of ${count} readable`)
}

type Engine = ReturnType<typeof openEngines>[number]['engine']

async function checkMonitor(engine: Engine, id: string, check: string, note: (what: string) => void): Promise<void> {
  const status = async () =>
    engine.monitors
      .check(id, check, { limit: 100 })
      .catch((error: unknown) => ({ status: String(error), pages: [], error: null }))
  for (let waited = 0; waited < endsWithin; waited += 250) {
    const { status: now, pages: found, error } = await status()
    if (!['queued', 'running'].includes(now)) {
      const seen = new Set(found.map(({ url }) => url)).size
      if (now !== 'completed' || seen !== some)
        note(`monitor: ${now}, ${seen} of ${some} pages${error === null ? '' : ` (${error})`}`)
      return
    }
    await sleep(250)
  }
  note('monitor: its check does not end')
}

async function untilQuiet(count: () => number, wanted: number): Promise<void> {
  // A message that the receiver did not accept in time is sent again after a minute.
  for (let waited = 0; waited < endsWithin && count() < wanted; waited += 100) await sleep(100)
}

interface Urls {
  readonly url: string
  readonly port: number
  /** The pages of which a message came. */
  readonly urls: ReadonlySet<string>
  /** The ids of messages by their type. */
  readonly types: ReadonlyMap<string, ReadonlySet<string>>
  close(): void
}

/** Takes webhooks, and drops repeats by the id of the message as receivers should. */
async function startUrls(): Promise<Urls> {
  const urls = new Set<string>()
  const types = new Map<string, Set<string>>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      // Cast: what our own webhooks send.
      const message = JSON.parse(body) as {
        type: string
        webhookId: string
        data: { metadata?: { sourceURL?: string } }[]
      }
      const known = types.get(message.type) ?? new Set()
      types.set(message.type, known)
      if (!known.has(message.webhookId)) for (const { metadata } of message.data) urls.add(metadata?.sourceURL ?? '')
      known.add(message.webhookId)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Cast: a server on a port.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, port, urls, types, close: () => void server.close() }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [times = '1', names = Object.keys(ways).join(','), all = '0.5,2,10'] = process.argv.slice(2)
  console.log('| Way | Seconds | All right | Not right |\n| --- | ---: | ---: | --- |')
  for (const way of names.split(',')) {
    for (const seconds of all.split(',').map(Number)) {
      const wrong: string[] = []
      let right = 0
      for (let time = 0; time < Number(times); time += 1) {
        const problems = await problemsAfter(way, seconds)
        if (problems.length === 0) right += 1
        wrong.push(...problems)
      }
      console.log(`| ${way} | ${seconds} | ${right} of ${times} | ${wrong.join('; ')} |`)
    }
  }
}
