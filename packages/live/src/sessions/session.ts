import {
  type CodeLanguage,
  type CodeResult,
  EngineError,
  type Json,
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
import { check, llmPort, missingPort, type UsableBrowser } from '@harvestman/core/plugin'
import { sandboxPort } from '../ports.ts'
import { taskActionSchema, type TaskAction } from '../task/actions.ts'
import type { SessionEnd, SessionEndReason } from './records.ts'
import type { ConfinableBrowser, Confinement } from '../task/confinement.ts'
import { callPageTool, listPageTools, type PageToolResult, type PageTools } from '../page-tools/page-tools.ts'
import { makeJails, type Jails } from './jails.ts'
import { makeEnding, makeUse, type LifeParts, type Use } from './session-life.ts'
import { makeSessionShares, type SessionShares } from './shares.ts'
import { rightOf, type SessionRight, type SessionTokens } from './tokens.ts'

/** A browser that stays open between calls. */
export interface LiveSession extends AsyncDisposable, UsableBrowser {
  readonly id: string
  readonly scrapeId: string | undefined
  readonly createdAt: number
  readonly expiresAt: number
  readonly streamWebView: boolean
  readonly tokens: SessionTokens
  /** Links to view the browser, which expire at the latest when it ends. */
  readonly shares: SessionShares
  /** Aborted when the browser has ended, with the reason. */
  readonly closed: AbortSignal
  /**
   * Runs code that controls the browser. Also resolves when the code fails. Rejects with `not_configured` if there is no
   * sandbox.
   */
  run(code: string, options?: RunCodeOptions): Promise<CodeResult>
  /**
   * Lets a language model carry out a task with clicks, keys and other user actions. Rejects with `not_configured` if there is
   * no model.
   */
  ask(task: string, options?: AskOptions): Promise<TaskRun>
  /** Returns the URL of the page. Does not count as use. */
  url(): Promise<string>
  /** Returns the page in text form, with a reference for each element that supports actions. */
  snapshot(options?: Pick<RunCodeOptions, 'timeout' | 'signal'>): Promise<Snapshot>
  /** Performs a user action and waits until the page has settled. References come from the last snapshot. */
  act(action: TaskAction, options?: Pick<RunCodeOptions, 'timeout' | 'signal'>): Promise<void>
  /** Lists the tools that the page in front declares to models. All of it is untrusted. */
  pageTools(options?: Pick<RunCodeOptions, 'timeout' | 'signal'>): Promise<PageTools>
  /**
   * Calls a tool of the page in front, with input that fits its schema. A tool that fails is a result too. The page aborts it
   * after `timeout`.
   */
  callPageTool(
    name: string,
    input?: Readonly<Record<string, Json>>,
    options?: Pick<RunCodeOptions, 'timeout' | 'signal'>,
  ): Promise<PageToolResult>
  /** Opens a DevTools protocol connection, for clients such as Puppeteer and Playwright. */
  connect(): Promise<Wire>
  /**
   * Blocks pages, windows and form submissions to URLs that the function rejects, in all tabs, until released. No request is
   * sent to such a URL.
   */
  confine(allows: (address: string) => boolean): Confinement
  /**
   * Calls a function with each secret that a task is about to fill in, and with `undefined` after the step, so that recorders
   * of the session can redact it. Returns a function that removes the listener.
   */
  watchSecrets(listener: OnSecret): () => void
  /** Streams the screen to a viewer. The returned object accepts input. */
  watch(viewer: Viewer): Promise<Screen>
  /** Ends the browser. Further calls return the same result. Viewers receive the reason. Default: `stopped`. */
  stop(reason?: SessionEndReason): Promise<SessionEnd>
}

/** Access to a live browser with a token. The signal is aborted, with the reason, when access ends. */
export interface SessionEntry {
  readonly session: LiveSession
  readonly right: SessionRight
  readonly ends: AbortSignal
}

/** An open live browser, with a function that checks tokens for it. */
export interface OpenSession {
  readonly session: LiveSession
  enter(token: string): SessionEntry | undefined
}

/** Options for code in a live browser. */
export interface RunCodeOptions {
  /** Default: `node`. */
  readonly language?: CodeLanguage | undefined
  /** In milliseconds. Default: 30,000. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options for a prompt. */
export type AskOptions = TaskOptions & Pick<RunCodeOptions, 'timeout' | 'signal'>

export interface SessionParts extends LifeParts {
  readonly id: string
  readonly scrapeId: string | undefined
  readonly live: ConfinableBrowser
  readonly sandbox: Sandbox | undefined
  readonly tokens: SessionTokens
  readonly streamWebView: boolean
  readonly createdAt: number
  /** Carries out a prompt. `undefined` without a language model. */
  readonly ask: Ask | undefined
  /** Called before a prompt, which raises the price of the session. Rejects if the team cannot pay for it. */
  readonly beforeAsking: () => Promise<void>
  readonly ended: (usage: SessionUsage) => Promise<SessionEnd>
}

export interface SessionUsage {
  readonly reason: SessionEndReason
  /** Whether a prompt was run in it, which raises its price. */
  readonly ranPrompt: boolean
}

const defaultTimeout = 30_000

/**
 * Creates the session of a browser that is open; its time limits start at once. Calls reject with `session_over` after its end.
 * `enter` returns `undefined` for a wrong token.
 */
export function makeLiveSession(parts: SessionParts): OpenSession {
  const { id, scrapeId, tokens, clock, createdAt } = parts
  let ranPrompt = false
  const jails = makeJails(parts)
  const ending = makeEnding(parts, async (reason) => {
    await jails.close()
    return parts.ended({ reason, ranPrompt })
  })
  const { during, touch } = makeUse(parts, ending)
  const expiresAt = createdAt + parts.ttl
  const shares = makeSessionShares({ clock, until: expiresAt, closed: ending.closed })
  const calls = makeCalls(parts, { jails, during, touch, onPrompt: () => (ranPrompt = true) })
  const session: LiveSession = {
    id,
    scrapeId,
    createdAt,
    expiresAt,
    streamWebView: parts.streamWebView,
    tokens,
    shares,
    closed: ending.closed,
    ...calls,
    stop: ending.stop,
    [Symbol.asyncDispose]: async () => void (await ending.stop()),
  }
  return {
    session,
    enter: (token) => {
      const right = rightOf(tokens, token)
      if (right) return { session, right, ends: ending.closed }
      const link = shares.enter(token)
      return link && { session, right: 'view', ends: AbortSignal.any([link, ending.closed]) }
    },
  }
}

interface CallParts extends Use {
  readonly jails: Jails
  /** Called when a prompt is run. */
  readonly onPrompt: () => void
}

type Calls = Pick<
  LiveSession,
  | 'use'
  | 'run'
  | 'ask'
  | 'url'
  | 'snapshot'
  | 'act'
  | 'pageTools'
  | 'callPageTool'
  | 'connect'
  | 'confine'
  | 'watch'
  | 'watchSecrets'
>

/** The calls of an open session. */
function makeCalls(parts: SessionParts, { jails, during, touch, onPrompt }: CallParts): Calls {
  const { live, sandbox, clock } = parts
  const secretListeners = new Set<OnSecret>()
  const onSecret: OnSecret = (secret) => secretListeners.forEach((listener) => listener(secret))
  return {
    use: (work, signal) => during(signal, work),
    run: (text, { language = 'node', timeout = defaultTimeout, signal } = {}) =>
      during(signal, async (either) => {
        if (!sandbox) throw missingPort(sandboxPort, 'Code in a live browser', { subject: 'Running code' })
        await live.awake(either)
        const one = await jails.open(sandbox, either)
        return withNotes(await one.run({ language, text, timeout }, either), live.takeNotes())
      }),
    ask: (task, { timeout = defaultTimeout, signal, ...options } = {}) =>
      during(signal, async (either) => {
        if (!parts.ask) throw missingPort(llmPort, 'A task in a live browser', { subject: 'A task in words' })
        await parts.beforeAsking()
        onPrompt()
        return parts.ask(live, task, { ...options, onSecret }, within(timeout, either))
      }),
    url: async () => live.tab.url(),
    snapshot: ({ timeout = defaultTimeout, signal } = {}) =>
      during(signal, (either) => readPage(live, within(timeout, either))),
    act: (action, { timeout = defaultTimeout, signal } = {}) =>
      during(signal, (either) => act(check(taskActionSchema, action), live, clock, within(timeout, either))),
    pageTools: ({ timeout = defaultTimeout, signal } = {}) =>
      during(signal, (either) => listPageTools(live, within(timeout, either))),
    callPageTool: (name, input = {}, { timeout = defaultTimeout, signal } = {}) =>
      during(signal, (either) => callPageTool(live, { name, input, timeout }, either)),
    connect: () =>
      during(undefined, async () => {
        const wire = await live.connect()
        const send = wire.send.bind(wire)
        wire.send = (message) => {
          touch()
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
          touch()
          return screen.input(what)
        }
        return { input, close: () => screen.close() }
      }),
  }
}

/** Adds notes about pages that were closed before or during the run to the standard error, so that the code can see them. */
function withNotes(result: CodeResult, notes: readonly string[]): CodeResult {
  if (notes.length === 0) return result
  return { ...result, stderr: [...notes, result.stderr].join('\n') }
}

/** Returns a signal that also aborts after the timeout, with an error that explains it. */
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
