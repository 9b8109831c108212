// The tabs of a live browser that scripts act in: the first one, and those that tabs of them open.
import { EngineError, type Wire } from '@harvestman/ports'
import { z } from 'zod'

import { checked, clientOf, type Client, type Message } from './client.ts'
import { pageIn, type LivePage } from './live-page.ts'

/** What is told of tabs. */
export interface TabsListener {
  /** One of them has opened another. */
  opened(tab: Pick<LivePage, 'tab' | 'opener'>, page: Promise<LivePage>): void
  /** One that was opened is closed. */
  closed(tab: string): void
}

/** The tabs. */
export interface LiveTabs extends AsyncDisposable {
  readonly first: LivePage
  /** Those that are open, in the order in which they came. */
  readonly open: readonly LivePage[]
  /** Those that were opened and cannot be looked at yet. */
  readonly coming: ReadonlySet<string>
  listen(listener: TabsListener): void
}

/** Tabs of one connection, with those that were closed. */
const mostTabs = 300
/** Milliseconds that a new tab has to be attached to. */
const timeout = 10_000

const targetSchema = z.object({ targetId: z.string(), type: z.string(), openerId: z.string().optional() })
type Target = z.output<typeof targetSchema>

/** Attaches to the first tab, and to those that are opened from then on. */
export async function openTabs(wire: Wire, signal: AbortSignal): Promise<LiveTabs> {
  const client = clientOf(wire)
  try {
    const { targetInfos } = await checked(client.ask('Target.getTargets', {}, undefined, signal))
    const targets = z.array(targetSchema).parse(targetInfos)
    const first = targets.find(({ type }) => type === 'page')
    if (!first) throw new EngineError('action_failed', 'The live browser has no page open. Open one first.')
    const page = await pageIn(client, { tab: first.targetId, opener: undefined }, signal)
    const tabs = followTabs(client, page, new Set(targets.map(({ targetId }) => targetId)))
    await checked(
      client.ask('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }, undefined, signal),
    )
    return { ...tabs, first: page, [Symbol.asyncDispose]: async () => wire.close() }
  } catch (error) {
    wire.close()
    throw error
  }
}

/** `others` are those that were open before: what is done in them, and in those that they open, is none of ours. */
function followTabs(
  client: Client,
  first: LivePage,
  others: ReadonlySet<string>,
): Omit<LiveTabs, 'first' | typeof Symbol.asyncDispose> {
  const listeners = new Set<TabsListener>()
  const open: LivePage[] = [first]
  const coming = new Set<string>()
  const known = new Set([first.tab])
  const opened = ({ type, targetId: tab, openerId: opener }: Target): void => {
    const isOurs = type === 'page' && opener !== undefined && known.has(opener)
    if (!isOurs || others.has(tab) || known.has(tab) || known.size >= mostTabs) return
    known.add(tab)
    coming.add(tab)
    const page = pageIn(client, { tab, opener }, AbortSignal.timeout(timeout))
    // One that is closed at once is not one to act in.
    const come = (one: LivePage): void => {
      if (!one.gone.aborted) open.push(one)
    }
    page.then(come, () => undefined).finally(() => coming.delete(tab))
    for (const listener of listeners) listener.opened({ tab, opener }, page)
  }
  const closed = (tab: string): void => {
    const at = open.findIndex((one) => one.tab === tab)
    if (at >= 0) open.splice(at, 1)
    if (known.has(tab) && tab !== first.tab) for (const listener of listeners) listener.closed(tab)
  }
  client.listen(({ method, params = {} }: Message) => {
    if (method === 'Target.targetCreated') opened(targetSchema.parse(params['targetInfo']))
    if (method === 'Target.targetDestroyed') closed(String(params['targetId']))
  })
  return { open, coming, listen: (listener) => void listeners.add(listener) }
}
