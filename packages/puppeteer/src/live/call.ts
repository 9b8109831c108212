import { EngineError, type Json } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'

import type { Protocol } from '../lib/cdp.ts'
import { actionFailed } from '../lib/errors.ts'
import { messageOf } from '../tab/worlds.ts'
import type { LiveTabs } from './tabs.ts'

const maxCharacters = 1_000_000

/**
 * Calls a function in the page in front, in the world of its scripts, and returns its result: a string. Rejects with
 * `action_failed` if it throws, if its result is not a string or has more than a million characters, or if the page navigates
 * meanwhile; and with `browser_failed` if the browser fails.
 */
export async function callPage(liveTabs: LiveTabs, script: string, args: readonly Json[]): Promise<string> {
  const page = await liveTabs.page()
  // Syntax only: the page may have replaced any function.
  const expression = `(async () => {
    const text = await ${pageCall(script, ...args)}
    return typeof text === 'string' && text.length <= ${maxCharacters} ? text : undefined
  })()`
  const evaluation = { expression, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = (await page.send('Runtime.evaluate', evaluation).catch((error: unknown) => {
    if (isNavigation(error)) throw navigated(error)
    throw /collected/i.test(causeOf(error)) ? actionFailed('The function of the page never returns.', error) : error
    // Cast: the result of this command of the protocol.
  })) as unknown as Protocol.Runtime.EvaluateResponse
  if (exceptionDetails) throw actionFailed(`The function of the page threw an error: ${messageOf(exceptionDetails)}`)
  const text: unknown = result.value
  if (typeof text === 'string') return text
  throw actionFailed(`The function of the page must return a string of at most ${maxCharacters} characters.`)
}

/** Returns whether a command failed because the page was replaced. */
function isNavigation(error: unknown): boolean {
  return /navigated|destroyed|Cannot find (?:execution )?context/i.test(causeOf(error))
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
}

function navigated(cause: unknown): EngineError {
  const details = { reason: 'navigated' }
  return new EngineError('action_failed', 'The page navigated before the function returned.', { cause, details })
}
