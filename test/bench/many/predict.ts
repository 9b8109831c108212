// Predictions of the model, held against real runs: crawls of slow sites by some workers on Redis.
//   node test/bench/many/predict.ts [workers: 2] [pages of a crawl: 60] [latency: 1000] [rounds: 3]
// In each round the constants are measured first, by crawls of fast sites, by calls of a store and by asking for states alone, and
// then what the model makes of them: the pages a second, and the processor time of all our processes for a page, which load beside it changes less.
// Printed are each round and the median of the errors. How long workers waited for a core says how busy the machine was: a
// model knows nothing of that, so a rate that was measured while they waited for long says nothing, and is marked.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { redisStore } from '@harvestman/redis'

import { startRedis } from '../../../packages/redis/test/server.ts'
import { startCluster, startCountedSite } from '../../e2e/many/cluster.ts'
import { askOnly, cpuOf, crawlAll } from './crawls.ts'
import { simulateCluster } from './simulation/cluster.ts'
import { constants } from './simulation/constants.ts'
import { takeOverTime } from './simulation/time.ts'
import { makeWeb } from './simulation/web.ts'

const [workersText = '2', pagesText = '60', latencyText = '1000', roundsText = '3', ...model] = process.argv.slice(2)
const [workers, pages, latency] = [workersText, pagesText, latencyText].map(Number) as [number, number, number]
const crawls = 4
const maxConcurrency = 5
const fast = { pages: 200, latency: 20 }
const idleSeconds = 5
const mostWaiting = 0.25

interface Simulated {
  readonly seconds: number
  readonly calls: number
}

/** What the model says of a run; `cpu` is that of a page, in milliseconds. */
function simulate(ofCrawl: number, delay: number, cpu: number): Simulated {
  // The model takes over the timers of its process, so it has one of its own.
  const args = [fileURLToPath(import.meta.url), workersText, String(ofCrawl), String(delay), '0', String(cpu)]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Simulated
}

async function runModel(cpu: number): Promise<Simulated> {
  const web = makeWeb({ hosts: crawls, hostsOfSite: 1, urls: crawls * pages, latency, isUneven: false })
  const plan = { workers, slots: 32, jobsOfWorker: 1_000, maxConcurrency, ...constants, cpu, hasFaults: false }
  const { seconds, calls } = await simulateCluster(plan, web, takeOverTime())
  return { seconds, calls }
}

/** Milliseconds of our processor for a call of the store. */
async function costOfCall(url: string): Promise<number> {
  const store = redisStore(url, { prefix: 'bench:' })
  const calls = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await store.set(`set ${time % 10}`, { text: 'text '.repeat(time % 400) })
      await store.get(`set ${time % 10}`)
      await store.update('count', (old) => ((old as number | undefined) ?? 0) + 1)
    }
  }
  await calls(500)
  const before = process.threadCpuUsage()
  await calls(500)
  const { user, system } = process.threadCpuUsage(before)
  await store.close()
  // An update is two calls, as the model counts.
  return (user + system) / 1000 / (500 * 4)
}

interface Round {
  readonly rate: readonly [predicted: number, measured: number]
  readonly cpu: readonly [predicted: number, measured: number]
  /** The part of the time in which workers wanted a core and had none. */
  readonly waited: number
}

// oxlint-disable-next-line max-lines-per-function -- one round, from start to end
async function measure(): Promise<Round> {
  const server = await startRedis()
  const start = (count: number, delay: number) =>
    Promise.all(Array.from({ length: crawls }, () => startCountedSite(count, { delay })))
  const [fastSites, slowSites] = await Promise.all([start(fast.pages, fast.latency), start(pages, latency)])
  const sites = [...fastSites, ...slowSites]
  const sitePorts = sites.map(({ port }) => port)
  const cluster = await startCluster({ env: { HARVESTMAN_STORE: server.url }, apis: 1, workers, sitePorts })
  const [api = ''] = cluster.urls
  const options = { maxConcurrency, sitemap: 'skip' }
  const cpu = (): number => cluster.pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
  const urls = fastSites.map(({ url }) => url)
  // What a process does for its first pages is not what a page costs.
  await crawlAll(api, [...urls, ...urls], { ...options, limit: fast.pages })
  const [warm, call] = [cpu(), await costOfCall(server.url)]
  const known = await crawlAll(api, urls, { ...options, limit: fast.pages })
  const spent = cpu() - warm
  // All that a process does but pages: this bench asks for states all the time.
  await askOnly(api, known.ids, idleSeconds)
  const idle = (cpu() - warm - spent) / idleSeconds
  const ofFast = simulate(fast.pages, fast.latency, spent / known.completed)
  const page = (spent - ofFast.calls * call - idle * known.seconds) / known.completed
  const model = simulate(pages, latency, spent / known.completed)

  const [before, waitedBefore] = [cpu(), waitedOf(cluster.pids)]
  const { completed, seconds } = await crawlAll(
    api,
    slowSites.map(({ url }) => url),
    { ...options, limit: pages },
  )
  const waited = (waitedOf(cluster.pids) - waitedBefore) / seconds / cluster.pids.length
  const used = (cpu() - before) / completed
  await cluster.stop()
  for (const site of sites) site.close()
  await server.remove()
  const predicted = page + (model.calls * call + idle * model.seconds) / completed
  return { rate: [completed / model.seconds, completed / seconds], cpu: [predicted, used], waited }
}

/** Seconds in which these processes waited for a core. */
function waitedOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9, 0)
}

function errorOf([predicted, measured]: readonly [number, number]): number {
  return (predicted / measured - 1) * 100
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const [cpuOfPage] = model
if (cpuOfPage !== undefined) console.log(JSON.stringify(await runModel(Number(cpuOfPage))))
else {
  const rounds: Round[] = []
  console.log('| Pages a second: model, measured | CPU ms a page: model, measured | Waited for a core |')
  console.log('| --- | --- | --- |')
  for (let round = 0; round < Number(roundsText); round += 1) {
    const { rate, cpu, waited } = await measure()
    rounds.push({ rate, cpu, waited })
    const shown = [rate.map((one) => one.toFixed(1)), cpu.map((one) => one.toFixed(2))].map((pair) => pair.join(', '))
    console.log(
      `| ${[...shown, `${(waited * 100).toFixed(0)} %${waited > mostWaiting ? ' (too busy)' : ''}`].join(' | ')} |`,
    )
  }
  const calm = rounds.filter(({ waited }) => waited <= mostWaiting)
  const say = (what: string, pairs: readonly (readonly [number, number])[]): string =>
    pairs.length === 0
      ? `${what}: not measured, for the machine was too busy.`
      : `${what}: the model is off by ${median(pairs.map(errorOf)).toFixed(0)} % (${pairs.map((pair) => errorOf(pair).toFixed(0)).join(' ')}).`
  console.log(
    say(
      `Pages a second, of ${calm.length} calm rounds`,
      calm.map(({ rate }) => rate),
    ),
  )
  console.log(
    say(
      'CPU a page',
      rounds.map(({ cpu }) => cpu),
    ),
  )
}
process.exit()
