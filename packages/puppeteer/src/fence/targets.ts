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

/** As a client says which targets it wants to hear of: the first entry that fits decides. */
export type Filter = readonly { readonly type?: string; readonly exclude?: boolean }[]

/** The targets of one session, and what a client was told of them. */
export interface Targets {
  readonly all: readonly TargetInfo[]
  owns(targetId: unknown): targetId is string
  /** `asker` is the session that hears of it, where that is not the connection itself. */
  attachTo(targetId: string, asker: string | undefined): Promise<Outcome>
  discover(filter: Filter | undefined): void
  attach(filter: Filter | undefined): Promise<void>
  /** Resolves when the client has been told of a target that it attaches to. */
  settled(targetId: string): Promise<void>
}

const usualFilter: Filter = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}]

// oxlint-disable-next-line max-lines-per-function -- short steps that share which targets are known
export async function makeTargets(
  line: Line,
  contextId: string,
  say: (message: object) => void,
  sayLarge: (event: Message, written: string) => void,
): Promise<Targets> {
  const known = new Map<string, TargetInfo>()
  const attached = new Map<string, string>()
  // By target, for whom it is attached to next: the browser tells of that in the order in which it was asked.
  const askers = new Map<string, (string | undefined)[]>()
  const heardIn = new Map<string, string>()
  const attaching = new Map<string, Promise<unknown>>()
  let discovers: Filter | undefined
  let attaches: Filter | undefined
  const isOurs = (info: TargetInfo): boolean => info.browserContextId === contextId

  const attach = async (targetId: string): Promise<void> => {
    if ([...attached.values()].includes(targetId)) return
    const opening = attachTo(targetId, undefined)
    attached.set(`opening ${targetId}`, targetId)
    attaching.set(targetId, opening)
    await opening
    attaching.delete(targetId)
    attached.delete(`opening ${targetId}`)
  }

  const attachTo = async (targetId: string, asker: string | undefined): Promise<Outcome> => {
    const waiting = askers.get(targetId) ?? []
    askers.set(targetId, waiting)
    waiting.push(asker)
    const outcome = await pass(line, 'Target.attachToTarget', { targetId, flatten: true })
    if ('refusal' in outcome) waiting.splice(waiting.indexOf(asker), 1)
    return outcome
  }

  const told = (method: string, params: object, sessionId?: string): void =>
    say({ method, params, ...(sessionId !== undefined && { sessionId }) })

  const ofBrowser: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
    'Target.targetCreated': (params) => {
      const info = params['targetInfo'] as TargetInfo
      if (!isOurs(info)) return
      known.set(info.targetId, info)
      if (discovers && fits(info, discovers)) told('Target.targetCreated', params)
      if (attaches && isDirect(info) && fits(info, attaches)) return attach(info.targetId)
    },
    'Target.targetInfoChanged': (params) => {
      const info = params['targetInfo'] as TargetInfo
      if (!known.has(info.targetId)) return
      known.set(info.targetId, info)
      if (discovers && fits(info, discovers)) told('Target.targetInfoChanged', params)
      const mustGo = info.type === 'page' && !mayShow(info.url)
      return mustGo ? line.ask('Target.closeTarget', { targetId: info.targetId }) : undefined
    },
    'Target.targetDestroyed': (params) => {
      const info = known.get(String(params['targetId']))
      askers.delete(String(params['targetId']))
      if (info && known.delete(info.targetId) && discovers && fits(info, discovers))
        told('Target.targetDestroyed', params)
    },
    'Target.targetCrashed': (params) => {
      if (known.has(String(params['targetId']))) told('Target.targetCrashed', params)
    },
    'Target.attachedToTarget': (params) => {
      const info = params['targetInfo'] as TargetInfo
      if (!isOurs(info)) return line.ask('Target.detachFromTarget', { sessionId: params['sessionId'] })
      const asker = askers.get(info.targetId)?.shift()
      if (asker === undefined) attached.set(String(params['sessionId']), info.targetId)
      else heardIn.set(String(params['sessionId']), asker)
      told('Target.attachedToTarget', params, asker)
    },
    'Target.detachedFromTarget': (params) => {
      const sessionId = String(params['sessionId'])
      const asker = heardIn.get(sessionId)
      if (heardIn.delete(sessionId)) told('Target.detachedFromTarget', params, asker)
      else if (attached.delete(sessionId)) told('Target.detachedFromTarget', params)
    },
  }

  line.onEvent = (event: Message) => {
    const { sessionId, method = '', written } = event
    const isInside = sessionId !== undefined && line.owns(sessionId)
    if (isInside && written !== undefined) return sayLarge(event, written)
    const { params = {} } = event
    return isInside ? say({ method, params, sessionId }) : ofBrowser[method]?.(params)
  }
  await line.ask('Target.setDiscoverTargets', { discover: true, filter: [{}] })

  return {
    get all() {
      return [...known.values()]
    },
    attachTo,
    owns: (targetId): targetId is string => typeof targetId === 'string' && known.has(targetId),
    settled: async (targetId) => {
      await attaching.get(targetId)
    },
    discover: (filter) => {
      discovers = filter && (filter.length > 0 ? filter : usualFilter)
      if (!discovers) return
      for (const targetInfo of known.values()) {
        if (fits(targetInfo, discovers)) told('Target.targetCreated', { targetInfo })
      }
    },
    attach: async (filter) => {
      attaches = filter && (filter.length > 0 ? filter : usualFilter)
      if (!attaches) return
      const wanted = [...known.values()].filter((info) => attaches && isDirect(info) && fits(info, attaches))
      await Promise.all(wanted.map(({ targetId }) => attach(targetId)))
    },
  }
}

/** Frames and workers are attached to by the page that has them. */
function isDirect({ type }: TargetInfo): boolean {
  return type === 'page' || type === 'tab'
}

export function fits({ type }: Pick<TargetInfo, 'type'>, filter: Filter): boolean {
  const entry = filter.find((one) => one.type === undefined || one.type === type)
  return entry !== undefined && entry.exclude !== true
}
