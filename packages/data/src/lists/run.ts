import { EngineError, type Tab } from '@harvestman/ports'
import { pageCall } from '@harvestman/toolbox/page-call'

/**
 * Runs a function in the page. Returns `undefined` if the page navigates away or breaks the script. Rejects with other errors,
 * and when aborted.
 */
export async function runSafely(
  tab: Tab,
  script: string,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await tab.evaluate(pageCall(script, ...args), signal)
  } catch (error) {
    if (signal.aborted || !EngineError.is(error) || error.code !== 'action_failed') throw error
    return undefined
  }
}
