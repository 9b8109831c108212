import type { EngineError } from '@harvestman/ports'

import type { Protocol } from '../lib/cdp.ts'
import { actionFailed, asBrowserFailure } from '../lib/errors.ts'
import { toJson } from '../page-scripts.ts'
import type { View } from './view.ts'
import { messageOf } from './worlds.ts'

const maxCharacters = 1_000_000

/**
 * Runs a caller's script in the page, like its developer console: returns the value of the last expression, and `await` and
 * `return` are allowed at the top level. Rejects with `action_failed` if the script throws, the page navigates meanwhile, or
 * the result has more than a million characters; with the signal's reason; or if the browser fails.
 */
export async function evaluate(view: View, script: string, signal: AbortSignal): Promise<unknown> {
  const first = await run(view, script, signal)
  const message = first.exceptionDetails && messageOf(first.exceptionDetails)
  const hasReturn = message !== undefined && /Illegal return statement/.test(message)
  const { result, exceptionDetails } = hasReturn ? await run(view, `(async () => {\n${script}\n})()`, signal) : first
  if (exceptionDetails) throw scriptThrew(messageOf(exceptionDetails))
  return valueOf(view, result, signal)
}

async function run(view: View, expression: string, signal: AbortSignal): Promise<Protocol.Runtime.EvaluateResponse> {
  try {
    const { session } = view
    const ran = await view.during(
      signal,
      session.send('Runtime.evaluate', { expression, awaitPromise: true, replMode: true, userGesture: true }),
    )
    const { subtype, objectId } = ran.result
    // Only promises that the script awaits itself have settled, so await the result too.
    if (subtype !== 'promise' || !objectId) return ran
    return await view.during(signal, session.send('Runtime.awaitPromise', { promiseObjectId: objectId }))
  } catch (error) {
    signal.throwIfAborted()
    view.place.broken.throwIfAborted()
    const isLeft = error instanceof Error && /navigated|destroyed|Cannot find context/i.test(error.message)
    if (isLeft)
      throw actionFailed('The page navigated while the script ran. End the script before the navigation.', error)
    throw asBrowserFailure(error, 'running a script')
  }
}

function scriptThrew(message: string): EngineError {
  return actionFailed(`The script threw an error: ${message}`)
}

/** Converts the result to a value. Values without a JSON form become the closest value of the same type. */
async function valueOf(view: View, value: Protocol.Runtime.RemoteObject, signal: AbortSignal): Promise<unknown> {
  const { type, subtype, objectId } = value
  if (type === 'undefined' || (type === 'object' && subtype === 'null')) return type === 'undefined' ? undefined : null
  if (type === 'bigint') return BigInt((value.unserializableValue ?? '0n').slice(0, -1))
  if (type === 'number') return value.unserializableValue ? Number(value.unserializableValue) : value.value
  if (type === 'symbol') return Symbol(value.description?.slice(7, -1))
  if (type === 'function') return () => undefined
  if (type !== 'object' || !objectId) return bounded(value.value)
  const { result } = await view.during(
    signal,
    view.session.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: toJson,
      arguments: [{ objectId }, { value: maxCharacters }],
      returnByValue: true,
    }),
  )
  const text = result.value as string | undefined
  if (text === undefined) throw tooLarge()
  return JSON.parse(text) as unknown
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string' && value.length > maxCharacters) throw tooLarge()
  return value
}

function tooLarge(): EngineError {
  return actionFailed(
    `The result of the script has more than ${maxCharacters} characters. Return less, or use several steps.`,
  )
}
