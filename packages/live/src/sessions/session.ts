import { AsyncLocalStorage } from 'node:async_hooks'

import {
  type Clock,
  type CodeLanguage,
  type CodeResult,
  EngineError,
  type Sandbox,
  type Screen,
  type Snapshot,
  type Viewer,
  type Wire,
} from '@harvestman/ports'
import { act } from '../task/act.ts'
import type { TaskOptions, Ask } from '../task/run.ts'
import type { OnSecret } from '../task/secrets.ts'
import { readPage, type TaskRun } from '../task/step.ts'
import { check, llmPort, missingPort } from '@harvestman/core/plugin'
import { sandboxPort } from '../ports.ts'
import { taskActionSchema, type TaskAction } from '../task/actions.ts'
import { sessionOver, type SessionEnd, type SessionEndReason } from './records.ts'
import type { ConfinableBrowser, Confinement } from '../task/confinement.ts'
import { makeJails, type Jails } from './jails.ts'
import { makeShares, type SessionShares } from './shares.ts'
import { rightOf, type SessionRight, type SessionTokens } from './tokens.ts'

/** A browser that stays open between calls. */
export interface LiveSession extends AsyncDisposable {
  readonly id: string
  readonly scrapeId: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
  readonly streamWebView: boolean
  readonly tokens: SessionTokens
  /** Links to look at it, which end before it does. */
  readonly shares: SessionShares
  /** Aborted when it has ended, with the reason. */
  readonly gone: AbortSignal
  /** Runs code that drives the browser. Resolves also when the code fails. */
  run(code: string, options?: RunCodeOptions): Promise<CodeResult>
  /** Has a language model carry out a task, with the hands of a person. */
  ask(task: string, options?: AskOptions): Promise<TaskRun>
  /** The page as text, with a reference for each element that can be acted on. */
  snapshot(options?: Pick<RunCodeOptions, 'timeout' | 'signal'>): Promise<Snapshot>
  /** Does what a person could do. References are those of the last snapshot; afterwards the page has come to rest. */
  act(action: TaskAction, options?: Pick<RunCodeOptions, 'timeout' | 'signal'>): Promise<void>
  /** A connection that speaks the DevTools protocol, for clients such as Puppeteer and Playwright. */
  connect(): Promise<Wire>
  /**
   * Refuses pages, windows and posted forms of addresses that the function does not allow, in all tabs, until it is released.
   * Nothing is sent to such an address.
   */
  confine(allows: (address: string) => boolean): Confinement
  /**
   * Calls a function with each secret that a task is about to fill in, and with `undefined` after the step. Who records the
   * session has to know which of its values are secrets. Returns a function that ends the calls.
   */
  watchSecrets(listener: OnSecret): () => void
  /** Shows the screen to a viewer, and returns it for input. */
  watch(viewer: Viewer): Promise<Screen>
  /** Ends it, for good. Ending it again gives the same. Those who look on are told the reason: `stopped` when absent. */
  stop(reason?: SessionEndReason): Promise<SessionEnd>
}

/** Rights of the holder of a token to a live browser, until the signal is aborted with the reason. */
export interface SessionEntry {
  readonly session: LiveSession
  readonly right: SessionRight
  readonly ends: AbortSignal
}

/** A live browser that is open, and who may enter it. */
export interface OpenSession {
  readonly session: LiveSession
  enter(token: string): SessionEntry | undefined
}

/** Options of code that is run in a live browser. */
export interface RunCodeOptions {
  /** `node` when absent. */
  readonly language?: CodeLanguage | undefined
  /** Milliseconds; 30,000 when absent. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of a task in words. */
export type AskOptions = TaskOptions & Pick<RunCodeOptions, 'timeout' | 'signal'>

export interface SessionParts {
  readonly id: string
  readonly scrapeId: string | undefined
  readonly live: ConfinableBrowser
  readonly sandbox: Sandbox | undefined
  readonly tokens: SessionTokens
  readonly clock: Clock
  readonly streamWebView: boolean
  readonly createdAt: number
  /** Milliseconds that it lives in all, and without a call. */
  readonly ttl: number
  readonly idle: number
  /** Carries out a task. Absent without a language model. */
  readonly ask: Ask | undefined
  /** Told of what broke in a connection to the browser. */
  readonly onFault: (fault: unknown) => void
  /** Told of each call, and once of the end. */
  readonly touched: (at: number) => void
  /** A session in which a model is asked costs more: rejects when the team cannot pay for that. */
  readonly beforeAsking: () => Promise<void>
  readonly ended: (usage: SessionUsage) => Promise<SessionEnd>
}

export interface SessionUsage {
  readonly reason: SessionEndReason
  /** True when a model was asked in it, which costs more. */
  readonly wasAsked: boolean
}

const usualTimeout = 30_000
const stirsEvery = 1_000

export function makeLiveSession(parts: SessionParts): OpenSession {
  const { id, scrapeId, tokens, clock, createdAt } = parts
  let wasAsked = false
  const jails = makeJails(parts)
  const ending = makeEnding(parts, async (reason) => {
    await jails.close()
    return parts.ended({ reason, wasAsked })
  })
  const { during, stir } = makeUse(parts, ending)
  const expiresAt = createdAt + parts.ttl
  const shares = makeShares({ clock, until: expiresAt, gone: ending.gone })
  const calls = makeCalls(parts, { jails, during, stir, asked: () => (wasAsked = true) })
  const session: LiveSession = {
    id,
    scrapeId,
    createdAt,
    expiresAt,
    streamWebView: parts.streamWebView,
    tokens,
    shares,
    gone: ending.gone,
    ...calls,
    stop: ending.stop,
    [Symbol.asyncDispose]: async () => void (await ending.stop()),
  }
  return {
    session,
    enter: (token) => {
      const right = rightOf(tokens, token)
      if (right) return { session, right, ends: ending.gone }
      const link = shares.enter(token)
      return link && { session, right: 'view', ends: AbortSignal.any([link, ending.gone]) }
    },
  }
}

interface CallParts extends Use {
  readonly jails: Jails
  /** Told that a model is asked. */
  readonly asked: () => void
}

type Calls = Pick<LiveSession, 'run' | 'ask' | 'snapshot' | 'act' | 'connect' | 'confine' | 'watch' | 'watchSecrets'>

/** Calls of a session while it is open. */
function makeCalls(parts: SessionParts, { jails, during, stir, asked }: CallParts): Calls {
  const { live, sandbox, clock } = parts
  const secretListeners = new Set<OnSecret>()
  const onSecret: OnSecret = (secret) => secretListeners.forEach((listener) => listener(secret))
  return {
    run: (text, { language = 'node', timeout = usualTimeout, signal } = {}) =>
      during(signal, async (either) => {
        if (!sandbox) throw missingPort(sandboxPort, 'Code in a live browser', { says: 'Running code' })
        await live.awake(either)
        const one = await jails.open(sandbox, either)
        return withNotes(await one.run({ language, text, timeout }, either), live.takeNotes())
      }),
    ask: (task, { timeout = usualTimeout, signal, ...options } = {}) =>
      during(signal, async (either) => {
        if (!parts.ask) throw missingPort(llmPort, 'A task in a live browser', { says: 'A task in words' })
        await parts.beforeAsking()
        asked()
        return parts.ask(live, task, { ...options, onSecret }, within(timeout, either))
      }),
    snapshot: ({ timeout = usualTimeout, signal } = {}) =>
      during(signal, (either) => readPage(live, within(timeout, either))),
    act: (action, { timeout = usualTimeout, signal } = {}) =>
      during(signal, (either) => act(check(taskActionSchema, action), live, clock, within(timeout, either))),
    connect: () =>
      during(undefined, async () => {
        const wire = await live.connect()
        const send = wire.send.bind(wire)
        wire.send = (message) => {
          stir()
          send(message)
        }
        return wire
      }),
    confine: live.confine,
    watchSecrets: (listener) => {
      secretListeners.add(listener)
      return () => void secretListeners.delete(listener)
    },
    watch: (viewer) =>
      during(undefined, async () => {
        const screen = await live.watch(viewer)
        const input: Screen['input'] = (what) => {
          stir()
          return screen.input(what)
        }
        return { input, close: () => screen.close() }
      }),
  }
}

/** The ways in which a session ends. */
interface Ending {
  readonly gone: AbortSignal
  stop(reason?: SessionEndReason): Promise<SessionEnd>
  /** It runs in the background. What could not be written down and settled now is done by the engines that look for such. */
  stopAlone(reason: SessionEndReason): void
}

function makeEnding(
  { live, ttl, onFault }: SessionParts,
  settle: (reason: SessionEndReason) => Promise<SessionEnd>,
): Ending {
  const gone = new AbortController()
  let ending: Promise<SessionEnd> | undefined

  const end = async (reason: SessionEndReason): Promise<SessionEnd> => {
    clearTimeout(ttlTimer)
    live.gone.removeEventListener('abort', lose)
    gone.abort(sessionOver(reason))
    try {
      return await settle(reason)
    } finally {
      await live.close()
    }
  }
  const stop = (reason: SessionEndReason = 'stopped'): Promise<SessionEnd> => (ending ??= end(reason))
  const stopAlone: Ending['stopAlone'] = (reason) => {
    stop(reason).catch(onFault)
  }
  const lose = (): void => stopAlone('lost')
  live.gone.addEventListener('abort', lose, { once: true })
  const ttlTimer = setTimeout(() => stopAlone('lifetime'), ttl)
  ttlTimer.unref()
  return { gone: gone.signal, stop, stopAlone }
}

/** The uses of a session: one that has none for long ends. */
function makeUse({ live, clock, idle, touched }: SessionParts, { gone, stopAlone }: Ending) {
  // A call of the session is a part of the work that the session is.
  const inside = AsyncLocalStorage.snapshot()
  let running = 0
  let stirred = 0
  let idleTimer: NodeJS.Timeout | undefined
  gone.addEventListener('abort', () => clearTimeout(idleTimer), { once: true })

  const rest = (): void => {
    touched(clock.now())
    clearTimeout(idleTimer)
    if (running > 0 || gone.aborted) return
    idleTimer = setTimeout(() => stopAlone('unused'), idle)
    idleTimer.unref()
  }
  rest()
  return {
    /** Notes use: what clients and viewers do is use too. */
    stir: (): void => {
      if (clock.now() - stirred < stirsEvery) return
      stirred = clock.now()
      rest()
    },
    during: async <T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      gone.throwIfAborted()
      running += 1
      clearTimeout(idleTimer)
      touched(clock.now())
      const done = await live.use()
      try {
        return await inside(work, signal ? AbortSignal.any([signal, gone]) : gone)
      } finally {
        done()
        running -= 1
        rest()
      }
    },
  }
}

type Use = ReturnType<typeof makeUse>

/** Tells code of the pages that were ended before or during its run. */
function withNotes(result: CodeResult, notes: readonly string[]): CodeResult {
  if (notes.length === 0) return result
  return { ...result, stderr: [...notes, result.stderr].join('\n') }
}

/** A signal that also ends a call after its timeout, with an error that says so. */
function within(timeout: number, signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  AbortSignal.timeout(timeout).addEventListener('abort', () =>
    late.abort(
      new EngineError(
        'timeout',
        `The page did not respond within ${timeout} ms. It may be busy or very large: raise "timeout", or open another page.`,
      ),
    ),
  )
  return AbortSignal.any([signal, late.signal])
}
