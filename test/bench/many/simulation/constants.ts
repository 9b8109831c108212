// What `measure.ts` has measured, as the simulation takes it.
import { readFileSync } from 'node:fs'

import type { MeasuredPage } from '../measuring/page-costs.ts'
import type { MeasuredStore } from '../measuring/store-costs.ts'
import type { ClusterPlan } from './cluster.ts'

export interface StoreConstants {
  readonly page: MeasuredPage
  readonly store: MeasuredStore
}

export interface MeasuredConstants {
  readonly date: string
  readonly machine: string
  /** How many processes wanted a processor when it was measured. */
  readonly load: number
  readonly redis: StoreConstants
  readonly postgres: StoreConstants
}

export type CostsOf = 'redis' | 'postgres'

type Costs = Pick<ClusterPlan, 'cpu' | 'lentCpu' | 'document' | 'store'>

export const measured = JSON.parse(
  readFileSync(new URL('constants.json', import.meta.url), 'utf8'),
) as MeasuredConstants

/**
 * What lending a page costs each of the two, in milliseconds: half of what `lend.ts` shows for four workers beyond one, divided
 * by the share of pages that are lent then.
 */
const lentCpu = 0.55

/** What machines of one room add to a round trip, in milliseconds: one machine cannot measure it. */
const network = 0.5

export function costsOf(name: CostsOf): Costs {
  const { page, store } = measured[name]
  const { roundTrip, write } = store
  // An update is two round trips: it reads, and writes.
  const times = { roundTrip: roundTrip + network, write: write + network }
  return { cpu: page.cpu, lentCpu, document: page.document, store: { ...store, ...times } }
}

/** On Redis. */
export const constants = costsOf('redis')
