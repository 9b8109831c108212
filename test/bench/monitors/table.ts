// The table of the bench: a row a kind of site, and all together.
import type { LivingSite } from '@harvestman/testing'

import type { Tally } from './judge.ts'

interface Row extends Omit<Tally, 'delays'> {
  readonly name: string
  readonly visits: number
  readonly requests: number
  readonly notModified: number
  readonly bytes: number
  readonly full: number
  readonly delays: readonly number[]
}

interface Measured {
  readonly pages: number
  readonly days: number
  readonly tally: Tally
  readonly served: LivingSite['served']
  /** The bytes of full crawls. */
  readonly full: number
}

export function rowsOf(name: string, { pages, days, tally, served, full }: Measured): Row {
  return { name, visits: pages * days, ...served, ...tally, full }
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)} %`

/** Prints the rows, and gives what matters of all together. */
export function printRows(rows: readonly Row[]): Row {
  const all = rows.reduce((one, other) => plus(one, other))
  const cells = [...rows, { ...all, name: 'all' }].map((row) => {
    const { events, told, together, undone, missed, made, news, failed, delays } = row
    const mean = delays.reduce((total, delay) => total + delay, 0) / Math.max(delays.length, 1)
    const latest = delays.reduce((most, delay) => Math.max(most, delay), 0)
    return [
      ...[row.name, percent(row.bytes, row.full), percent(row.requests - row.notModified, row.visits)],
      ...[`${events}`, `${told} (${together})`, `${undone}`, `${missed}`, percent(made, news)],
      ...[`${mean.toFixed(1)}, ${latest.toFixed(0)}`, `${failed}`],
    ]
  })
  const head = [
    ...['site', 'bytes of full crawls', 'answers with a body, of pages and days', 'changes', 'told (with a later one)'],
    ...['undone before', 'missed', 'false', 'days until told: mean, most', 'failed looks'],
  ]
  const lines = [head, head.map(() => '---'), ...cells]
  for (const line of lines) console.log(`| ${line.join(' | ')} |`)
  return all
}

function plus(one: Row, other: Row): Row {
  const sum = (name: Exclude<keyof Row, 'name' | 'delays'>): number => one[name] + other[name]
  return {
    ...{ name: one.name, delays: [...one.delays, ...other.delays], visits: sum('visits') },
    ...{ requests: sum('requests'), notModified: sum('notModified'), bytes: sum('bytes'), full: sum('full') },
    ...{ events: sum('events'), told: sum('told'), together: sum('together'), undone: sum('undone') },
    ...{ missed: sum('missed'), news: sum('news'), made: sum('made'), uneven: sum('uneven'), failed: sum('failed') },
  }
}
