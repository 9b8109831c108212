import type { Clock } from '@harvestman/ports'
import type { ConfinableBrowser } from './confinement.ts'
import { makeSite } from './same-site.ts'
import { nameStep, stepNow, whyOther, type TaskScript, type ScriptStep } from './script.ts'
import { checkPlaceholders, textsOf, type Secret } from './secrets.ts'
import { look, makeStep, whyItEnded, type TaskRun, type RunBounds, type RunState } from './step.ts'

export type Repeat = (
  live: ConfinableBrowser,
  script: TaskScript,
  options: { readonly secrets?: readonly Secret[] | undefined },
  signal: AbortSignal,
) => Promise<TaskRun>

/** Does again what a run did, without a model. The first step that does not go as it went then is the last. */
export function makeRepeat(clock: Clock): Repeat {
  const step = makeStep(clock)
  return async (live, { steps }, { secrets = [] }, signal) => {
    checkPlaceholders(
      'The script',
      steps.flatMap(({ action }) => textsOf(action)),
      secrets,
    )
    const page = await look(live, secrets, signal)
    const state: RunState = { steps: [], script: [], page, tokens: 0 }
    const hosts = steps.map(({ leadsTo }) => URL.parse(leadsTo)?.hostname ?? '')
    const site = makeSite(page.url, hosts)
    const confinement = live.confine(site.allows)
    const bounds: RunBounds = { site, secrets, confinement }
    const whyNot = async (one: ScriptStep, index: number): Promise<string | undefined> => {
      try {
        const note = await step(live, stepNow(one, state.page), state, bounds, signal)
        const isDone = state.steps.length === index + 1 && state.steps.at(-1)?.outcome === 'done'
        return isDone ? whyOther(one, state.page) : note
      } catch (error) {
        return whyItEnded(error, signal, state)
      }
    }
    let error: string | undefined
    try {
      for (const [index, one] of steps.entries()) {
        const why = await whyNot(one, index)
        if (why === undefined) continue
        error = `Step ${index + 1} of ${steps.length} (${nameStep(one)}) did not go as before. ${why}`
        break
      }
    } finally {
      confinement.release()
    }
    const { steps: taken, script } = state
    const success = error === undefined
    return { success, answer: '', error, steps: taken, page: state.page, tokens: 0, script: { steps: script } }
  }
}
