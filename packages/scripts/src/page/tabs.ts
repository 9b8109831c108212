// The tabs of a live browser that a script uses: the first one, and tabs opened from it or from each other.
import { EngineError, type Wire } from '@harvestman/ports'
import { z } from 'zod'

import { unwrapResult, clientOf, type Client, type Message } from './client.ts'
import { pageIn, type LivePage } from './live-page.ts'

/** Listener for tabs. */
export interface TabsListener {
  /** Called when one of the tabs has opened another. */
  opened(tab: Pick<LivePage, 'tab' | 'opener'>, page: Promise<LivePage>): void
  /** Called when an opened tab was closed. */
  closed(tab: string): void
}

/** The tabs. */
export interface LiveTabs extends AsyncDisposable {
  readonly first: LivePage
  /** The open tabs, in the order in which they appeared. */
  readonly open: readonly LivePage[]
  /** Ids of opened tabs that are not attached yet. */
  readonly coming: ReadonlySet<string>
  listen(listener: TabsListener): void
}

/** Maximum number of tabs per connection, including closed ones. */
const maxTabs = 300
/** Milliseconds to wait until a new tab is attached. */
const timeout = 10_000

const targetSchema = z.object({ targetId: z.string(), type: z.string(), openerId: z.string().optional() })
type Target = z.output<typeof targetSchema>

/**
 * Attaches to the first tab, and to tabs that are opened from now on. Throws `action_failed` if no page is open. The
 * wire is closed then, and when the result is disposed.
 */
export async function openTabs(wire: Wire, signal: AbortSignal): Promise<LiveTabs> {
  const client = clientOf(wire)
  try {
    const { targetInfos } = await unwrapResult(client.ask('Target.getTargets', {}, undefined, signal))
    const targets = z.array(targetSchema).parse(targetInfos)
    const first = targets.find(({ type }) => type === 'page')
    if (!first) throw new EngineError('action_failed', 'The live browser has no page open. Open one first.')
    const page = await pageIn(client, { tab: first.targetId, opener: undefined }, signal)
    const tabs = followTabs(client, page, new Set(targets.map(({ targetId }) => targetId)))
    await unwrapResult(
      client.ask('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }, undefined, signal),
    )
    return { ...tabs, first: page, [Symbol.asyncDispose]: async () => wire.close() }
  } catch (error) {
    wire.close()
    throw error
  }
}

/** `others` are tabs that were open before. They and the tabs that they open are ignored. */
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
    if (!isOurs || others.has(tab) || known.has(tab) || known.size >= maxTabs) return
    known.add(tab)
    coming.add(tab)
    const page = pageIn(client, { tab, opener }, AbortSignal.timeout(timeout))
    // Skip tabs that were closed at once.
    const come = (one: LivePage): void => {
      if (!one.closed.aborted) open.push(one)
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
