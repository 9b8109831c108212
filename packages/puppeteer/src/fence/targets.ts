import type { Contexts } from './shared.ts'
import type { Message } from './heard.ts'
import type { Line } from './switch.ts'
import { pass, type Outcome } from './outcome.ts'
import { mayShow } from './urls.ts'

interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly browserContextId?: string
}

/** A client's filter of targets: the first matching entry decides. */
export type Filter = readonly { readonly type?: string; readonly exclude?: boolean }[]

/** The targets of one session, and which of them a client was notified of. */
export interface Targets {
  readonly all: readonly TargetInfo[]
  owns(targetId: unknown): targetId is string
  /** Attaches to a target. `fromSession` is the session that receives the event, or `undefined` for the connection itself. */
  attachTo(targetId: string, fromSession: string | undefined): Promise<Outcome>
  discover(filter: Filter | undefined): void
  attach(filter: Filter | undefined): Promise<void>
  /** Resolves when the client has been notified of the session of a target, if it attaches to it. */
  settled(targetId: string): Promise<void>
}

const defaultFilter: Filter = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}]

/**
 * Tracks the targets (pages, frames, workers) of a session and forwards their events to the client, without those of other
 * sessions. Resolves when the browser has reported the existing ones, or has ended. Without a filter, `discover` and `attach`
 * stop; an empty filter accepts all but browsers and tabs.
 */
export async function makeTargets(
  line: Line,
  contexts: Contexts,
  send: (message: object) => void,
  sendLarge: (event: Message, written: string) => void,
): Promise<Targets> {
  const tell: Tell = (method, params, sessionId) =>
    send({ method, params, ...(sessionId !== undefined && { sessionId }) })
  const requested: Requested = { discovers: undefined, attaches: undefined }
  const known = new Map<string, TargetInfo>()
  const attachments = makeAttachments(line)
  const ofBrowser: Readonly<Record<string, Hearer>> = {
    ...hearTargets(line, contexts, known, requested, attachments, tell),
    ...hearSessions(line, contexts, attachments, tell),
  }

  line.onEvent = (event: Message) => {
    const { sessionId, method = '', written } = event
    const isInside = sessionId !== undefined && line.owns(sessionId)
    if (isInside && written !== undefined) return sendLarge(event, written)
    const { params = {} } = event
    return isInside ? send({ method, params, sessionId }) : ofBrowser[method]?.(params)
  }
  await line.ask('Target.setDiscoverTargets', { discover: true, filter: [{}] })

  return {
    get all() {
      return [...known.values()]
    },
    attachTo: attachments.ask,
    owns: (targetId): targetId is string => typeof targetId === 'string' && known.has(targetId),
    settled: attachments.settled,
    discover: (filter) => {
      const wanted = (requested.discovers = orDefault(filter))
      if (!wanted) return
      for (const targetInfo of known.values()) {
        if (fits(targetInfo, wanted)) tell('Target.targetCreated', { targetInfo })
      }
    },
    attach: async (filter) => {
      const wanted = (requested.attaches = orDefault(filter))
      if (!wanted) return
      const direct = [...known.values()].filter((info) => isDirect(info) && fits(info, wanted))
      await Promise.all(direct.map(({ targetId }) => attachments.open(targetId)))
    },
  }
}

/** A client's sessions with targets, including those being opened. */
interface Attachments {
  /** Attaches the connection to a target, unless it is attached already. */
  open(targetId: string): Promise<void>
  ask(targetId: string, fromSession: string | undefined): Promise<Outcome>
  settled(targetId: string): Promise<void>
  /** Notes an opened session. Returns the session that receives the event, or `undefined` for the connection itself. */
  begun(sessionId: string, targetId: string): string | undefined
  /** Notes a closed session. Returns who was notified when it was opened, or `undefined` if nobody was. */
  ended(sessionId: string): { readonly fromSession: string | undefined } | undefined
  forget(targetId: string): void
}

function makeAttachments(line: Line): Attachments {
  const attached = new Map<string, string>()
  // Sessions that wait to be attached, by target. The browser reports them in the order of the commands.
  const waitingSessions = new Map<string, (string | undefined)[]>()
  const parentSessions = new Map<string, string>()
  const attaching = new Map<string, Promise<unknown>>()

  const ask = async (targetId: string, fromSession: string | undefined): Promise<Outcome> => {
    const waiting = waitingSessions.get(targetId) ?? []
    waitingSessions.set(targetId, waiting)
    waiting.push(fromSession)
    const outcome = await pass(line, 'Target.attachToTarget', { targetId, flatten: true })
    if ('refusal' in outcome) waiting.splice(waiting.indexOf(fromSession), 1)
    return outcome
  }
  return {
    ask,
    open: async (targetId) => {
      if ([...attached.values()].includes(targetId)) return
      const opening = ask(targetId, undefined)
      attached.set(`opening ${targetId}`, targetId)
      attaching.set(targetId, opening)
      await opening
      attaching.delete(targetId)
      attached.delete(`opening ${targetId}`)
    },
    settled: async (targetId) => {
      await attaching.get(targetId)
    },
    begun: (sessionId, targetId) => {
      const fromSession = waitingSessions.get(targetId)?.shift()
      if (fromSession === undefined) attached.set(sessionId, targetId)
      else parentSessions.set(sessionId, fromSession)
      return fromSession
    },
    ended: (sessionId) => {
      const fromSession = parentSessions.get(sessionId)
      return parentSessions.delete(sessionId) || attached.delete(sessionId) ? { fromSession } : undefined
    },
    forget: (targetId) => waitingSessions.delete(targetId),
  }
}

/** Which targets a client wants to be notified of, and attached to. */
interface Requested {
  discovers: Filter | undefined
  attaches: Filter | undefined
}

type Hearer = (params: Readonly<Record<string, unknown>>) => unknown
type Tell = (method: string, params: object, sessionId?: string) => void

function hearTargets(
  line: Line,
  contexts: Contexts,
  known: Map<string, TargetInfo>,
  requested: Requested,
  attachments: Attachments,
  tell: Tell,
): Readonly<Record<string, Hearer>> {
  const discovers = (info: TargetInfo): boolean => requested.discovers !== undefined && fits(info, requested.discovers)
  return {
    'Target.targetCreated': (params) => {
      const info = params['targetInfo'] as TargetInfo
      if (!contexts.has(info.browserContextId)) return
      known.set(info.targetId, info)
      if (discovers(info)) tell('Target.targetCreated', params)
      if (requested.attaches && isDirect(info) && fits(info, requested.attaches)) return attachments.open(info.targetId)
    },
    'Target.targetInfoChanged': (params) => {
      const info = params['targetInfo'] as TargetInfo
      if (!known.has(info.targetId)) return
      known.set(info.targetId, info)
      if (discovers(info)) tell('Target.targetInfoChanged', params)
      const mustGo = info.type === 'page' && !mayShow(info.url)
      return mustGo ? line.ask('Target.closeTarget', { targetId: info.targetId }) : undefined
    },
    'Target.targetDestroyed': (params) => {
      const info = known.get(String(params['targetId']))
      attachments.forget(String(params['targetId']))
      if (info && known.delete(info.targetId) && discovers(info)) tell('Target.targetDestroyed', params)
    },
    'Target.targetCrashed': (params) => {
      if (known.has(String(params['targetId']))) tell('Target.targetCrashed', params)
    },
  }
}

function hearSessions(
  line: Line,
  contexts: Contexts,
  attachments: Attachments,
  tell: Tell,
): Readonly<Record<string, Hearer>> {
  return {
    'Target.attachedToTarget': (params) => {
      const { browserContextId, targetId } = params['targetInfo'] as TargetInfo
      if (!contexts.has(browserContextId))
        return line.ask('Target.detachFromTarget', { sessionId: params['sessionId'] })
      tell('Target.attachedToTarget', params, attachments.begun(String(params['sessionId']), targetId))
    },
    'Target.detachedFromTarget': (params) => {
      const ended = attachments.ended(String(params['sessionId']))
      if (ended) tell('Target.detachedFromTarget', params, ended.fromSession)
    },
  }
}

function orDefault(filter: Filter | undefined): Filter | undefined {
  return filter && (filter.length > 0 ? filter : defaultFilter)
}

/** Returns whether the client attaches to the target directly. Frames and workers are attached by their page. */
function isDirect({ type }: TargetInfo): boolean {
  return type === 'page' || type === 'tab'
}

/**
 * Returns whether a filter accepts a target. The first entry that matches its type decides; without one, it is not accepted.
 */
export function fits({ type }: Pick<TargetInfo, 'type'>, filter: Filter): boolean {
  const entry = filter.find((one) => one.type === undefined || one.type === type)
  return entry !== undefined && entry.exclude !== true
}
