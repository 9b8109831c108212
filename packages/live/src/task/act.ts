import type { Clock, LiveAction, LiveBrowser } from '@harvestman/ports'
import type { TaskAction } from './actions.ts'
import { untilStill } from './until-still.ts'

/**
 * Performs an action and waits until the page has settled. Rejects if the action fails, such as `action_failed` for an element
 * that does not exist.
 */
export async function act(
  action: TaskAction | LiveAction,
  live: LiveBrowser,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (action.type === 'wait') await clock.sleep(action.ms, signal)
  else await live.act(action, signal)
  await untilStill(live, clock, signal)
}
