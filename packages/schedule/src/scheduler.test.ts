import fc from 'fast-check'
import { expect, test } from 'vitest'

import { makeScheduler, type Scheduler, type SchedulerOptions } from './scheduler.ts'
import type { JobTerms, HostTurn } from './terms.ts'

const calm = { atOnce: 2, pause: 100, maxRest: 60_000 }
const free = { atOnce: 100, pause: 0, maxRest: 60_000 }

interface Start extends HostTurn {
  readonly at: number
}

/** Drives a scheduler on a clock of its own, and writes down every start; a visit takes as long as it is told. */
function simulate(
  options: Partial<SchedulerOptions>,
  terms: readonly Partial<JobTerms>[],
  offers: (scheduler: Scheduler) => void,
  takes: (turn: HostTurn) => number = () => 50,
) {
  let now = 0
  const scheduler = makeScheduler({ now: () => now, slots: 16, ...options })
  for (const [index, term] of terms.entries()) scheduler.join({ id: `job ${index}`, team: 'team', ...term })
  offers(scheduler)
  const starts: Start[] = []
  const running: { readonly end: number; readonly turn: HostTurn }[] = []
  let most = 0
  for (;;) {
    let waitUntil: number | undefined
    while (waitUntil === undefined) {
      const next = scheduler.next()
      waitUntil = next.waitUntil
      if (!next.turn) continue
      starts.push({ ...next.turn, at: now })
      running.push({ end: now + takes(next.turn), turn: next.turn })
      most = Math.max(most, running.length)
    }
    running.sort((one, other) => other.end - one.end)
    const ends = running.at(-1)?.end ?? Number.POSITIVE_INFINITY
    now = Math.min(waitUntil, ends)
    if (now === Number.POSITIVE_INFINITY) break
    while (running.at(-1)?.end === now) scheduler.done(running.pop()!.turn, { status: 200 })
  }
  return { starts, most, end: Math.max(...starts.map(({ at }) => at)) }
}

test('every visit that was offered starts exactly once, whatever the limits', () => {
  const terms = fc.record({
    team: fc.constantFrom('a', 'b'),
    concurrency: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    delay: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
  })
  const offer = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 6 }))
  const jobs = fc.array(terms, { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(jobs, fc.array(offer, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (jobs, offers, slots) => {
      const { starts, most } = simulate(
        { slots, manners: calm, teamConcurrency: () => 3 },
        jobs,
        (scheduler) => {
          for (const [job, host, count] of offers) scheduler.offer(`job ${job}`, `host ${host}`, count)
        },
        ({ host }) => 20 + host.length * 7,
      )
      expect(starts.length).toBe(offers.reduce((sum, [, , count]) => sum + count, 0))
      expect(most).toBeLessThanOrEqual(slots + Math.floor(slots / 4))
    }),
    { numRuns: 200 },
  )
})

test('a host is visited with the same manners however many jobs want it', () => {
  const { starts } = simulate({ manners: calm }, [{}, {}, {}], (scheduler) => {
    for (const job of ['job 0', 'job 1', 'job 2']) scheduler.offer(job, 'host', 10)
  })
  const gaps = starts.slice(1).map(({ at }, index) => at - starts[index]!.at)
  expect([starts.length, Math.min(...gaps)]).toEqual([30, 100])
  expect(starts.slice(0, 6).map(({ job }) => job)).toEqual(['job 0', 'job 1', 'job 2', 'job 0', 'job 1', 'job 2'])
})

test('a slow host keeps no slot from the others, though its visits were offered first', () => {
  const { starts, most } = simulate(
    { manners: calm, slots: 4 },
    [{}],
    (scheduler) => {
      scheduler.offer('job 0', 'slow', 40)
      for (let host = 0; host < 5; host += 1) scheduler.offer('job 0', `host ${host}`, 10)
    },
    ({ host }) => (host === 'slow' ? 60_000 : 20),
  )
  const ordinary = starts.filter(({ host }) => host !== 'slow').map(({ at }) => at)
  expect(Math.max(...ordinary)).toBeLessThanOrEqual(1100)
  expect(most).toBeLessThanOrEqual(4)
})

test('three hosts and a delay of 200 ms: no host sees two visits closer, and the hosts run side by side', () => {
  const { starts, end } = simulate({ manners: free, slots: 12 }, [{ delay: 200 }], (scheduler) => {
    for (const host of ['a', 'b', 'c']) scheduler.offer('job 0', host, 20)
  })
  for (const host of ['a', 'b', 'c']) {
    const times = starts.filter((start) => start.host === host).map(({ at }) => at)
    expect(times.length).toBe(20)
    // A visit takes 50 ms, and the delay begins when it has ended.
    expect(new Set(times.slice(1).map((at, index) => at - times[index]!))).toEqual(new Set([250]))
  }
  expect(end).toBe(19 * 250)
})

test('a crawl delay holds for all jobs', () => {
  const { starts } = simulate({ manners: calm }, [{}, {}], (scheduler) => {
    scheduler.obeyCrawlDelay('host', 1000)
    scheduler.offer('job 0', 'host', 3)
    scheduler.offer('job 1', 'host', 3)
  })
  expect(starts.map(({ at }) => at)).toEqual([0, 1000, 2000, 3000, 4000, 5000])
})

test('jobs take turns though one came first with a thousand times as much', () => {
  const { starts } = simulate({ manners: free, slots: 2 }, [{}, {}, {}], (scheduler) => {
    scheduler.offer('job 0', 'a', 5000)
    scheduler.offer('job 1', 'b', 5)
    scheduler.offer('job 2', 'c', 5)
  })
  const places = starts.flatMap(({ job }, place) => (job === 'job 0' ? [] : [place]))
  expect(Math.max(...places)).toBeLessThan(16)
})

test('teams take turns, though one has a hundred jobs and the other one', () => {
  const crowd = Array.from({ length: 100 }, () => ({ team: 'crowd' }))
  const { starts } = simulate({ slots: 4, manners: free }, [...crowd, { team: 'alone' }], (scheduler) => {
    for (let job = 0; job < 100; job += 1) scheduler.offer(`job ${job}`, `host ${job}`, 20)
    scheduler.offer('job 100', 'host 100', 50)
  })
  const last = starts.findLastIndex(({ job }) => job === 'job 100')
  // Every second start is its own as long as it has something to do.
  expect(last).toBeLessThan(104)
})

test('the jobs of a team start in turns while they have something to do, however much each offers', () => {
  const { starts } = simulate({ manners: free, slots: 4 }, [{}, {}], (scheduler) => {
    scheduler.offer('job 0', 'a', 300)
    scheduler.offer('job 1', 'b', 200)
  })
  const early = starts.slice(0, 400).filter(({ job }) => job === 'job 0').length
  expect(early).toBe(200)
})

test('a job that had nothing to do for long does not make up for it', () => {
  let now = 0
  const scheduler = makeScheduler({ now: () => now, slots: 1, manners: free })
  for (const id of ['busy', 'idle']) scheduler.join({ id, team: 'team' })
  scheduler.offer('busy', 'a', 200)
  const run = () => {
    const { turn } = scheduler.next()
    if (turn) scheduler.done(turn, {})
    now += 1
    return turn?.job
  }
  for (let number = 0; number < 100; number += 1) run()
  scheduler.offer('idle', 'b', 50)
  const jobs = Array.from({ length: 20 }, run)
  expect(jobs.filter((job) => job === 'idle').length).toBe(10)
})

test('fifty jobs of two hundred visits on sixteen slots: none takes three times as long as the median', () => {
  const jobs = Array.from({ length: 50 }, (_, index) => ({ team: `team ${index % 5}` }))
  const { starts } = simulate({ manners: { ...calm, atOnce: 4, pause: 5 } }, jobs, (scheduler) => {
    for (let job = 0; job < 50; job += 1) scheduler.offer(`job ${job}`, `host ${job % 20}`, 200)
  })
  const ends = jobs.map((_, job) =>
    Math.max(...starts.filter((start) => start.job === `job ${job}`).map(({ at }) => at)),
  )
  const first = jobs.map((_, job) => starts.find((start) => start.job === `job ${job}`)!.at)
  ends.sort((one, other) => one - other)
  expect(starts.length).toBe(10_000)
  expect(ends.at(-1)! / ends[25]!).toBeLessThan(1.5)
  expect(Math.max(...first)).toBeLessThan(500)
})

test('neither a job nor a team has more visits at once than it may, and others go on meanwhile', () => {
  let now = 0
  const scheduler = makeScheduler({ now: () => now, slots: 50, manners: free, teamConcurrency: (team) => team.length })
  scheduler.join({ id: 'one', team: 'four', concurrency: 3 })
  scheduler.join({ id: 'two', team: 'four' })
  scheduler.join({ id: 'three', team: 'seventh' })
  for (const id of ['one', 'two', 'three']) scheduler.offer(id, 'host', 20)
  const turns: HostTurn[] = []
  const drain = () => {
    for (let next = scheduler.next(); next.turn; next = scheduler.next()) turns.push(next.turn)
    return ['one', 'two', 'three'].map((id) => turns.filter(({ job }) => job === id).length)
  }
  expect(drain()).toEqual([2, 2, 7])
  const end = (job: string) =>
    scheduler.done(
      turns.splice(
        turns.findIndex((turn) => turn.job === job),
        1,
      )[0]!,
      {},
    )
  end('two')
  end('two')
  const [one, two] = drain()
  expect([one, two]).toEqual([3, 1])
  end('one')
  now += 1
  const [ones = 0, twos = 0] = drain()
  expect([ones + twos, ones <= 3]).toEqual([4, true])
})

test('what a job offered is forgotten when it leaves, and its running visits still end', () => {
  const scheduler = makeScheduler({ now: () => 0, slots: 2, manners: free, teamConcurrency: () => 1 })
  scheduler.join({ id: 'gone', team: 'team' })
  scheduler.join({ id: 'stays', team: 'team' })
  scheduler.offer('gone', 'host', 10)
  const { turn } = scheduler.next()
  scheduler.offer('stays', 'host', 1)
  expect(scheduler.next().waitUntil).toBe(Number.POSITIVE_INFINITY)
  scheduler.leave('gone')
  scheduler.offer('gone', 'host', 5)
  expect([turn?.job, scheduler.next().turn]).toEqual(['gone', undefined])
  scheduler.done(turn!, {})
  scheduler.done(turn!, {})
  scheduler.offer('stays', 'host', 1)
  // One at a time for the team, however often the end of that visit is told.
  const { turn: next } = scheduler.next()
  expect([next?.job, scheduler.next().turn]).toEqual(['stays', undefined])
  scheduler.done(next!, {})
  expect([scheduler.next().turn?.job, scheduler.next().turn]).toEqual(['stays', undefined])
})

test('a host that answers 429 rests as it asked; the others go on', () => {
  let now = 0
  const scheduler = makeScheduler({ now: () => now, slots: 4, manners: free })
  scheduler.join({ id: 'job', team: 'team' })
  scheduler.offer('job', 'full', 3)
  scheduler.done(scheduler.next().turn!, { status: 429, retryAfter: 30_000 })
  scheduler.offer('job', 'other', 1)
  expect(scheduler.next().turn?.host).toBe('other')
  expect(scheduler.next().waitUntil).toBe(30_000)
  now = 30_000
  expect(scheduler.next().turn).toMatchObject({ host: 'full' })
})

/** Starts all that may start, and says whose visits they are. */
function begin(scheduler: Scheduler): string[] {
  const begun: string[] = []
  for (let { turn } = scheduler.next(); turn; { turn } = scheduler.next()) begun.push(turn.job)
  return begun
}

test('a team that has few visits under way starts more although another has taken all slots', () => {
  const scheduler = makeScheduler({ now: () => 0, slots: 8, manners: free })
  for (const id of ['loud', 'other']) scheduler.join({ id, team: id })
  scheduler.offer('loud', 'host', 100)
  expect(begin(scheduler)).toHaveLength(8)
  scheduler.offer('other', 'another host', 100)
  expect(begin(scheduler)).toEqual(['other'])
  expect(begin(scheduler)).toEqual([])
})

test('a job keeps to what its team had when it was opened, whatever the engine gives to teams', () => {
  const scheduler = makeScheduler({ now: () => 0, slots: 8, manners: free, teamConcurrency: () => 6 })
  scheduler.join({ id: 'narrow', team: 'team', teamConcurrency: 2 })
  scheduler.join({ id: 'wide', team: 'team', teamConcurrency: 20 })
  scheduler.offer('narrow', 'host', 100)
  expect(begin(scheduler)).toEqual(['narrow', 'narrow'])
  scheduler.offer('wide', 'another host', 100)
  expect(begin(scheduler)).toEqual(['wide', 'wide', 'wide', 'wide'])
})

test('a visit is made elsewhere only when there is no place here, its job lets others make it, and its host asks for no pause', () => {
  const terms = fc.record({ team: fc.constantFrom('a', 'b'), lends: fc.boolean() })
  const offer = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 }))
  const jobs = fc.array(terms, { minLength: 4, maxLength: 4 })
  fc.assert(
    fc.property(jobs, fc.array(offer, { maxLength: 30 }), fc.integer({ min: 0, max: 9 }), (jobs, offers, places) => {
      let now = 0
      const others = { places, requestSlots: () => undefined }
      const scheduler = makeScheduler({ now: () => now, slots: 4, manners: free, others })
      for (const [index, term] of jobs.entries()) scheduler.join({ id: `job ${index}`, ...term })
      scheduler.obeyCrawlDelay('host 0', 100)
      for (const [job, host, count] of offers) scheduler.offer(`job ${job}`, `host ${host}`, count)
      const running: HostTurn[] = []
      let started = 0
      for (;;) {
        const { turn, waitUntil } = scheduler.next()
        if (turn) {
          started += 1
          running.push(turn)
          const away = running.filter(({ isElsewhere }) => isElsewhere)
          expect(away.length).toBeLessThanOrEqual(places)
          // A quarter more for teams that have little.
          expect(running.length - away.length).toBeLessThanOrEqual(5)
          if (!turn.isElsewhere) continue
          expect(running.length - away.length).toBeGreaterThanOrEqual(4)
          expect(jobs[Number(turn.job.at(-1))]?.lends).toBe(true)
          expect(turn.host).not.toBe('host 0')
          continue
        }
        const done = running.shift()
        if (done) scheduler.done(done, { status: 200 })
        else if (waitUntil === Number.POSITIVE_INFINITY) break
        else now = waitUntil
      }
      expect(started).toBe(offers.reduce((sum, [, , count]) => sum + count, 0))
    }),
  )
})

test('others are asked for places once there is none here; what is done for them takes places like visits', () => {
  let wishes = 0
  const others = { places: 0, requestSlots: () => void (wishes += 1) }
  const scheduler = makeScheduler({ now: () => 0, slots: 2, manners: free, others })
  scheduler.join({ id: 'job', team: 'team', allowsHelpers: true })
  const release = scheduler.borrow()
  expect(scheduler.free).toBe(1)
  scheduler.offer('job', 'host', 4)
  expect(scheduler.next().turn).toMatchObject({ host: 'host' })
  expect([scheduler.next().turn, wishes]).toEqual([undefined, 1])
  others.places = 1
  const away = scheduler.next().turn!
  expect(away).toMatchObject({ isElsewhere: true })
  expect(scheduler.next().turn).toBeUndefined()
  scheduler.bringHome(away)
  expect(scheduler.taken).toBe(3)
  release()
  expect(scheduler.taken).toBe(2)
})
