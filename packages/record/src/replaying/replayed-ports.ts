import type { EnginePorts } from '@harvestman/core/plugin'
import {
  EngineError,
  type Address,
  type Clock,
  type Fetcher,
  type Guard,
  type Traffic,
  type LLM,
  type Proxies,
  type ProxyResult,
  type Search,
  type SearchSource,
  type SearchWish,
  type WireRequest,
  type WireResponse,
  systemClock,
} from '@harvestman/ports'

import { exchangeKey, questionKey, searchKey } from '../keys.ts'
import { failureOf, type Begun, type NotedFailure, type Note } from '../notes.ts'
import type { Redaction } from '@harvestman/toolbox/redaction'
import type { OpenRecorder } from '../recording/recorded-ports.ts'
import { recordedTraffic } from '../recording/recorded-traffic.ts'
import { withTraffic, withTrafficOfSessions } from '../traffic.ts'
import { withoutRepeats, type KilledRun } from '../reading/killed-runs.ts'
import { notRecorded } from './not-recorded.ts'
import { replayedTraffic } from './replayed-traffic.ts'
import type { Recorded, RecordedAnswer } from '../reading/recorded.ts'

/**
 * Creates the ports of a replay. Requests that are not in the record go to `beyond`, or reject with `not_cached` if it is
 * `undefined`. Recorded failures reject again.
 */
export function replayedPorts(
  recorded: Recorded,
  redaction: Redaction,
  original: EnginePorts,
  beyond: EnginePorts | undefined,
  open: OpenRecorder,
): EnginePorts {
  const { notes } = recorded
  const { browser, sessions, clock } = original
  const begun = notes.find((note) => note.is === 'begun')
  const traffic = trafficOf(recorded, redaction, beyond && open, clock)
  // Without `beyond`, the browser must not connect to anything.
  const outside = (guard: Guard): Guard => (beyond ? guard : shut(guard))
  return {
    ...original,
    // It was not used while the record was made.
    identityFetcher: undefined,
    fetcher: (guard) => replayedFetcher(recorded, redaction, beyond?.fetcher(guard)),
    browser: browser && ((guard) => withTraffic(browser(outside(guard)), traffic)),
    sessions: sessions && ((guard) => withTrafficOfSessions(sessions(outside(guard)), traffic)),
    llm: begun?.model ? replayedModel(begun.model, recorded, redaction, beyond?.llm) : beyond?.llm,
    search: begun?.search ? replayedSearch(begun.search, recorded, redaction, beyond?.search) : beyond?.search,
    proxies: replayedProxies(notes) ?? beyond?.proxies,
    resolver: replayedResolver(notes, beyond?.resolver),
    clock: replayedClock(notes),
    newId: replayedIds(notes, original.newId),
  }
}

function replayedFetcher(recorded: Recorded, redaction: Redaction, beyond: Fetcher | undefined): Fetcher {
  return {
    exchange: async (request, signal) => {
      signal.throwIfAborted()
      const keyed = { method: request.method, url: request.url.href, body: request.body }
      const key = exchangeKey(keyed, redaction)
      const found = await recorded.take(key, 'fetcher')
      signal.throwIfAborted()
      if (found === undefined && beyond) return beyond.exchange(request, signal)
      if (found === undefined) throw notRecorded(key)
      if ('code' in found) throw failureOf(found)
      return handOver(found, request)
    },
    close: async () => beyond?.close(),
  }
}

/** Returns the traffic handler for pages in a browser: responds from the record or passes on to `beyond`. */
function trafficOf(
  recorded: Recorded,
  redaction: Redaction,
  beyond: OpenRecorder | undefined,
  clock: Clock,
): () => Promise<Traffic> {
  const begun = recorded.notes.find((note) => note.is === 'begun')
  const shift = Math.round((begun?.at ?? clock.now()) - clock.now())
  return async () => {
    const more = beyond && recordedTraffic(await beyond(), () => clock.now())
    return replayedTraffic(recorded, redaction, more, shift)
  }
}

/** Returns a guard that blocks all connections. Which URLs may be visited is unchanged. */
function shut(guard: Guard): Guard {
  return {
    checkUrl: (url) => guard.checkUrl(url),
    resolve: async (host) => {
      throw notRecorded(`a connection of the browser to ${host}`)
    },
  }
}

const pieceBytes = 65_536
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Returns a response like a fetcher: with its body, or in chunks if the request has `take`. */
async function handOver({ status, headers, body }: RecordedAnswer, request: WireRequest): Promise<WireResponse> {
  if (body.length > request.maxBytes)
    throw new EngineError(
      'response_too_large',
      `The recorded answer is larger than ${request.maxBytes} bytes, the limit of this engine.`,
    )
  const isRedirect = redirects.has(status) && headers.some(([name]) => name === 'location')
  const take = isRedirect ? undefined : request.take?.({ status, headers })
  if (!take) return { status, headers, body }
  for (let at = 0; at < body.length; at += pieceBytes) await take(body.subarray(at, at + pieceBytes))
  return { status, headers, body: new Uint8Array() }
}

function replayedModel(
  { name, contextTokens }: NonNullable<Begun['model']>,
  { notes, killed }: Recorded,
  redaction: Redaction,
  beyond: LLM | undefined,
): LLM {
  const answers = inTurns(
    notes.flatMap((note) => (note.is === 'model' ? [[questionKey(note.question, redaction), note] as const] : [])),
    killed,
  )
  return {
    ...(name !== undefined && { name }),
    ...(contextTokens !== undefined && { contextTokens }),
    ask: async (question, signal) => {
      signal.throwIfAborted()
      const found = answers(questionKey(question, redaction))
      if (!found && beyond) return beyond.ask(question, signal)
      return resultOf(found?.answer, found?.failure, `the question "${question.prompt.slice(0, 80)}" of a model`)
    },
  }
}

function replayedSearch(
  { name, sources, follows, onlyIn }: NonNullable<Begun['search']>,
  { notes, killed }: Recorded,
  redaction: Redaction,
  beyond: Search | undefined,
): Search {
  const answers = inTurns(
    notes.flatMap((note) =>
      note.is === 'search' ? [[searchKey({ team: '', ...note.query }, redaction), note] as const] : [],
    ),
    killed,
  )
  return {
    name,
    // Cast: these are the values that the recorded search backend had.
    sources: sources as readonly SearchSource[],
    follows: follows as readonly SearchWish[],
    onlyIn,
    find: async (query, signal) => {
      signal.throwIfAborted()
      const found = answers(searchKey(query, redaction))
      if (!found && beyond) return beyond.find(query, signal)
      return resultOf(found?.hits, found?.failure, `the search for "${query.words.slice(0, 80)}"`)
    },
  }
}

function resultOf<T>(answer: T | undefined, failure: NotedFailure | undefined, what: string): T {
  if (failure) throw failureOf(failure)
  if (answer === undefined) throw notRecorded(what)
  return answer
}

/** Returns a lookup that answers equal questions in recorded order, then with the last answer again. */
function inTurns<T extends { readonly order: number }>(
  list: readonly (readonly [key: string, note: T])[],
  killed: readonly KilledRun[],
): (key: string) => T | undefined {
  const lists = Map.groupBy(
    list.toSorted(([, a], [, b]) => a.order - b.order),
    ([key]) => key,
  )
  const turns = new Map<string, number>()
  return (key) => {
    const notes = withoutRepeats(lists.get(key)?.map(([, note]) => note) ?? [], killed)
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return notes[Math.min(turn, notes.length - 1)]
  }
}

/**
 * Returns a placeholder proxy, which is never connected to, wherever the recorded run had a proxy. It is another one after each
 * that is down, as in the recorded run.
 */
function replayedProxies(notes: readonly Note[]): Proxies | undefined {
  const picks = notes.flatMap((note) => (note.is === 'proxy' ? [note] : []))
  if (picks.length === 0) return undefined
  const found = new Set(picks.filter((pick) => pick.found).map(({ tier, country }) => `${tier} ${country}`))
  let down = 0
  const report = ({ outcome }: ProxyResult): void => {
    if (outcome === 'down') down += 1
  }
  return {
    pick: async ({ tier, country }) =>
      found.has(`${tier} ${country}`) ? { url: `http://proxy-${down}.invalid:8080`, report } : undefined,
  }
}

function replayedResolver(
  notes: readonly Note[],
  beyond: EnginePorts['resolver'] | undefined,
): EnginePorts['resolver'] {
  const known = new Map(notes.flatMap((note) => (note.is === 'names' ? [[note.host, note] as const] : [])))
  return async (host, signal): Promise<readonly Address[]> => {
    const found = known.get(host)
    if (!found && beyond) return beyond(host, signal)
    return resultOf(found?.addresses, found?.failure, `the address of ${host}`)
  }
}

/** Returns the recorded readings one by one. After the last, the clock continues from it in real time. */
function replayedClock(notes: readonly Note[]): Clock {
  const readings = readingsOf(notes)
  let last = 0
  let since: number | undefined
  return {
    now: () => {
      const { value, done } = readings.next()
      if (done) since ??= systemClock.now() - last
      else last = value
      return since === undefined ? last : systemClock.now() - since
    },
    elapsed: () => performance.now(),
    sleep: systemClock.sleep,
  }
}

function* readingsOf(notes: readonly Note[]): Generator<number, undefined> {
  for (const note of notes) {
    if (note.is !== 'time') continue
    let now = note.from
    yield now
    for (const step of note.steps) yield (now += step)
  }
}

function replayedIds(notes: readonly Note[], beyond: () => string): () => string {
  const ids = notes.flatMap((note) => (note.is === 'ids' ? note.ids : [])).values()
  return () => ids.next().value ?? beyond()
}
