import type { EnginePorts } from '@harvestman/core/plugin'
import type { Clock, Fetcher, LLM, Proxies, Search, Traffic, WireRequest, WireResponse } from '@harvestman/ports'

import { failureNote } from '../notes.ts'
import { withTraffic, withTrafficOfSessions } from '../traffic.ts'
import type { Readings } from './readings.ts'
import { recordedTraffic } from './recorded-traffic.ts'
import type { Recorder } from './recorder.ts'

/** Resolves to the recorder when its files are open. */
export type OpenRecorder = () => Promise<Recorder>

/**
 * Wraps the given ports so that everything that passes through them is recorded. Results and errors are passed on unchanged;
 * calls also reject if the record cannot be opened.
 */
export function recordedPorts(given: EnginePorts, open: OpenRecorder, readings: Readings): EnginePorts {
  const { fetcher, browser, sessions, llm, search, proxies, resolver, clock } = given
  const traffic = async (): Promise<Traffic> => recordedTraffic(await open(), () => clock.now())
  return {
    ...given,
    // A record has one exchange for each request, so that a replay needs no second fetcher.
    identityFetcher: undefined,
    fetcher: (guard) => recordedFetcher(fetcher(guard), open, clock),
    browser: browser && ((guard) => withTraffic(browser(guard), traffic)),
    sessions: sessions && ((guard) => withTrafficOfSessions(sessions(guard), traffic)),
    llm: llm && recordedModel(llm, open, clock),
    search: search && recordedSearch(search, open, clock),
    proxies: proxies && recordedProxies(proxies, open),
    resolver: recordedResolver(resolver, open),
    clock: recordedClock(clock, readings),
    newId: () => readings.id(given.newId()),
  }
}

/** Wraps a clock so that the results of `now` are recorded. `elapsed` and `sleep` are passed on without a record. */
export function recordedClock(clock: Clock, readings: Readings): Clock {
  return {
    now: () => readings.time(clock.now()),
    ...(clock.elapsed && { elapsed: () => clock.elapsed?.() ?? 0 }),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  }
}

/** Wraps a fetcher so that its exchanges and failures are recorded, bodies up to the limit. Failures reject as without it. */
export function recordedFetcher(fetcher: Fetcher, open: OpenRecorder, clock: Clock): Fetcher {
  return {
    close: () => fetcher.close(),
    exchange: async (request, signal) => {
      const recorder = await open()
      await recorder.room()
      const order = recorder.next()
      const keyed = { method: request.method, url: request.url.href, body: request.body }
      const taken = takenPieces(request, recorder.limits.bodyBytes)
      try {
        const response = await fetcher.exchange({ ...request, ...taken.take }, signal)
        const { bytes, isCut } = taken.answer(response)
        const { status, headers } = response
        const sent = Object.entries(request.headers)
        const answer = { status, headers, answer: bytes, isCut }
        recorder.exchange({ ...keyed, ...answer, by: 'fetcher', order, at: clock.now(), sent })
        return response
      } catch (error) {
        const failure = failureNote(error)
        if (failure) recorder.failure(keyed, 'fetcher', order, clock.now(), failure)
        throw error
      }
    },
  }
}

interface Answered {
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

/** Copies the chunks of a streamed response, up to `most` bytes, while it passes them on. */
function takenPieces({ take }: WireRequest, most: number) {
  const pieces: Uint8Array[] = []
  let size = 0
  const keep = (piece: Uint8Array): void => {
    if (size < most) pieces.push(Uint8Array.from(piece.subarray(0, most - size)))
    size += piece.length
  }
  const tee: WireRequest['take'] = (head) => {
    const to = take?.(head)
    if (!to) return undefined
    return (piece) => {
      keep(piece)
      return to(piece)
    }
  }
  return {
    take: take && { take: tee },
    answer: ({ body }: WireResponse): Answered => {
      if (size > 0) return { bytes: Buffer.concat(pieces), isCut: size > most }
      return { bytes: body.subarray(0, most), isCut: body.length > most }
    },
  }
}

/** Wraps a model so that its questions, answers and failures are recorded. Failures reject as without it. */
export function recordedModel(llm: LLM, open: OpenRecorder, clock: Clock): LLM {
  const { name, contextTokens } = llm
  return {
    ...(name !== undefined && { name }),
    ...(contextTokens !== undefined && { contextTokens }),
    ask: async (question, signal) => {
      const recorder = await open()
      const order = recorder.next()
      try {
        const answer = await llm.ask(question, signal)
        recorder.note({ is: 'model', order, at: clock.now(), question, answer })
        return answer
      } catch (error) {
        const failure = failureNote(error)
        if (failure) recorder.note({ is: 'model', order, at: clock.now(), question, failure })
        throw error
      }
    },
  }
}

/** Wraps a search backend so that its queries, hits and failures are recorded. Failures reject as without it. */
export function recordedSearch(search: Search, open: OpenRecorder, clock: Clock): Search {
  const { name, sources, follows, onlyIn } = search
  return {
    ...{ name, sources, follows, onlyIn },
    find: async (query, signal) => {
      const recorder = await open()
      const order = recorder.next()
      const { team: _, ...asked } = query
      try {
        const hits = await search.find(query, signal)
        recorder.note({ is: 'search', order, at: clock.now(), query: asked, hits })
        return hits
      } catch (error) {
        const failure = failureNote(error)
        if (failure) recorder.note({ is: 'search', order, at: clock.now(), query: asked, failure })
        throw error
      }
    },
  }
}

/** Wraps proxies to record whether one was available, but not its URL. */
export function recordedProxies(proxies: Proxies, open: OpenRecorder): Proxies {
  return {
    pick: async (request) => {
      const proxy = await proxies.pick(request)
      const recorder = await open()
      const { tier, country } = request
      recorder.note({ is: 'proxy', tier, country, found: proxy !== undefined })
      return proxy
    },
  }
}

/** Wraps a resolver so that its results and failures are recorded. Failures reject as without it. */
export function recordedResolver(resolver: EnginePorts['resolver'], open: OpenRecorder): EnginePorts['resolver'] {
  // For each record, the hosts already noted.
  const knownOf = new WeakMap<object, Map<string, string>>()
  return async (host, signal) => {
    const recorder = await open()
    const known = knownOf.get(recorder) ?? new Map<string, string>()
    knownOf.set(recorder, known)
    const note = (found: Omit<Parameters<Recorder['note']>[0] & { readonly is: 'names' }, 'is' | 'host'>): void => {
      const text = JSON.stringify(found)
      // Hosts are resolved for each connection, so a result is noted only when it changes.
      if (known.get(host) === text) return
      if (known.size < recorder.limits.exchanges) known.set(host, text)
      recorder.note({ is: 'names', host, ...found })
    }
    try {
      const resolved = await resolver(host, signal)
      note({ addresses: resolved.map(({ address, family }) => ({ address, family })) })
      return resolved
    } catch (error) {
      const failure = failureNote(error)
      if (failure) note({ failure })
      throw error
    }
  }
}
