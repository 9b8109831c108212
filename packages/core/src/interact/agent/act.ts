import type { Clock, LiveAction, LiveBrowser } from '@harvestman/ports'
import type { AgentAction } from '../../schema/agent.ts'
import { settlePage } from './settle-page.ts'

/** Does one thing to the page, and waits until it has come to rest. */
export async function act(
  action: AgentAction | LiveAction,
  live: LiveBrowser,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  if (action.type === 'wait') await clock.sleep(action.ms, signal)
  else await live.act(action, signal)
  await settlePage(live, clock, signal)
}
