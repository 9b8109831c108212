// How a run says that it has ended before its last step.
import { EngineError } from '@harvestman/ports'

import type { Script, Step, Target } from '../script/schema.ts'
import { isOpen } from '../script/template.ts'
import type { Look } from '../page/seen.ts'
import type { SeenTab } from './tabs.ts'

const mostSeen = 20

/** A step that was done. */
export interface DoneStep {
  /** Its number in the script, from 1. */
  readonly step: number
  readonly action: Step['action']
  readonly outcome: 'done' | 'already' | 'repaired'
  /** What it was done to, such as `button "Save"`. */
  readonly element?: string
  readonly note?: string
  readonly url: string
}

/** What an error tells of a run. */
export interface Stopping {
  readonly script: Script
  readonly done: readonly DoneStep[]
  readonly hide: (text: string) => string
}

/** An element in words. */
export function wordsOf({ role, name, label, before }: Pick<Target, 'role' | 'name' | 'label' | 'before'>): string {
  const said = name || label
  if (said) return `${role} ${JSON.stringify(said)}`
  return before ? `${role} beside ${JSON.stringify(before)}` : role
}

type Reason =
  | 'not_found'
  | 'ambiguous'
  | 'not_done'
  | 'other_outcome'
  | 'other_site'
  | 'not_shown'
  | 'too_large'
  | 'too_long'

/** The error of a run that ends at a step, with what was seen. */
export function stop(run: Stopping, number: number, reason: Reason, why: string, seen?: Seen): EngineError {
  const { script, done } = run
  const step = script.steps[number]!
  const what = step.target && !isOpen(step.target.name) ? `${step.action} ${wordsOf(step.target)}` : step.action
  const message = `Step ${number + 1} of ${script.steps.length} (${what}) did not go as it was recorded. ${why}`
  return new EngineError('action_failed', message, {
    details: { reason, step: number + 1, done, ...(seen && { seen: toldOfSeen(run, seen) }) },
  })
}

/** The page, or the tabs where it is they that are not clear. */
type Seen = Pick<Look, 'url' | 'title' | 'elements'> | { readonly tabs: readonly SeenTab[] }

function toldOfSeen({ hide }: Stopping, seen: Seen) {
  if ('tabs' in seen) return { tabs: seen.tabs.map(({ url }) => hide(url)) }
  const { url, title, elements } = seen
  return { url, title, elements: elements.slice(0, mostSeen).map(wordsOf) }
}
