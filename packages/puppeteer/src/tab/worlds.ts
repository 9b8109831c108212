import { pageCall } from '@harvestman/toolbox/page-call'

import type { Protocol } from '../lib/cdp.ts'
import { race } from '../lib/race.ts'
import type { Frame } from './frames.ts'

const worldName = 'harvestman'

/** Returned if the frame navigated while the script ran. */
export const contextLost = Symbol('context lost')

/**
 * Runs a function in our isolated world of a frame. Resolves to `contextLost` if the frame navigates meanwhile, and rejects
 * with a `ScriptError` if it throws, or with the reason of a signal.
 */
export async function runIn<T>(
  frame: Frame,
  script: string,
  args: readonly unknown[],
  ...signals: readonly AbortSignal[]
): Promise<T | typeof contextLost> {
  const result = await evaluateIn(frame, script, args, { returnByValue: true }, signals)
  return result === contextLost ? contextLost : (result.value as T)
}

/**
 * Runs a function as `runIn` does, for results that cannot be copied. Resolves to a handle, which lasts until the frame
 * navigates, or to `contextLost`. Rejects as `runIn` does.
 */
export async function handleIn(
  frame: Frame,
  script: string,
  args: readonly unknown[],
  ...signals: readonly AbortSignal[]
): Promise<Protocol.Runtime.RemoteObject | typeof contextLost> {
  return evaluateIn(frame, script, args, { returnByValue: false }, signals)
}

async function evaluateIn(
  frame: Frame,
  script: string,
  args: readonly unknown[],
  { returnByValue }: { readonly returnByValue: boolean },
  signals: readonly AbortSignal[],
): Promise<Protocol.Runtime.RemoteObject | typeof contextLost> {
  const { session } = frame
  try {
    const contextId = await race(worldOf(frame), ...signals)
    const expression = pageCall(script, ...args)
    const work = session.send('Runtime.evaluate', { expression, contextId, returnByValue, awaitPromise: true })
    const { result, exceptionDetails } = await race(work, ...signals)
    if (exceptionDetails) throw new ScriptError(messageOf(exceptionDetails))
    return result
  } catch (error) {
    for (const signal of signals) signal.throwIfAborted()
    if (!isContextLoss(error)) throw error
    frame.world = undefined
    return contextLost
  }
}

/** An error thrown by a script in the page. Its message is the page's own. */
export class ScriptError extends Error {}

/** Returns the message of an exception without its stack, at most 500 characters. */
export function messageOf({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  const description = exception?.description ?? (exception && 'value' in exception ? String(exception.value) : text)
  return description.split('\n    at ')[0]!.slice(0, 500)
}

function worldOf(frame: Frame): Promise<number> {
  if (frame.world) return frame.world
  const world = frame.session
    .send('Page.createIsolatedWorld', { frameId: frame.id, worldName })
    .then(({ executionContextId }) => executionContextId)
  frame.world = world
  return world
}

function isContextLoss(error: unknown): boolean {
  const message = error instanceof Error ? error.message : ''
  return /Cannot find context|context was destroyed|context with specified id|No frame (?:for|with) given id|Inspected target navigated|Frame with the given|uniqueContextId not found|Cannot find execution context|Session closed|Target closed/i.test(
    message,
  )
}
