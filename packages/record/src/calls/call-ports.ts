import { AsyncLocalStorage } from 'node:async_hooks'

import type { EnginePorts } from '@harvestman/core/plugin'
import type { Browser, Fetcher, LLM, Proxies, Search, Sessions } from '@harvestman/ports'

import {
  recordedClock,
  recordedFetcher,
  recordedModel,
  recordedProxies,
  recordedResolver,
  recordedSearch,
  type OpenRecorder,
} from '../recording/recorded-ports.ts'
import { recordedTraffic } from '../recording/recorded-traffic.ts'
import type { Recorder } from '../recording/recorder.ts'
import { withTraffic, withTrafficOfSessions } from '../traffic.ts'
import type { CallRecorder } from './call-recorder.ts'

/** The recorder of the current work, if it is recorded. */
export const current = new AsyncLocalStorage<CallRecorder | undefined>()

function recorderNow(): Recorder | undefined {
  const call = current.getStore()
  return call?.isBusy ? call.recorder : undefined
}

const open: OpenRecorder = async () => {
  const recorder = recorderNow()
  if (!recorder) throw new TypeError('A port is recorded outside of a call.')
  return recorder
}

/**
 * Wraps the given ports. Exchanges of recorded work are written to its record; other work is unaffected. Results and
 * errors are passed on unchanged.
 */
export function callPorts(given: EnginePorts): EnginePorts {
  const { fetcher, browser, sessions, llm, search, proxies, resolver, clock } = given
  const resolve = recordedResolver(resolver, open)
  return {
    fetcher: (guard) => fetcherOf(fetcher(guard), given),
    browser: browser && ((guard) => browserOf(browser(guard), given)),
    sessions: sessions && ((guard) => sessionsOf(sessions(guard), given)),
    llm: llm && modelOf(llm, given),
    search: search && searchOf(search, given),
    proxies: proxies && proxiesOf(proxies),
    resolver: (host, signal) => (recorderNow() ? resolve : resolver)(host, signal),
    clock: recordedClock(clock, {
      time: (now) => recorderNow()?.time(now) ?? now,
      id: (id) => id,
    }),
    newId: () => {
      const id = given.newId()
      return recorderNow()?.id(id) ?? id
    },
  }
}

type WithClock = Pick<EnginePorts, 'clock'>

function fetcherOf(plain: Fetcher, { clock }: WithClock): Fetcher {
  const recorded = recordedFetcher(plain, open, clock)
  return {
    exchange: (request, signal) => (recorderNow() ? recorded : plain).exchange(request, signal),
    close: () => plain.close(),
  }
}

function browserOf(plain: Browser, { clock }: WithClock): Browser {
  const recorded = withTraffic(plain, async () => recordedTraffic(await open(), () => clock.now()))
  return {
    open: (profile, signal) => (recorderNow() ? recorded : plain).open(profile, signal),
    identity: async () => plain.identity?.(),
    close: () => plain.close(),
  }
}

function sessionsOf(plain: Sessions, { clock }: WithClock): Sessions {
  const recorded = withTrafficOfSessions(plain, async () => recordedTraffic(await open(), () => clock.now()))
  return {
    open: (wish, signal) => (recorderNow() ? recorded : plain).open(wish, signal),
    close: () => plain.close(),
  }
}

function modelOf(plain: LLM, { clock }: WithClock): LLM {
  const recorded = recordedModel(plain, open, clock)
  return { ...recorded, ask: (question, signal) => (recorderNow() ? recorded : plain).ask(question, signal) }
}

function searchOf(plain: Search, { clock }: WithClock): Search {
  const recorded = recordedSearch(plain, open, clock)
  return { ...recorded, find: (query, signal) => (recorderNow() ? recorded : plain).find(query, signal) }
}

function proxiesOf(plain: Proxies): Proxies {
  const recorded = recordedProxies(plain, open)
  return { pick: (request) => (recorderNow() ? recorded : plain).pick(request) }
}
