import { deepFreeze } from '@harvestman/ports/values'
import { fifo, type Fifo } from '@harvestman/toolbox/fifo'
import { nextTurn } from '@harvestman/toolbox/next-turn'
import { numberBytes, numbersIn } from '@harvestman/toolbox/number-bytes'
import { parcelPieces, unpackParcel } from '@harvestman/toolbox/parcel'
import { describeUrls } from '../lib/target.ts'
import type { Strategy, JobTask, RunContext } from '../jobs/run/strategy.ts'
import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { StateInParts } from '../jobs/log/snapshot.ts'
import type { Json } from '@harvestman/ports'
import type { BatchRequest } from '../schema/batch.ts'
import type { PageRequest } from '../schema/crawl.ts'

// URLs that are offered in one turn of the event loop, in about a millisecond.
const offeredAtOnce = 1_000

interface Fresh {
  readonly urls: string[]
  readonly done: number[]
}

/** Creates the strategy of a job that visits a known list of URLs, each once. The command `more` appends URLs. */
export function addressStrategy(opening: Opening, context: RunContext): Strategy {
  const request = opening.request as BatchRequest
  const options = deepFreeze(optionsOfPage(request))
  const tasks: JobTask[] = []
  const done = new Set<number>()
  const waiting = new Map<string, Fifo<JobTask>>()
  /** Changes for the next snapshot. */
  const fresh: Fresh = { urls: [], done: [] }
  let isExploring = false

  const wait = (task: JobTask): void => {
    const queue = waiting.get(task.host) ?? fifo<JobTask>()
    waiting.set(task.host, queue)
    queue.push(task)
  }
  const offer = (from: number, to = tasks.length): void => {
    for (const task of tasks.slice(from, to)) {
      if (done.has(task.number)) continue
      wait(task)
      context.offer(task.host)
    }
  }
  const add = (urls: readonly string[]): void => {
    const from = tasks.length
    for (const url of urls) tasks.push({ number: tasks.length, url, host: new URL(url).host })
    if (isExploring) offer(from)
  }

  const strategy: Strategy = {
    concurrency: request.maxConcurrency,
    fold: (fact) => {
      const urls = urlsOfNote(fact)
      if (urls) add(urls)
      fresh.urls.push(...(urls ?? []))
      if (fact.is === 'page' || fact.is === 'failed' || fact.is === 'dropped') {
        done.add(fact.task)
        fresh.done.push(fact.task)
      }
    },
    inParts: visitParts(fresh, add, done),
    explore: async () => {
      isExploring = true
      const end = tasks.length
      for (let from = 0; from < end && !context.signal.aborted; from += offeredAtOnce) {
        offer(from, Math.min(from + offeredAtOnce, end))
        await nextTurn()
      }
    },
    take: (host) => {
      const task = waiting.get(host)?.shift()
      if (waiting.get(host)?.size === 0) waiting.delete(host)
      return task
    },
    putBack: wait,
    prepare: ({ url }) => ({ request: { ...options, url } }),
    receive: (_, { document }) => ({ document }),
    left: () => tasks.length - done.size,
    // One part of `partsOf`.
    more: (urls) => notesOf(urls as string[]),
  }
  return strategy
}

/** Returns the options with which every page is loaded: the options of the request, without the ones of the batch itself. */
export function optionsOfPage(request: BatchRequest): PageRequest {
  const { urls: _, webhook: __, ignoreInvalidURLs: ___, maxConcurrency: ____, maxCredits: _____, ...options } = request
  return options
}

/**
 * Snapshot support: the parts contain the URLs and the numbers of the finished ones since the previous snapshot. The parts of
 * many URLs are serialized one by one, when they are written.
 */
function visitParts(fresh: Fresh, add: (urls: readonly string[]) => void, done: Set<number>): StateInParts {
  return {
    take: () => {
      const [urls, numbers] = [fresh.urls.splice(0), numberBytes(fresh.done.splice(0))]
      const groups = urls.length > 0 ? groupsOf(urls, inPart) : [[]]
      const parts = groups.map((group, index) => {
        return { name: 'visits', bytes: () => parcelPieces({ urls: group }, index === 0 ? [numbers] : []) }
      })
      return { small: null, parts }
    },
    restore: async (_, parts) => {
      for await (const part of parts.all('visits')) {
        const { head, body } = unpackParcel<{ readonly urls: readonly string[] }>(part)
        add(head.urls)
        for (const number of numbersIn(body)) done.add(number)
        await nextTurn()
      }
    },
  }
}

// Limits of a part of a snapshot, which is serialized in a few milliseconds.
const inPart: GroupLimits = { urls: 10_000, characters: 1_000_000 }

// Limits of a note, which is read and held in memory as a whole.
const inNote: GroupLimits = { urls: 1_000, characters: 100_000 }

/**
 * Returns the start of a job that visits these URLs, at a minimum price of `each` credits per URL and at most `maxCredits` in
 * all.
 */
export function makeVisitStart(urls: readonly string[], each: number, maxCredits = Infinity) {
  const credits = Math.min(urls.length * each, maxCredits)
  return { about: describeUrls(urls) ?? '', notes: notesOf(urls), left: urls.length, credits }
}

// Limits of the URLs in a command, which are stored and processed in a few milliseconds.
const inCommand: GroupLimits = { urls: 4_000, characters: 400_000 }

/** Splits the URLs that are added to a job into one part for each command. */
export function partsOf(urls: readonly string[]): readonly string[][] {
  return groupsOf(urls, inCommand)
}

function notesOf(urls: readonly string[]): Json[] {
  return groupsOf(urls, inNote).map((group) => ({ urls: group }))
}

interface GroupLimits {
  readonly urls: number
  /** A longer URL is a group of its own. */
  readonly characters: number
}

function groupsOf(urls: readonly string[], limits: GroupLimits): string[][] {
  const groups: string[][] = []
  let group: string[] = []
  let characters = 0
  for (const url of urls) {
    characters += url.length
    if (group.length === 0 || group.length === limits.urls || characters > limits.characters) {
      group = []
      groups.push(group)
      characters = url.length
    }
    group.push(url)
  }
  return groups
}

/** Returns the URLs that a fact adds to a job; `undefined` if it is not a note with URLs. */
export function urlsOfNote(fact: Fact): readonly string[] | undefined {
  if (fact.is !== 'noted') return undefined
  return (fact.note as { readonly urls?: Json }).urls as readonly string[] | undefined
}
