import { randomBytes } from 'node:crypto'

import type { Contexts, Downloads } from './shared.ts'
import { rootRules } from './commands.ts'
import type { FenceLimits } from './limits.ts'
import { denied, misfit, pass, type Outcome } from './outcome.ts'
import type { Command } from './reader.ts'
import type { Params } from './shapes.ts'
import type { ClientDownloads, Streams } from './streams.ts'
import type { Line } from './switch.ts'
import { fits, type Filter, type Targets } from './targets.ts'
import { mayOpen } from './urls.ts'

export interface RootParts {
  readonly line: Line
  readonly targets: Targets
  readonly contexts: Contexts
  readonly downloads: Downloads
  readonly clientDownloads: ClientDownloads
  readonly streams: Streams
  readonly limits: FenceLimits
  /** Brings a tab of the session to the front. */
  show(targetId: string): Promise<void>
}

/** Handles a command. `fromSession` is the session in which it was sent, if the client has attached to the browser target. */
type Handler = (params: Params, parts: RootParts, fromSession?: string) => Outcome | Promise<Outcome>

const stranger: Outcome = { refusal: 'No target with given id found' }
const noContext: Outcome = { refusal: 'Failed to find browser context for the given id' }
const fine: Outcome = { result: {} }

export interface Root {
  /** Returns whether commands in this session are for the browser itself. */
  takes(sessionId: string | undefined): sessionId is string | undefined
  /** Carries out a command for the browser itself. */
  carryOut(command: Command): Promise<Outcome>
}

const maxSessions = 100

/**
 * Creates the handling of browser commands. Sessions attached to the browser target exist only here, not in the browser, and
 * have the same rights as a client without one. `carryOut` resolves to a refusal for errors of the browser.
 */
export function makeRoot(parts: RootParts): Root {
  const sessions = new Set<string>()

  const open = (): Outcome => {
    if (sessions.size >= maxSessions)
      return { refusal: `A client has at most ${maxSessions} sessions with the browser.` }
    const sessionId = randomBytes(16).toString('hex').toUpperCase()
    sessions.add(sessionId)
    return { result: { sessionId } }
  }

  return {
    takes: (sessionId): sessionId is string | undefined => sessionId === undefined || sessions.has(sessionId),
    carryOut: async ({ method, params: rawParams, sessionId }) => {
      const params = rootRules.get(method)?.(rawParams)
      if (params === undefined) return denied(method)
      if (typeof params === 'string') return misfit(params)
      if (method === 'Target.attachToBrowserTarget') return open()
      if (method === 'Target.detachFromTarget' && sessions.delete(String(params['sessionId']))) return fine
      const isKnown = Object.hasOwn(handlers, method) && (sessionId === undefined || !ofConnection.has(method))
      const handler = isKnown ? handlers[method] : undefined
      return handler ? handler(params, parts, sessionId) : denied(method)
    },
  }
}

// These settings apply to the whole connection of a client.
const ofConnection: ReadonlySet<string> = new Set(['Target.setDiscoverTargets', 'Target.setAutoAttach'])

const inOwnContext =
  (method: string): Handler =>
  (params, { line, contexts }) => {
    const { browserContextId = contexts.main } = params
    if (!contexts.has(browserContextId)) return noContext
    return pass(line, method, { ...params, browserContextId })
  }

const handlers: Readonly<Record<string, Handler>> = {
  'Browser.getVersion': (_params, { line }) => pass(line, 'Browser.getVersion', {}),
  // The context of the session itself is the default, which is not listed.
  'Target.getBrowserContexts': (_params, { contexts }) => ({ result: { browserContextIds: [...contexts.more] } }),
  'Target.createBrowserContext': async (params, { contexts }) => {
    const forbidden = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess'].find(
      (name) => name in params,
    )
    if (forbidden !== undefined)
      return misfit(
        `'${forbidden}' cannot be set: contexts use the proxy of the session. Set it when you open the session.`,
      )
    // A rejection would close the connection of the client.
    const opened = await contexts.open().catch(() => 'The browser could not open a context. Try again.')
    return typeof opened === 'string' ? { refusal: opened } : { result: { browserContextId: opened.id } }
  },
  'Target.disposeBrowserContext': async ({ browserContextId }, { contexts }) => {
    if (!contexts.has(browserContextId)) return noContext
    if (browserContextId === contexts.main)
      return { refusal: 'The context of the session ends with it (DELETE /v2/browser/{id}).' }
    return contexts.close(browserContextId).then(
      () => fine,
      () => ({ refusal: 'The browser could not close the context. Try again.' }),
    )
  },
  'Browser.setDownloadBehavior': (params, { contexts, clientDownloads }, fromSession) => {
    const { behavior, browserContextId = contexts.main, eventsEnabled } = params
    if (!contexts.has(browserContextId)) return noContext
    return clientDownloads.set(browserContextId, String(behavior), eventsEnabled === true, fromSession)
  },
  'Browser.cancelDownload': async ({ guid }, { downloads }) => {
    if (typeof guid !== 'string' || !downloads.has(guid))
      return { refusal: 'No download item found for the given GUID' }
    await downloads.cancel(guid)
    return fine
  },
  'IO.read': (params, { line, streams }) => streams.read(params, line),
  'IO.close': (params, { line, streams }) => streams.close(params, line),
  'Target.setDiscoverTargets': ({ discover, filter }, { targets }) => {
    targets.discover(discover === true ? readFilter(filter) : undefined)
    return fine
  },
  'Target.setAutoAttach': async ({ autoAttach, filter }, { targets }) => {
    await targets.attach(autoAttach === true ? readFilter(filter) : undefined)
    return fine
  },
  'Target.getTargets': ({ filter }, { targets }) => {
    const wanted = readFilter(filter ?? [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}])
    return { result: { targetInfos: targets.all.filter((info) => fits(info, wanted)) } }
  },
  'Target.getTargetInfo': ({ targetId }, { line, targets }) => {
    if (targetId === undefined) return pass(line, 'Target.getTargetInfo', {})
    return targets.owns(targetId) ? pass(line, 'Target.getTargetInfo', { targetId }) : stranger
  },
  'Target.attachToTarget': ({ targetId }, { targets }, fromSession) =>
    targets.owns(targetId) ? targets.attachTo(targetId, fromSession) : stranger,
  'Target.detachFromTarget': ({ sessionId }, { line }) =>
    typeof sessionId === 'string' && line.owns(sessionId)
      ? pass(line, 'Target.detachFromTarget', { sessionId })
      : stranger,
  'Target.createTarget': createTarget,
  'Target.closeTarget': closeTarget,
  'Target.activateTarget': async ({ targetId }, { targets, show }) => {
    if (!targets.owns(targetId)) return stranger
    await show(targetId)
    return fine
  },
  'Storage.getCookies': inOwnContext('Storage.getCookies'),
  'Storage.setCookies': inOwnContext('Storage.setCookies'),
  'Storage.clearCookies': inOwnContext('Storage.clearCookies'),
}

/** Cast: the parameters were validated before. */
function readFilter(filter: unknown): Filter {
  return (filter ?? []) as Filter
}

async function createTarget(
  { url: given = 'about:blank', browserContextId }: Params,
  parts: RootParts,
): Promise<Outcome> {
  const url = String(given)
  const { line, targets, contexts, limits } = parts
  const contextId = browserContextId ?? contexts.main
  if (!contexts.has(contextId)) return noContext
  if (!mayOpen(url)) return { refusal: `A live browser does not go to ${url.slice(0, 200)}.` }
  if (pagesOf(targets) >= limits.tabs) return { refusal: `A live browser has at most ${limits.tabs} tabs.` }
  const made = await pass(line, 'Target.createTarget', { url, browserContextId: contextId, width: 1920, height: 1080 })
  // Clients look up the session of a new tab as soon as they receive its id.
  if ('result' in made) await targets.settled(String((made.result as { targetId?: string }).targetId))
  return made
}

/** Closes a tab. The last one is replaced by a new one, because a context without tabs would end. */
async function closeTarget({ targetId }: Params, { line, targets, contexts }: RootParts): Promise<Outcome> {
  if (!targets.owns(targetId)) return stranger
  const contextId = contexts.main
  const ofSession = targets.all.filter((info) => info.type === 'page' && info.browserContextId === contextId)
  if (ofSession.length <= 1 && ofSession.some((info) => info.targetId === targetId))
    await line.ask('Target.createTarget', { url: 'about:blank', browserContextId: contextId })
  return pass(line, 'Target.closeTarget', { targetId })
}

function pagesOf({ all }: Targets): number {
  return all.filter(({ type }) => type === 'page').length
}
