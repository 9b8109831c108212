import type { HostAnswer } from '@harvestman/schedule'
import type { HostTurn } from '@harvestman/schedule'
import type { Pricing } from '../../credits/pricing.ts'
import { tryPage, type PageTools, type TriedPage } from './attempt.ts'
import type { Budget, PageHold, OutOfCredits } from './budget.ts'
import type { Strategy, JobTask, Attempt, PageToScrape } from './strategy.ts'
import type { Entry, Opening } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { pageId } from '../log/page-ids.ts'
import { loadRemotely } from './load-remotely.ts'
import { loadPage, loadUnlessWaiting, taskKey, workOf, type Load } from './load-page.ts'

/** Loads the pages of a job, one for each turn that the scheduler grants. */
export interface PageLoader {
  /** Number of running visits. */
  readonly running: number
  /**
   * Runs a visit and reports its entries with the store's generation when the page load began. Resolves when they are stored.
   */
  visit(turn: HostTurn, report: Report): Promise<void>
}

type Report = (entries: readonly Entry[], since?: number) => Promise<void>

export interface PageLoaderOptions {
  readonly opening: Opening
  readonly strategy: Strategy
  readonly pricing: Pricing | undefined
  readonly budget: Budget
  /** Called when no page can be paid for any more. */
  readonly spent: (why: OutOfCredits) => Promise<void>
  readonly kit: JobKit
  readonly signal: AbortSignal
}

/** Maximum number of attempts per page. */
const maxTries = 3

/**
 * Creates the page loader of a run. It takes the next page of a host and either reports its entries or puts it back for another
 * of up to 3 attempts. Errors of a page do not reject.
 */
export function makePageLoader(options: PageLoaderOptions): PageLoader {
  const { opening, strategy, pricing, budget, spent, kit, signal } = options
  const { scheduler } = kit
  const tries = makeTries(opening)
  // One signal per visit. On a single long-lived signal, removed listeners would stay in a list and keep later ones, and their
  // pages, in memory until the next full garbage collection.
  const running = new Set<AbortController>()
  signal.addEventListener('abort', () => [...running].forEach((visit) => visit.abort(signal.reason)), { once: true })

  const tools = { strategy, now: () => kit.clock.now(), generation: () => kit.store.generation?.() }
  /** Price limit, computed once: all pages of a job have the same options. */
  let maxPrice: number | undefined
  const maxPriceOf = ({ request }: PageToScrape): number => (maxPrice ??= kit.priceAtMost(request, { pricing }))
  const stayingHere = (turn: HostTurn, task: JobTask): HostTurn => {
    if (!turn.isElsewhere || !tries.isOurs(task)) return turn
    scheduler.bringHome(turn)
    return { ...turn, isElsewhere: false }
  }
  const { offer, withhold } = makeOffers(options)

  return {
    get running() {
      return running.size
    },
    visit: async (turn, report) => {
      const task = signal.aborted ? undefined : strategy.take(turn.host)
      if (!task) return scheduler.done(turn, {})
      const stop = new AbortController()
      const visit = tries.begin(task, stop.signal)
      let answer: HostAnswer = {}
      let hold: PageHold | undefined
      const pay: PageTools['pay'] = async (page) => {
        const opened = await budget.open('work' in page ? page.credits : maxPriceOf(page))
        if (opened !== 'wait' && !('spent' in opened)) hold = opened
        return opened
      }
      running.add(stop)
      try {
        const came = turn.isDown
          ? failedByHost(task, visit, tools.now())
          : await within(options, task, visit, { ...tools, pay, scrape: loaderOf(options, stayingHere(turn, task)) })
        answer = came.answer
        if (signal.aborted) return
        if ('entries' in came) {
          tries.end(task)
          // The visit counts as running until its entries are stored, so a slow store slows the visits and nothing piles up.
          return await reportInOrder(came, report, signal)
        }
        strategy.putBack(task)
        if (!('again' in came)) tries.undo(task)
        if ('back' in came && came.back === 'unable') tries.keep(task)
        if ('back' in came && came.back === 'wait') return withhold(task.host, came.over)
        if (!('unpaid' in came)) return scheduler.offer(opening.id, task.host)
        // The host is offered again when running pages release credits.
        if (came.unpaid === 'wait') budget.whenFreed(() => offer(task.host))
        else await spent(came.unpaid)
      } finally {
        running.delete(stop)
        hold?.close()
        scheduler.done(turn, answer)
        kit.dispatch()
      }
    },
  }
}

/** Reports the entries of a page after the ones to store first. Reports no more once the run ends. */
async function reportInOrder(
  { entries, earlier = [], since }: Extract<TriedPage, { readonly entries: unknown }>,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  for (const group of earlier) {
    await report(group, since)
    if (signal.aborted) return
  }
  await report(entries, since)
}

/** Runs an attempt inside the wrappers that plugins add. */
function within({ opening, kit }: PageLoaderOptions, ...visit: Parameters<typeof tryPage>): Promise<TriedPage> {
  return kit.scrape.around.run(workOf(opening), () => tryPage(...visit))
}

/** Offers visits to the scheduler, except visits to hosts whose pages wait. */
function makeOffers({ opening, kit }: PageLoaderOptions) {
  const withheld = new Map<string, number>()
  const offer = (host: string, count = 1): void => {
    kit.scheduler.offer(opening.id, host, count)
    kit.dispatch()
  }
  return {
    offer,
    withhold: (host: string, over: Promise<void>): void => {
      const known = withheld.get(host)
      withheld.set(host, (known ?? 0) + 1)
      if (known !== undefined) return
      const release = (): void => {
        const count = withheld.get(host)
        withheld.delete(host)
        offer(host, count)
      }
      over.then(release, release)
    },
  }
}

/** Counts the attempts at each task and marks tasks that no other engine can load. */
function makeTries(opening: Opening) {
  const made = new Map<number, number>()
  const ours = new Set<number>()
  return {
    begin: ({ number }: JobTask, signal: AbortSignal): Attempt => {
      const count = (made.get(number) ?? 0) + 1
      made.set(number, count)
      return { id: pageId(opening, number), key: taskKey(opening, number), signal, isLast: count >= maxTries }
    },
    /** Does not count the last attempt: the next one gets the same number. */
    undo: ({ number }: JobTask): void => void made.set(number, (made.get(number) ?? 1) - 1),
    keep: ({ number }: JobTask): void => void ours.add(number),
    isOurs: ({ number }: JobTask): boolean => ours.has(number),
    end: ({ number }: JobTask): void => {
      made.delete(number)
      ours.delete(number)
    },
  }
}

/** Returns the load function for a turn, which lets pages with the option `person` wait. */
function loaderOf(options: PageLoaderOptions, turn: HostTurn): Load {
  return loadUnlessWaiting(loadIn(options, turn), options)
}

/** Returns the load function for a turn: in this engine or in another one. */
function loadIn({ opening, pricing, kit }: PageLoaderOptions, turn: HostTurn): Load {
  if (turn.isElsewhere) return (tools) => loadRemotely(kit, opening, turn, tools)
  return ({ task: { number: task }, page, visit: { signal }, hold }) =>
    loadPage({ opening, pricing, kit }, { ...page, task, heldFor: turn.heldFor, hold, signal })
}

/** Fails a page of a dead host without a request. Otherwise each one would fail after a delay of its own. */
function failedByHost({ number, url }: JobTask, { id }: Attempt, at: number): TriedPage {
  const message = 'The host failed many times in a row, so this page was not requested.'
  return {
    entries: [{ fact: { is: 'failed', at, task: number, id, url, code: 'connection_failed', message } }],
    answer: {},
  }
}
