import { EngineError, type Tab } from '@harvestman/ports'
import { pageCall } from '@harvestman/ports/adapters'

/** Runs a function in the page. A page that goes elsewhere meanwhile, or has changed what scripts use, gives nothing. */
export async function runSafely(
  tab: Tab,
  script: string,
  given: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await tab.evaluate(pageCall(script, ...given), signal)
  } catch (error) {
    if (signal.aborted || !EngineError.is(error) || error.code !== 'action_failed') throw error
    return undefined
  }
}
