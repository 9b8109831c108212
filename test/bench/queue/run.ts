// What a waiting job costs in processor time and in memory, in our queues and in others, in one run.
//   node --expose-gc test/bench/queue/run.ts [jobs: 200000] [rounds: 3] [--peers folder with node_modules]
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import PQueue from 'p-queue'

import { makeFrontier } from '../../../packages/core/src/crawl/frontier.ts'
import { embeddedQueue } from '@harvestman/core'
import { makeScheduler } from '../../../packages/schedule/src/scheduler.ts'
import { given, median, tellRatios } from '../ratios.ts'

const { positionals, values } = parseArgs({
  args: [...given],
  allowPositionals: true,
  options: { peers: { type: 'string' } },
})
const [most = 200_000, rounds = 3] = positionals.map(Number)
const concurrency = 16
const gc = globalThis.gc ?? (() => console.error('Run with --expose-gc, or the bytes mean nothing.'))

interface Queue {
  add(number: number): unknown
  /** Resolves when `count` jobs have been done. */
  drain(count: number): Promise<unknown>
}

/** A job that does nothing but count itself. */
function counter() {
  const all = Promise.withResolvers<void>()
  let left = Number.POSITIVE_INFINITY
  return {
    job: async () => {
      if ((left -= 1) === 0) all.resolve()
    },
    until: (count: number) => {
      left = count
      return all.promise
    },
  }
}

const contenders: Record<string, () => Queue> = {
  'limit: an array and loops': () => {
    const waiting: (() => Promise<void>)[] = []
    const { job, until } = counter()
    const loop = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await next()
    }
    return {
      add: () => waiting.push(job),
      drain: (count) => {
        const done = until(count)
        for (let number = 0; number < concurrency; number += 1) void loop()
        return done
      },
    }
  },
  'ours: embeddedQueue': () => {
    const queue = embeddedQueue()
    const { job, until } = counter()
    return {
      add: (number) => void queue.push({ id: `job ${number}`, kind: 'job', body: null }),
      drain: async (count) => {
        const done = until(count)
        await queue.consume(job, { kind: 'job', concurrency })
        await done
        await queue.close()
      },
    }
  },
  'ours: scheduler and frontier, one host': () => crawlLike(1),
  'ours: scheduler and frontier, 1,000 hosts': () => crawlLike(1000),
  'p-queue': () => {
    const queue = new PQueue({ concurrency, autoStart: false })
    const { job, until } = counter()
    return {
      add: () => void queue.add(job),
      drain: (count) => {
        const done = until(count)
        queue.start()
        return done
      },
    }
  },
}

/** Waiting addresses, each with a text of its own, handed out as a crawl does. */
function crawlLike(hosts: number): Queue {
  const frontier = makeFrontier()
  const scheduler = makeScheduler({ now: () => performance.now(), slots: concurrency })
  scheduler.join({ id: 'job', team: 'team' })
  const { job, until } = counter()
  const drive = () => {
    for (let { turn } = scheduler.next(); turn; { turn } = scheduler.next()) {
      frontier.take(turn.host)
      const current = turn
      void job().then(() => {
        scheduler.done(current, { status: 200, latency: 5 })
        drive()
      })
    }
  }
  const names = Array.from({ length: hosts }, (_, host) => `www.site-${host}.example.com`)
  return {
    add: (number) => {
      const host = names[number % hosts] ?? ''
      frontier.add(number, [`https://${host}/a/page/of/usual/length/${number}`, host, 1, 0])
      scheduler.offer('job', host)
    },
    drain: (count) => {
      const done = until(count)
      drive()
      return done
    },
  }
}

if (values.peers) {
  const fastq = createRequire(join(values.peers, 'package.json'))('fastq') as {
    promise(
      worker: () => Promise<void>,
      concurrency: number,
    ): { push(job: unknown): unknown; pause(): void; resume(): void }
  }
  contenders['fastq'] = () => {
    const { job, until } = counter()
    const queue = fastq.promise(job, concurrency)
    queue.pause()
    return {
      add: (number) => queue.push(number),
      drain: (count) => {
        const done = until(count)
        queue.resume()
        return done
      },
    }
  }
}

const heapNow = () => {
  gc()
  return process.memoryUsage().heapUsed
}

async function measure(make: () => Queue, jobs: number) {
  const before = heapNow()
  const start = process.cpuUsage()
  const queue = make()
  for (let number = 0; number < jobs; number += 1) queue.add(number)
  const filled = process.cpuUsage(start)
  const bytes = heapNow() - before
  const rest = process.cpuUsage()
  await queue.drain(jobs)
  const drained = process.cpuUsage(rest)
  return { micros: (filled.user + filled.system + drained.user + drained.system) / jobs, bytes: bytes / jobs }
}

const found = new Map<string, { readonly few: number; readonly many: number; readonly bytes: number }>()
const table: Record<string, Record<string, string>> = {}
for (const [name, make] of Object.entries(contenders)) {
  await measure(make, 2000)
  const few = []
  const many = []
  for (let round = 0; round < rounds; round += 1) {
    few.push(await measure(make, 10_000))
    many.push(await measure(make, most))
  }
  found.set(name, {
    few: median(few.map(({ micros }) => micros)),
    many: median(many.map(({ micros }) => micros)),
    bytes: median(many.map(({ bytes }) => bytes)),
  })
  table[name] = {
    'µs a job, 10,000 wait': median(few.map(({ micros }) => micros)).toFixed(2),
    [`µs a job, ${most} wait`]: median(many.map(({ micros }) => micros)).toFixed(2),
    'bytes a waiting job': median(many.map(({ bytes }) => bytes)).toFixed(0),
  }
}
console.table(table)

const pQueue = found.get('p-queue')!
const own = [...found].filter(([name]) => name.startsWith('ours'))
tellRatios(
  Object.fromEntries(
    own.flatMap(([name, { few, many, bytes }]) => [
      [`${name}, 10,000 wait, over p-queue`, few / pQueue.few],
      [`${name}, many wait, over p-queue`, many / pQueue.many],
      [`${name}, memory, over p-queue`, bytes / pQueue.bytes],
    ]),
  ),
)
