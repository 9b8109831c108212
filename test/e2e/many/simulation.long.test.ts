// @module-tag long
import { expect, test } from 'vitest'

import { faultKinds } from '../../bench/many/simulation/faults.ts'
import { allOutages, goesOnWithin, outageJobs, outagePlan } from '../../bench/many/simulation/outage-plan.ts'
import type { RunPlan } from '../../bench/many/simulation/one-run.ts'
import { simulateRuns } from '../../bench/many/simulation/runs.ts'

const plan: RunPlan = {
  workers: 6,
  urls: 4_000,
  hosts: 60,
  faults: [],
  costs: 'redis',
  isChecked: true,
  isQuiet: true,
  // Often, because the whole run takes a minute.
  faultTimes: {
    killEvery: 7_000,
    startsIn: 2_000,
    cutEvery: 9_000,
    cutFor: 17_000,
    outageEvery: 11_000,
    outageFor: 3_000,
  },
}

test(
  'a simulated cluster has every page once, and the same seed has the same result',
  { timeout: 240_000 },
  async () => {
    const [one, other] = await simulateRuns([plan, plan], 2)
    if (!one || !other) throw new Error('There are no results.')
    const { mostMemory, ...figures } = one.figures
    expect(figures.logs).toMatchObject({ pages: one.reachable, twice: 0, failed: 0 })
    expect(figures.again).toBe(0)
    expect(mostMemory).toBeGreaterThan(0)
    expect(other.figures).toMatchObject(figures)
  },
)

test(
  'workers that are killed or cut off and a server that restarts lose no page, and none is twice in a log',
  { timeout: 240_000 },
  async () => {
    const [rough] = await simulateRuns([{ ...plan, faults: faultKinds.filter((kind) => kind !== 'slow hosts') }])
    if (!rough) throw new Error('There is no result.')
    const { kills, cuts, outages, logs } = rough.figures
    expect(Math.min(kills, cuts, outages)).toBeGreaterThan(1)
    expect(logs).toMatchObject({ pages: rough.reachable, twice: 0, failed: 0 })
  },
)

test(
  'one crawl over many workers has every page once, also where they are killed and cut off, and more workers are faster',
  { timeout: 240_000 },
  async () => {
    const one: RunPlan = { ...plan, urls: 3_000, hostsOfSite: plan.hosts, isUneven: false }
    const [alone, many, rough] = await simulateRuns([
      { ...one, workers: 1 },
      { ...one, workers: 8 },
      { ...one, workers: 8, urls: 18_000, faults: faultKinds.filter((kind) => kind !== 'slow hosts') },
    ])
    if (!alone || !many || !rough) throw new Error('There are no results.')
    for (const { sites, reachable, figures } of [alone, many, rough]) {
      expect(sites).toBe(1)
      expect(figures.logs).toMatchObject({ pages: reachable, twice: 0, failed: 0 })
    }
    expect(many.figures.again).toBe(0)
    expect(rough.figures.kills).toBeGreaterThan(1)
    // Simulated seconds, the same on every machine.
    expect(alone.figures.seconds / many.figures.seconds).toBeGreaterThan(4)
  },
)

test(
  'after each outage of the server every job goes on at once, and every page is kept and paid for once',
  { timeout: 240_000 },
  async () => {
    const outages = allOutages
    const runs = await simulateRuns(
      [
        outagePlan({ outages, costs: 'redis', seed: 1, maxConcurrency: 2 }),
        outagePlan({ outages, costs: 'postgres', seed: 6, maxConcurrency: 1 }),
      ],
      2,
    )
    for (const { reachable, figures } of runs) {
      const pages = reachable * 2
      expect(figures.outagesFound).toHaveLength(outages.length)
      expect(figures.outagesFound.filter(({ stood, jobs }) => stood > goesOnWithin || jobs < outageJobs)).toEqual([])
      expect(figures.logs).toEqual({ pages, twice: 0, failed: 0, ended: outageJobs })
      expect(figures.credits).toEqual({ used: pages, held: 0 })
      expect(figures.givenUp).toBe(0)
      expect(figures.lostCalls).toBeGreaterThan(outages.length)
    }
  },
)

test(
  'what a team with credits owes is written now and then, though each page is paid for, and updates in each other’s way lose nothing',
  { timeout: 240_000 },
  async () => {
    const [run] = await simulateRuns([{ ...plan, isBound: true, sitesOfTeam: 1_000 }])
    if (!run) throw new Error('There is no result.')
    const { logs, pages, uses } = run.figures
    expect(logs).toMatchObject({ pages: run.reachable, twice: 0, failed: 0 })
    const ledger = uses.find(({ kind }) => kind === 'ledger')
    expect(ledger?.again).toBeGreaterThan(0)
    expect((ledger?.calls ?? Infinity) / pages).toBeLessThan(0.5)
  },
)
