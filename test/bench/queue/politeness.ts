// 20 hosts of 40 addresses, listed host by host, on 16 slots: two at once for each host, a pause between two starts, one
// host that takes fifteen times as long, one that asks for a crawl delay of ten pauses. Prints how long the 18 ordinary
// hosts took as a ratio to the ideal (40 pauses), and the processor time. Real timers, all times divided by the factor.
//   node test/bench/queue/politeness.ts [factor: 4] [rounds: 1]
import { setTimeout as sleep } from 'node:timers/promises'

import PQueue from 'p-queue'

import { makeScheduler } from '../../../packages/schedule/src/scheduler.ts'
import { asksForRatios, given, median, tellRatios } from '../ratios.ts'

const [factor = 4, rounds = 1] = given.map(Number)
const pause = 100 / factor
const hosts = Array.from({ length: 20 }, (_, index) => `host ${index}`)
const slots = 16
const eachHost = 40
const atOnce = 2

const pauseOf = (host: string) => (host === 'host 3' ? pause * 10 : pause)
const takesOf = (host: string) => (host === 'host 0' ? pause * 15 : pause / 2)
const isOrdinary = (host: string) => host !== 'host 0' && host !== 'host 3'

/** Counts the visits to ordinary hosts, and ends the run with the last of them. */
function makeVisits() {
  const ended = Promise.withResolvers<void>()
  const stop = new AbortController()
  const starts = new Map<string, number>()
  let left = hosts.filter(isOrdinary).length * eachHost
  let tooSoon = 0
  const visit = async (host: string) => {
    const now = performance.now()
    // A timer of a millisecond may fire one early.
    if (now - (starts.get(host) ?? 0) < pauseOf(host) - 2) tooSoon += 1
    starts.set(host, now)
    await sleep(takesOf(host), undefined, { signal: stop.signal }).catch(() => undefined)
    if (isOrdinary(host) && (left -= 1) === 0) {
      stop.abort()
      ended.resolve()
    }
  }
  return { visit, ended: ended.promise, signal: stop.signal, tooSoon: () => tooSoon }
}

type Visits = ReturnType<typeof makeVisits>

const contenders: Readonly<Record<string, (visits: Visits) => void>> = {
  'ours: ready list by next start time': ({ visit, signal }) => {
    const scheduler = makeScheduler({
      now: () => performance.now(),
      slots,
      manners: { atOnce, pause, maxRest: 60_000 },
    })
    scheduler.join({ id: 'job', team: 'team' })
    scheduler.obeyCrawlDelay('host 3', pause * 10)
    let timer: NodeJS.Timeout | undefined
    const drive = () => {
      clearTimeout(timer)
      if (signal.aborted) return
      let next = scheduler.next()
      for (; next.turn; next = scheduler.next()) {
        const { turn } = next
        void visit(turn.host).then(() => {
          scheduler.done(turn, { status: 200 })
          drive()
        })
      }
      if (next.waitUntil !== Number.POSITIVE_INFINITY)
        timer = setTimeout(drive, Math.max(0, next.waitUntil - performance.now()))
    }
    for (const host of hosts) scheduler.offer('job', host, eachHost)
    drive()
  },
  'a p-queue for each host': ({ visit, signal }) => {
    const all = new PQueue({ concurrency: slots })
    for (const host of hosts) {
      const queue = new PQueue({ concurrency: atOnce, interval: pauseOf(host), intervalCap: 1, strict: true })
      signal.addEventListener('abort', () => queue.clear())
      for (let count = 0; count < eachHost; count += 1) void queue.add(() => all.add(() => visit(host)))
    }
  },
  'one p-queue that waits inside the slot': ({ visit, signal }) => {
    const queue = new PQueue({ concurrency: slots })
    signal.addEventListener('abort', () => queue.clear())
    const nextStart = new Map<string, number>()
    const running = new Map<string, number>()
    const polite = async (host: string) => {
      for (;;) {
        const wait = (nextStart.get(host) ?? 0) - performance.now()
        const isFull = (running.get(host) ?? 0) >= atOnce
        if (signal.aborted || (wait <= 0 && !isFull)) break
        await sleep(Math.max(wait, 2), undefined, { signal }).catch(() => undefined)
      }
      nextStart.set(host, performance.now() + pauseOf(host))
      running.set(host, (running.get(host) ?? 0) + 1)
      await visit(host)
      running.set(host, (running.get(host) ?? 0) - 1)
    }
    for (const host of hosts) for (let count = 0; count < eachHost; count += 1) void queue.add(() => polite(host))
  },
}

const [own, fair] = ['ours: ready list by next start time', 'a p-queue for each host']
const times = new Map<string, number[]>()
const table: Record<string, object> = {}
for (let round = 0; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(contenders)) {
    if (asksForRatios && name !== own && name !== fair) continue
    const visits = makeVisits()
    const cpu = process.cpuUsage()
    const start = performance.now()
    run(visits)
    await visits.ended
    const took = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    times.set(name, [...(times.get(name) ?? []), took])
    table[`${name}${rounds > 1 ? `, round ${round + 1}` : ''}`] = {
      '× ideal': (took / (eachHost * pause)).toFixed(2),
      'CPU ms': Math.round((user + system) / 1000),
      'starts too soon': visits.tooSoon(),
    }
  }
}
console.table(table)
const timeOf = (name: string): number => median(times.get(name) ?? [])
tellRatios({ 'time until ordinary hosts are done, over a p-queue for each': timeOf(own) / timeOf(fair) })
process.exit()
