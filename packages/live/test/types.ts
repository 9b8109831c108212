// What an engine with live browsers can be asked, as the compiler sees it. The compiler is the test.
import { createEngine, type Engine } from '@harvestman/core'
import { type Live, live, type LiveSession, type TaskRun } from '@harvestman/live'

const engine = createEngine({ plugins: [live()] })

export async function liveIsAPropertyOfEnginesWithThePlugin(): Promise<TaskRun> {
  const session: LiveSession = await engine.live.open({ ttl: 60 }, { team: 'acme' })
  // @ts-expect-error a misspelled option
  await engine.live.open({ tll: 60 })
  // @ts-expect-error an engine without the plugin has none
  void createEngine().live
  return session.ask('What is this page about?', { maxSteps: 3 })
}

export function itIsHandedOnByItsType(any: Engine & { readonly live: Live }): Live {
  return any.live
}

itIsHandedOnByItsType(engine)
