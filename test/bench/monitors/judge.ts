// What the checks of a monitor tell of a site, beside the plan of the site.
import type { CheckedPage } from '@harvestman/monitors'
import type { LivingSite, PageState } from '@harvestman/testing'

/** What was found of the pages of one site. */
export interface Tally {
  /** Changes of the plan, from the first look at a page. */
  events: number
  /** Those that were told, those of them that were told together with a later one, and the days from each until it was told. */
  told: number
  together: number
  readonly delays: number[]
  /** A page that went and came back before it was looked at: there is nothing left to tell. */
  undone: number
  /** Changes that were told so late that the bound was broken, or not at all. */
  missed: number
  /** What was told, and what of it was no change. */
  news: number
  made: number
  /** Pages that were in a check twice, or not at all. */
  uneven: number
  failed: number
}

interface Known {
  readonly state: PageState
  readonly at: number
}

const day = 86_400_000

/** Follows what checks tell of one site. */
export function makeJudge(site: LivingSite, start: number, within: number) {
  const tally: Tally = {
    ...{ events: 0, told: 0, together: 0, delays: [], undone: 0, missed: 0 },
    ...{ news: 0, made: 0, uneven: 0, failed: 0 },
  }
  const known = new Map<string, Known>()
  const firstMet = new Map<string, number>()
  /** When what was not told yet happened. */
  const eventsIn = (path: string, from: number, to: number): readonly number[] => {
    const { events } = site.plans[site.paths.indexOf(path)] ?? { events: [] }
    const times = events.flatMap(({ at, is }) => (is === 'moved' ? [] : [start + at]))
    return times.filter((time) => time > from && time <= to)
  }
  const settle = (path: string, from: number, to: number, isTold: boolean): void => {
    const times = eventsIn(path, from, to)
    if (!isTold) return void (tally.undone += times.length)
    tally.told += times.length
    tally.together += Math.max(times.length - 1, 0)
    for (const time of times) tally.delays.push((to - time) / day)
    tally.missed += times.filter((time) => to - time > within + 2 * day).length
  }
  const look = (page: CheckedPage, path: string, checkedAt: number): void => {
    const [early, late] = [site.stateOf(path, checkedAt), site.stateOf(path, Date.parse(page.createdAt))]
    if (!early || !late) return
    if (page.status === 'error') return void (tally.failed += 1)
    const old = known.get(path)
    if (page.status === 'same') {
      // A page that has gone and come back is as it was.
      if (old && isAlike(old.state, early) && eventsIn(path, old.at, checkedAt).length > 0) {
        settle(path, old.at, checkedAt, false)
        known.set(path, { state: early, at: checkedAt })
      }
      return
    }
    const state = old && isAlike(late, old.state) ? early : late
    const at = Date.parse(page.createdAt)
    if (old) {
      tally.news += 1
      if (isAlike(state, old.state)) tally.made += 1
      else settle(path, old.at, at, true)
    }
    known.set(path, { state, at })
    if (!old) firstMet.set(path, at)
  }
  return {
    tally,
    /** Takes in the pages of a check. */
    take: (pages: readonly CheckedPage[], checkedAt: number): void => {
      const paths = pages.map(({ url }) => new URL(url).pathname)
      const met = new Set(paths)
      tally.uneven += paths.length - met.size
      for (const [path, { state }] of known) if (!state.isGone && !met.has(path)) tally.uneven += 1
      for (const [at, page] of pages.entries()) look(page, paths[at] ?? '', checkedAt)
    },
    /** What has not been told although all pages were looked at was missed. */
    end: (now: number): void => {
      for (const [path, { state, at }] of known) {
        const times = eventsIn(path, at, now)
        const late = site.stateOf(path, now)
        if (late && isAlike(state, late)) tally.undone += times.length
        else tally.missed += times.length
      }
      for (const [path, at] of firstMet) tally.events += eventsIn(path, at, now).length
    },
  }
}

function isAlike(one: PageState, other: PageState): boolean {
  if (one.isGone || other.isGone) return one.isGone === other.isGone
  return one.text === other.text && one.price === other.price
}
